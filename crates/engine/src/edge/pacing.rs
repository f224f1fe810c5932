//! Coalesces the lobby (`lobby`), answer counts, and the room of a host with the extension. The last state is always sent
//! (messages.md#big-games).
//!
//! It also keeps the frames that many sockets share, while they are true.

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
    /// The unsent changes by host socket, for hosts with the extension that have received their sync messages.
    hosts: BTreeMap<ConnectionId, Unsent>,
}

/// The changes that a host's socket has not been sent yet.
#[derive(Debug, Default)]
struct Unsent {
    room: Room,
    desk: Desk,
}

/// The part of a state after the lobby that all participants see. Answers and presence change the state all the time, but not
/// this part, so sockets that reconnect at the same time receive the same frames.
#[derive(Debug)]
struct Shown {
    place: (Phase, usize),
    released: usize,
    /// Replaced when the host edits a question.
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

    /// The sync messages that are the same for all, encoded once and used while they are true.
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
    pub fn forget(&mut self) {
        self.lobby.forget();
        self.dirty_counts.clear();
    }

    /// Notes that a host's socket with the extension was sent everything.
    pub fn host_synced(&mut self, host: ConnectionId, state: &State) {
        self.hosts.insert(host, Unsent { room: Room::all_sent(state), desk: Desk::default() });
    }

    /// The changes of the players that each host has not been sent.
    pub fn rooms(&mut self) -> impl Iterator<Item = &mut Room> {
        self.hosts.values_mut().map(|unsent| &mut unsent.room)
    }

    /// The answers to mark that each host has not been sent.
    pub fn desks(&mut self) -> impl Iterator<Item = &mut Desk> {
        self.hosts.values_mut().map(|unsent| &mut unsent.desk)
    }

    /// The desk of a host's socket.
    pub fn desk_of(&mut self, host: ConnectionId) -> Option<&mut Desk> {
        self.hosts.get_mut(&host).map(|unsent| &mut unsent.desk)
    }

    /// After a gap pending messages are still pending, except the counts of a past round.
    pub fn carry_over(&mut self, before: &State, after: &State) {
        self.lobby.jumped(before, after);
        if (before.phase(), before.round()) != (after.phase(), after.round()) {
            self.dirty_counts.clear();
            self.rooms().for_each(Room::forget_answers);
        }
        if !wire::room::is_room_listed(before) {
            self.rooms().for_each(Room::unlist);
        }
        self.desks().for_each(|desk| desk.all_changed(after));
        if !self.hosts.is_empty() && wire::room_changed(before, after) {
            self.rooms().for_each(Room::missed);
        }
    }

    pub fn next_deadline(&self) -> Option<Time> {
        let counts = self.dirty_counts.iter().map(|question| self.count_due.get(question).copied().unwrap_or_default());
        let of_host = |unsent: &Unsent| [unsent.room.next_deadline(), unsent.desk.next_deadline(&self.dirty_counts)];
        let of_hosts = self.hosts.values().flat_map(of_host).flatten();
        counts.chain(self.lobby.next_deadline()).chain(of_hosts).min()
    }
}

impl Edge {
    /// Sends messages that are due.
    pub(super) fn flush_paced(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.flush(now, false, effects);
    }

    /// Sends all pending messages, due or not.
    pub(super) fn flush_all_paced(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.flush(now, true, effects);
    }

    fn flush(&mut self, now: Time, all: bool, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = &self.replica else { return };
        let (pacing, state) = (&mut self.pacing, &replica.state);
        pacing.lobby.flush((now, all), (state, replica.next), self.sessions.len(), effects);
        // A host whose sync messages are waiting receives everything with them.
        let hosts: Vec<_> = self.sessions.hosts().filter(|host| !self.freshness.is_unshown(*host)).collect();
        pacing.hosts.retain(|host, _| hosts.contains(host));
        if hosts.is_empty() {
            return pacing.dirty_counts.clear();
        }
        for (host, unsent) in &mut pacing.hosts {
            effects.extend(unsent.room.due(now, state).into_iter().map(|frame| queued(*host, frame)));
        }
        let due = |question: &QuestionId| all || pacing.count_due.get(question).is_none_or(|due| *due <= now);
        let counts: Vec<QuestionId> = pacing.dirty_counts.iter().copied().filter(due).collect();
        for question in counts {
            pacing.dirty_counts.remove(&question);
            pacing.count_due.insert(question, now + COUNT);
            let count = wire::answer_count(state, question);
            for host in &hosts {
                let named = pacing.hosts.get_mut(host).and_then(|unsent| unsent.room.newly_answered(question, state));
                effects.extend(named.map(|frame| queued(*host, frame)));
                effects.push(EdgeEffect::Send(*host, count.clone(), FrameKind::Replace(wire::count_key(question))));
            }
        }
        for (host, unsent) in &mut pacing.hosts {
            let groups = unsent.desk.due(now, all, state, &pacing.dirty_counts).into_iter();
            effects.extend(groups.map(|(key, frame)| EdgeEffect::Send(*host, frame, FrameKind::Replace(key))));
        }
    }
}

fn queued(connection: ConnectionId, frame: Bytes) -> EdgeEffect {
    EdgeEffect::Send(connection, frame, FrameKind::Queued)
}
