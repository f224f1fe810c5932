//! Whether the replica is up to date as far as this node can know, and reading the state from the log when it may not be.
//!
//! An owner gives a sign of life at least twice in the silence that [`Liveness`](crate::Liveness) sets. When it does not (dead,
//! cut off, or this node slept), no new socket is shown the replica before the log was read: a client that comes from another
//! node must not be shown an older moment of the game. A frame that was under way for that long is no sign of life, and a
//! reading that this node has slept through is repeated. While the silence lasts the log is read every few seconds, so that
//! sockets here see what happens although their commands have to wait.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_rules::{Change, Event, State};

use super::commands::Retransmit;
use super::sessions::Session;
use super::{Edge, EdgeEffect, Replica};
use crate::frames::FromOwner;
use crate::ids::{ConnectionId, Time};
use crate::liveness::LateAnswers;

/// How long a new edge waits for the owner's answer before it reads by itself.
const FIRST_FRAME: Duration = Duration::from_millis(300);
/// Up to so many events are followed one by one, as if the owner had sent them; more are shown as the state they lead to.
const FOLLOWED: usize = 64;
/// Between two readings while the silence lasts.
const READ_AGAIN: Duration = Duration::from_secs(2);

/// The state as the log has it.
#[derive(Debug, Clone)]
pub struct StoredState {
    /// How many events it contains.
    pub seq: u64,
    /// The state.
    pub state: State,
}

/// How old a frame of the owner is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recency {
    /// It says how things are now.
    Recent,
    /// It says how they were.
    Late,
}

#[derive(Debug)]
pub(super) struct Freshness {
    /// How long the replica counts as up to date after a word of the owner.
    silence: Duration,
    silent_at: Time,
    /// Whether the sockets here were named again since.
    reannounced: bool,
    next_read: Time,
    reading: bool,
    /// A late reading is done again before a new socket is shown anything of it.
    late_readings: LateAnswers,
    /// How old the frame is that is being applied.
    recency: Recency,
    /// An answer of the owner was dropped, because it spoke of events that are not here.
    answer_dropped: bool,
    /// Readings begun so far.
    readings: u64,
    /// Sockets that came during a silence and have been shown nothing, with the reading that is recent enough for them:
    /// one that was under way when they came may be older than what they saw elsewhere.
    unshown: BTreeMap<ConnectionId, u64>,
}

impl Freshness {
    pub fn new(now: Time, silence: Duration) -> Self {
        Self {
            silence,
            silent_at: now + FIRST_FRAME,
            reannounced: false,
            next_read: now,
            reading: false,
            late_readings: LateAnswers::new(now),
            recency: Recency::Recent,
            answer_dropped: false,
            readings: 0,
            unshown: BTreeMap::new(),
        }
    }

    pub fn note_frame(&mut self, now: Time) {
        self.silent_at = now + self.silence;
        self.reannounced = false;
    }

    /// Whether the frame that is being applied says how things are now.
    pub fn counts(&self) -> bool {
        self.recency == Recency::Recent
    }

    pub fn is_silent(&self, now: Time) -> bool {
        self.silent_at <= now
    }

    pub fn is_unshown(&self, connection: ConnectionId) -> bool {
        self.unshown.contains_key(&connection)
    }

    /// Whether a socket is to be shown nothing of the reading that has just ended.
    pub fn is_too_new(&self, connection: ConnectionId) -> bool {
        self.unshown.get(&connection).is_some_and(|needed| *needed > self.readings)
    }

    /// Those who can be shown the state are about to be.
    pub fn forget_ready(&mut self) {
        let readings = self.readings;
        self.unshown.retain(|_, needed| *needed > readings);
    }

    pub fn answer_dropped(&mut self) {
        self.answer_dropped = true;
    }

    pub fn may_read(&self, now: Time) -> bool {
        !self.reading && self.next_read <= now
    }

    /// When the log is to be read for want of the owner's word.
    pub fn next_deadline(&self) -> Option<Time> {
        (!self.reading).then(|| self.silent_at.max(self.next_read))
    }
}

