//! What is coalesced: lobby lists, answer counts, and the room of a host who has the extension. The last state always
//! goes out (messages.md#big-games).
//!
//! Also keeps the frames that many sockets share while they stay true.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Board, Phase, QuestionId, State};

use super::desk::Desk;
use super::room::Room;
use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, Dialect, FrameKind, Frames};

/// Lobbies up to this size are sent after every join.
const EVERY_JOIN: usize = 200;
/// At most 4 a second up to [`wire::WHOLE_LOBBY`] players, one a second above, and one second more for each further
/// [`HUGE`]: a list of the newest hundred says little there, and to all of them it is a hundred megabytes and more.
const BIG_LOBBY: Duration = Duration::from_millis(250);
const HUGE_LOBBY: Duration = Duration::from_secs(1);
const HUGE: usize = 20_000;
/// Bytes per second that lobby lists may take on this node for one game.
const LOBBY_BUDGET: u64 = 200_000_000;
/// At most 20 counts a second per question.
const COUNT: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
pub(super) struct Pacing {
    lobby_dirty: bool,
    lobby_due: Time,
    lobby: Option<(u64, [Frames; 1])>,
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
    board: Arc<Board>,
}

impl Shown {
    fn of(state: &State) -> Self {
        let place = (state.phase(), state.round());
        Self { place, released: state.released().count(), board: Arc::clone(state.board()) }
    }

    fn is(&self, other: &Self) -> bool {
        (self.place, self.released) == (other.place, other.released) && Arc::ptr_eq(&self.board, &other.board)
    }
}

impl Pacing {
    pub fn lobby_changed(&mut self) {
        self.lobby_dirty = true;
    }

    pub fn count_changed(&mut self, question: QuestionId) {
        self.dirty_counts.insert(question);
    }

    /// `answer_accepted`, encoded once per question.
    pub fn acknowledgement(&mut self, question: QuestionId) -> Bytes {
        self.acknowledgements.entry(question).or_insert_with(|| wire::answer_accepted(question)).clone()
    }

    /// The sync messages that are the same for all, encoded once for those who connect while they stay true.
    pub fn sync_shared(&mut self, state: &State, seq: u64) -> &[Frames] {
        if state.phase() == Phase::Lobby {
            return self.lobby_update(state, seq);
        }
        let shown = Shown::of(state);
        let kept = self.sync.take().filter(|(of, _)| of.is(&shown));
        let (_, frames) = self.sync.insert(kept.unwrap_or_else(|| (shown, wire::sync_shared(state))));
        frames
    }

    /// After the first state, which every socket has been sent.
    pub fn forget(&mut self, state: &State) {
        self.lobby_dirty = false;
        self.dirty_counts.clear();
        self.room.mark_all_sent(state);
    }

    /// After a gap: what was pending still is, save the counts of a round that is over.
    pub fn carry_over(&mut self, before: &State, after: &State) {
        self.lobby_dirty |= wire::lobby_changed(before, after);
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
        let lobby = self.lobby_dirty.then_some(self.lobby_due);
        let counts = self.dirty_counts.iter().map(|question| self.count_due.get(question).copied().unwrap_or_default());
        counts.chain(lobby).chain(self.room.next_deadline()).chain(self.desk.next_deadline(&self.dirty_counts)).min()
    }

    fn lobby_update(&mut self, state: &State, seq: u64) -> &[Frames; 1] {
        let kept = self.lobby.take().filter(|(of, _)| *of == seq);
        let (_, frames) = self.lobby.insert(kept.unwrap_or_else(|| (seq, [wire::lobby_update(state)])));
        frames
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
        if pacing.lobby_dirty && (all || pacing.lobby_due <= now) {
            pacing.lobby_dirty = false;
            let [list] = pacing.lobby_update(state, replica.next).clone();
            let bytes = list.of(Dialect::Interface).map_or(0, Bytes::len);
            pacing.lobby_due = now + lobby_interval(state.present_count(), bytes, self.sessions.len());
            effects.push(EdgeEffect::Broadcast(list, FrameKind::Replace(wire::LOBBY_KEY)));
        }
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

fn lobby_interval(players: usize, bytes: usize, sockets: usize) -> Duration {
    if players <= EVERY_JOIN {
        return Duration::ZERO;
    }
    let times = u32::try_from(1 + players / HUGE).unwrap_or(u32::MAX);
    let by_size = if players > wire::WHOLE_LOBBY { HUGE_LOBBY * times } else { BIG_LOBBY };
    let micros = (bytes as u64 * sockets as u64).saturating_mul(1_000_000) / LOBBY_BUDGET;
    by_size.max(Duration::from_micros(micros))
}
