//! What is coalesced: the lobby (`lobby`), answer counts, and the room of a host who has the extension. The last state always
//! goes out (messages.md#big-games).
//!
//! Also keeps the frames that many sockets share while they stay true.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Board, Phase, QuestionId, Quiz, State};

use super::desk::Desk;
use super::lobby::Lobby;
use super::room::Room;
use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, FrameKind, Frames, Recipient};

/// At most 20 counts a second per question.
const COUNT: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
pub(super) struct Pacing {
    pub lobby: Lobby,
    sync: Option<(Shown, Vec<Frames>)>,
    dirty_counts: BTreeSet<QuestionId>,
    count_due: BTreeMap<QuestionId, Time>,
    acknowledgements: BTreeMap<QuestionId, Bytes>,
    pub room: Room,
    pub desk: Desk,
}

/// What all participants see of a state after the lobby. Answers and presence change the state all the time,
/// but nothing of this: sockets that reconnect at the same time are sent the same frames.
#[derive(Debug)]
struct Shown {
    place: (Phase, usize),
    released: usize,
    /// Another one once the host has edited a question.
    quiz: Arc<Quiz>,
    board: Arc<Board>,
}

impl Shown {
    fn of(state: &State) -> Self {
        let place = (state.phase(), state.round());
        let (quiz, board) = (Arc::clone(state.quiz()), Arc::clone(state.board()));
        Self { place, released: state.released().count(), quiz, board }
    }

    fn is(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.board, &other.board) && Arc::ptr_eq(&self.quiz, &other.quiz);
        is_same && (self.place, self.released) == (other.place, other.released)
    }
}

impl Pacing {
    pub fn count_changed(&mut self, question: QuestionId) {
        self.dirty_counts.insert(question);
    }

    /// `answer_accepted`, encoded once per question.
    pub fn acknowledgement(&mut self, question: QuestionId) -> Bytes {
        self.acknowledgements.entry(question).or_insert_with(|| wire::answer_accepted(question)).clone()
    }

    /// The sync messages that are the same for all, encoded once for those who connect while they stay true.
    pub fn sync_shared(&mut self, (state, seq): (&State, u64), recipient: Recipient) -> Vec<Bytes> {
        if state.phase() == Phase::Lobby {
            return vec![self.lobby.list((state, seq), recipient)];
        }
        let shown = Shown::of(state);
        let kept = self.sync.take().filter(|(of, _)| of.is(&shown));
        let (_, frames) = self.sync.insert(kept.unwrap_or_else(|| (shown, wire::sync_shared(state))));
        wire::frames_of(&*frames, recipient)
    }

    /// After the first state, which every socket has been sent.
    pub fn forget(&mut self, state: &State) {
        self.lobby.forget();
        self.dirty_counts.clear();
        self.room.mark_all_sent(state);
    }

    /// After a gap: what was pending still is, save the counts of a round that is over.
    pub fn carry_over(&mut self, before: &State, after: &State) {
        self.lobby.jumped(before, after);
        if (before.phase(), before.round()) != (after.phase(), after.round()) {
            self.dirty_counts.clear();
            self.room.forget_answers();
        }
        if !wire::extension::is_room_listed(before) {
            self.room.unlist();
        }
        self.desk.all_changed(after);
        if wire::room_changed(before, after) {
            self.room.missed();
        }
    }

    pub fn next_deadline(&self) -> Option<Time> {
        let counts = self.dirty_counts.iter().map(|question| self.count_due.get(question).copied().unwrap_or_default());
        counts
            .chain(self.lobby.next_deadline())
            .chain(self.room.next_deadline())
            .chain(self.desk.next_deadline(&self.dirty_counts))
            .min()
    }
}

impl Edge {
    /// Sends what is due.
    pub(super) fn flush_paced(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.flush(now, false, effects);
    }

    /// Sends what is pending, due or not.
    pub(super) fn flush_all_paced(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.flush(now, true, effects);
    }

    fn flush(&mut self, now: Time, all: bool, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = &self.replica else { return };
        let (pacing, state) = (&mut self.pacing, &replica.state);
        pacing.lobby.flush((now, all), (state, replica.next), self.sessions.len(), effects);
        // A host whose sync messages wait is sent all of it with them.
        let unshown = |connection: &ConnectionId| self.freshness.is_unshown(*connection);
        match self.sessions.host_v1().filter(|host| !unshown(host)) {
            Some(host) => effects.extend(pacing.room.due(now, state).into_iter().map(|frame| queued(host, frame))),
            None => pacing.room.clear(),
        }
        let Some(host) = self.sessions.host().filter(|host| !unshown(host)) else {
            pacing.desk.clear();
            return pacing.dirty_counts.clear();
        };
        let due = |question: &QuestionId| all || pacing.count_due.get(question).is_none_or(|due| *due <= now);
        let counts: Vec<QuestionId> = pacing.dirty_counts.iter().copied().filter(due).collect();
        for question in counts {
            pacing.dirty_counts.remove(&question);
            pacing.count_due.insert(question, now + COUNT);
            effects.extend(pacing.room.newly_answered(question, state).map(|frame| queued(host, frame)));
            let frame = wire::answer_count(state, question);
            effects.push(EdgeEffect::Send(host, frame, FrameKind::Replace(wire::count_key(question))));
        }
        let groups = pacing.desk.due(now, all, (host, state), &pacing.dirty_counts).into_iter();
        effects.extend(groups.map(|(key, frame)| EdgeEffect::Send(host, frame, FrameKind::Replace(key))));
    }
}

fn queued(connection: ConnectionId, frame: Bytes) -> EdgeEffect {
    EdgeEffect::Send(connection, frame, FrameKind::Queued)
}