impl Edge {
    /// Whether a socket has been shown nothing yet, because the log is being read first.
    pub fn waits_for_log(&self, connection: ConnectionId) -> bool {
        self.freshness.is_unshown(connection)
    }

    /// Asks for the log to be read, once at a time.
    pub(super) fn read_state(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if !self.freshness.reading {
            self.freshness.reading = true;
            self.freshness.late_readings.ask(now);
            self.freshness.readings += 1;
            self.freshness.next_read = now + READ_AGAIN;
            effects.push(EdgeEffect::ReadState);
        }
    }

    /// The log holds this many events, the owner says.
    pub(super) fn catch_up_to(&mut self, now: Time, seq: u64, effects: &mut Vec<EdgeEffect>) {
        self.state_came();
        if self.seq() >= seq {
            self.is_up_to_date(now, effects);
        } else {
            self.read_state(now, effects);
        }
    }

    /// Shows a new socket the state, or has it wait for the log when the replica may be old.
    pub(super) fn welcome(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        // What is being read is more than what is here, as a rule.
        if self.freshness.is_silent(now) || self.is_unanswered() || self.freshness.reading {
            let next = self.freshness.readings + 1;
            self.freshness.unshown.insert(connection, next);
            self.read_state(now, effects);
        } else {
            self.send_sync(now, connection, effects);
        }
    }

    /// A frame of the owner that is too old to say that the replica is recent.
    pub(super) fn receive_late(&mut self, now: Time, frame: FromOwner, effects: &mut Vec<EdgeEffect>) {
        self.freshness.recency = Recency::Late;
        self.receive(now, frame, effects);
        self.freshness.recency = Recency::Recent;
    }

    /// The owner says that the replica has everything: who has waited for that is shown it, unless it said so long ago.
    pub(super) fn is_up_to_date(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.freshness.counts() {
            self.show_all(now, effects);
        }
    }

    /// The replica is known to be up to date: who has waited for that is shown it.
    fn show_all(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        for connection in std::mem::take(&mut self.freshness.unshown).into_keys() {
            self.send_sync(now, connection, effects);
        }
    }

    /// The log was read, and the replica has what it says. After a `late` reading it is read again first.
    fn show_ready(&mut self, now: Time, late: bool, effects: &mut Vec<EdgeEffect>) {
        if late && !self.freshness.unshown.is_empty() {
            return self.read_state(now, effects);
        }
        let ready = |connection: &ConnectionId| !self.freshness.is_too_new(*connection);
        let ready: Vec<_> = self.freshness.unshown.keys().copied().filter(ready).collect();
        self.freshness.forget_ready();
        for connection in ready {
            self.send_sync(now, connection, effects);
        }
        if !self.freshness.unshown.is_empty() {
            self.read_state(now, effects);
        }
    }

    /// The log was read, or could not be.
    pub(super) fn state_read(&mut self, now: Time, read: Option<Box<StoredState>>, effects: &mut Vec<EdgeEffect>) {
        self.freshness.reading = false;
        match read {
            Some(stored) => {
                let late = self.freshness.late_readings.is_late(now);
                if late && self.replica.is_none() {
                    // Every socket here is new.
                    return self.read_state(now, effects);
                }
                let StoredState { seq, mut state } = *stored;
                state.restart_timers(now.into());
                if state.epoch() > self.epoch {
                    self.new_owner(now, state.epoch(), effects);
                }
                self.install(now, seq, state, effects);
                self.show_ready(now, late, effects);
                self.ask_again(now, effects);
            }
            // What was committed earlier is better than nothing.
            None if self.replica.is_some() => self.show_all(now, effects),
            None => self.freshness.next_read = now + super::RETRANSMIT_AFTER,
        }
    }

    /// The log was read from the replica's end on; events may have come from the owner meanwhile.
    pub(super) fn tail_read(&mut self, now: Time, first: u64, events: &[Event], effects: &mut Vec<EdgeEffect>) {
        let Some(Replica { state, next }) = &self.replica else { return self.state_read(now, None, effects) };
        let Some(known) = next.checked_sub(first) else { return self.state_read(now, None, effects) };
        let new = events.get(usize::try_from(known).unwrap_or(usize::MAX)..).unwrap_or_default();
        if new.len() <= FOLLOWED && !leaves_a_board(new) {
            self.freshness.reading = false;
            let mut sent = Vec::new();
            for event in new {
                self.note_claim(now, event, &mut sent);
                self.apply_event(now, event, &mut sent);
            }
            self.flush_paced(now, &mut sent);
            self.send_to_shown(sent, effects);
            let late = self.freshness.late_readings.is_late(now);
            self.show_ready(now, late, effects);
            return self.ask_again(now, effects);
        }
        let (mut state, seq) = (state.clone(), next + new.len() as u64);
        for event in new {
            state.apply(event);
        }
        self.state_read(now, Some(Box::new(StoredState { seq, state })), effects);
    }

    /// Of the effects from here on: what goes to all sockets does not go to those that have been shown nothing yet.
    pub(super) fn keep_from_unshown(&self, from: usize, effects: &mut Vec<EdgeEffect>) {
        if !self.freshness.unshown.is_empty() {
            let sent = effects.split_off(from);
            self.send_to_shown(sent, effects);
        }
    }

    /// Sends to all sockets but those that have been shown nothing yet: they will be shown the state that results.
    fn send_to_shown(&self, sent: Vec<EdgeEffect>, effects: &mut Vec<EdgeEffect>) {
        if self.freshness.unshown.is_empty() {
            return effects.extend(sent);
        }
        let shown = |connection: ConnectionId| !self.freshness.is_unshown(connection);
        for effect in sent {
            match effect {
                EdgeEffect::Send(connection, ..) if !shown(connection) => {}
                EdgeEffect::Broadcast(message, kind) => {
                    let all = self.sessions.iter().filter(|(connection, _)| shown(*connection));
                    let to_one = |(connection, session): (ConnectionId, &Session)| {
                        message.of(session.recipient()).map(|frame| EdgeEffect::Send(connection, frame.clone(), kind))
                    };
                    effects.extend(all.filter_map(to_one));
                }
                EdgeEffect::SendScores(part, mut players) => {
                    players.retain(|(connection, _)| shown(*connection));
                    effects.push(EdgeEffect::SendScores(part, players));
                }
                effect => effects.push(effect),
            }
        }
    }

    /// What came too early to be present is asked for again, now that the replica has caught up.
    fn ask_again(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if std::mem::take(&mut self.freshness.answer_dropped) {
            self.retransmit(now, Retransmit::All, effects);
        }
    }

    /// A claim in the log is as good as a frame of the new owner.
    fn note_claim(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        if let Change::Claimed { epoch, .. } = event.change
            && epoch > self.epoch
        {
            self.new_owner(now, epoch, effects);
        }
    }

    /// Reads the log when the owner has been silent for long, or does not answer, and a socket is here.
    pub(super) fn read_in_silence(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let silent = self.freshness.next_deadline().is_some_and(|deadline| deadline <= now);
        let unanswered = self.is_unanswered() && self.freshness.may_read(now);
        if self.needs_owner() && (silent || unanswered) {
            self.read_state(now, effects);
        }
        // Perhaps it speaks, and not to this edge, of which it knows nothing any more.
        if silent && self.epoch > 0 && self.socket_count() > 0 && !self.freshness.reannounced {
            self.freshness.reannounced = true;
            self.new_owner(now, self.epoch, effects);
        }
    }

    pub(super) fn needs_owner(&self) -> bool {
        self.replica.is_none() || self.socket_count() > 0
    }
}

/// Whether a board comes and goes in these events: what each player is sent of it is made of the state they lead to.
fn leaves_a_board(new: &[Event]) -> bool {
    let mut after = new.iter().skip_while(|event| !matches!(event.change, Change::ScoresReleased { .. }));
    after.any(|event| matches!(event.change, Change::NextRoundStarted | Change::Ended))
}
