//! Whether the replica is up to date as far as this node can know, and reading the state from the log when it may not be.
//!
//! A client that comes from another node must not be shown an older moment of the game than it saw there. The replica is sure
//! to contain that moment only while the owner is on this node. When the owner is on another node, the frame with an event may
//! have been lost after a client of that node was shown the event, so each new socket waits until the log was read.
//!
//! An owner gives a sign of life at least twice in the silence that [`Liveness`](crate::Liveness) sets. When it does not (dead,
//! cut off, or this node slept), no new socket is shown the replica before the log was read, wherever the owner was. A frame that
//! was under way for that long is no sign of life, and a reading that this node has slept through is repeated. While the silence
//! lasts the log is read every few seconds, so that sockets here see what happens although their commands have to wait.
//!
//! A socket whose participant the replica does not have (who joined over another node a moment ago) waits as well, until the
//! replica has the participant. The commands of a socket that waits are kept until it was shown the state: their replies are not
//! sent to a socket that has been shown nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_rules::{Change, Event, State};

use super::commands::Retransmit;
use super::sessions::Session;
use super::{Edge, EdgeEffect, Replica, is_known};
use crate::frames::FromOwner;
use crate::ids::{ConnectionId, Time};
use crate::liveness::LateAnswers;

/// How long a new edge waits for the owner's answer before it reads by itself.
const FIRST_FRAME: Duration = Duration::from_millis(300);
/// Up to so many events, or one for every few sockets, are followed one by one, as if the owner had sent them; more are shown as the
/// state they lead to. A state is compared and rendered for each socket: when 100,000 players came back to six nodes, each
/// reading found hundreds of events.
const FOLLOWED: usize = 64;
const SOCKETS_PER_FOLLOWED: usize = 4;
/// After so long a new socket does not wait for the log alone: the owner's word that the replica is up to date shows it as well. The
/// owner may be reachable while the database is not.
const SLOW_READING: Duration = Duration::from_millis(500);
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

/// What a socket waits for that has been shown nothing.
#[derive(Debug, Clone, Copy)]
struct Wait {
    /// The reading that is recent enough for it: one that was under way when it came may be older than what it saw elsewhere.
    reading: u64,
    since: Time,
}

#[derive(Debug)]
pub(super) struct Freshness {
    /// The epoch of the owner, if that is on this node.
    owner_here: Option<u64>,
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
    /// Sockets that have been shown nothing.
    unshown: BTreeMap<ConnectionId, Wait>,
    /// Those of them that have gone during this step.
    gone: Vec<ConnectionId>,
}

impl Freshness {
    pub fn new(now: Time, silence: Duration) -> Self {
        Self {
            owner_here: None,
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
            gone: Vec::new(),
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
        self.unshown.get(&connection).is_some_and(|wait| wait.reading > self.readings)
    }

    /// A socket is shown nothing before the replica has its participant.
    pub fn note_unknown(&mut self, now: Time, connection: ConnectionId) {
        self.unshown.entry(connection).or_insert(Wait { reading: self.readings, since: now });
    }

    /// A socket is shown the state now.
    pub fn end_wait(&mut self, connection: ConnectionId) {
        self.unshown.remove(&connection);
    }

    /// A socket went. It counts as one that has been shown nothing until the end of the step, whose messages it is not sent.
    pub fn note_gone(&mut self, connection: ConnectionId) {
        if self.is_unshown(connection) {
            self.gone.push(connection);
        }
    }

    /// At the end of a step.
    pub fn forget_gone(&mut self) {
        for connection in self.gone.drain(..) {
            self.unshown.remove(&connection);
        }
    }

    /// A socket came to an edge without a replica, which shows every socket the first state it receives.
    pub fn note_newcomer(&mut self, now: Time, connection: ConnectionId) {
        if self.reading {
            self.unshown.insert(connection, self.wait(now));
        }
    }

    /// A new socket waits for the next reading.
    fn wait(&self, now: Time) -> Wait {
        Wait { reading: self.readings + 1, since: now }
    }

    pub fn answer_dropped(&mut self) {
        self.answer_dropped = true;
    }

    pub fn may_read(&self, now: Time) -> bool {
        !self.reading && self.next_read <= now
    }

    /// When the log is to be read for want of the owner's word, or of a participant.
    pub fn next_deadline(&self) -> Option<Time> {
        let due = if self.unshown.is_empty() { self.silent_at.max(self.next_read) } else { self.next_read };
        (!self.reading).then_some(due)
    }
}

impl Edge {
    /// The epoch of the owner, if that is on this node. The caller keeps this true whenever a socket is attached.
    pub fn set_owner_here(&mut self, epoch: Option<u64>) {
        self.freshness.owner_here = epoch;
    }

    /// Whether no event can be missing here that a client on any node was shown: the replica contains the claim of the owner on
    /// this node, and all that followed came from that owner, in order and before it left for other nodes.
    fn has_all(&self) -> bool {
        let epoch = self.state().map(State::epoch);
        self.freshness.owner_here.is_some() && self.freshness.owner_here == epoch
    }

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

    /// Shows a new socket the state, or has it wait for the log when the replica may be old. One reading serves all sockets that
    /// come while the reading before it is under way.
    pub(super) fn welcome(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        // What is being read is more than what is here, as a rule.
        if !self.has_all() || self.freshness.is_silent(now) || self.is_unanswered() || self.freshness.reading {
            self.wait_for_log(now, connection, effects);
        } else {
            self.send_sync(now, connection, effects);
        }
    }

    /// A socket is shown nothing before the next reading.
    pub(super) fn wait_for_log(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        self.freshness.unshown.insert(connection, self.freshness.wait(now));
        self.read_state(now, effects);
    }

    /// A frame of the owner that is too old to say that the replica is recent.
    pub(super) fn receive_late(&mut self, now: Time, frame: FromOwner, effects: &mut Vec<EdgeEffect>) {
        self.freshness.recency = Recency::Late;
        self.receive(now, frame, effects);
        self.freshness.recency = Recency::Recent;
    }

    /// The owner says that the replica has everything: who has waited for that is shown it, unless it said so long ago. What an
    /// owner on another node says may be older than what the socket saw there; it is shown only when the log is slow to read.
    pub(super) fn is_up_to_date(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if !self.freshness.counts() || self.freshness.unshown.is_empty() {
            return;
        }
        let has_all = self.has_all();
        self.show_waiting(now, |wait| has_all || wait.since + SLOW_READING <= now, effects);
    }

    /// Shows the state to those whose wait is over, unless it does not have their participant.
    fn show_waiting(&mut self, now: Time, is_over: impl Fn(&Wait) -> bool, effects: &mut Vec<EdgeEffect>) {
        let is_shown = |(connection, wait): &(&ConnectionId, &Wait)| is_over(wait) && self.is_known_here(**connection);
        let shown: Vec<_> = self.freshness.unshown.iter().filter(is_shown).map(|(connection, _)| *connection).collect();
        for connection in shown {
            self.freshness.end_wait(connection);
            self.send_sync(now, connection, effects);
            self.pump(connection, effects);
        }
    }

    /// Whether the replica has the participant of this socket; a viewer is none.
    fn is_known_here(&self, connection: ConnectionId) -> bool {
        let known = |state| self.sessions.get(connection).is_some_and(|session| is_known(state, session.participant));
        self.state().is_some_and(|state| self.screens.contains(connection) || known(state))
    }

    /// The log was read, and the replica has what it says. After a `late` reading it is read again first.
    fn show_ready(&mut self, now: Time, late: bool, effects: &mut Vec<EdgeEffect>) {
        if late && !self.freshness.unshown.is_empty() {
            return self.read_state(now, effects);
        }
        let readings = self.freshness.readings;
        self.show_waiting(now, |wait| wait.reading <= readings, effects);
        if self.freshness.unshown.values().any(|wait| wait.reading > readings) {
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
            None if self.replica.is_some() => self.show_waiting(now, |_| true, effects),
            None => self.freshness.next_read = now + super::RETRANSMIT_AFTER,
        }
    }

    /// The log was read from the replica's end on; events may have come from the owner meanwhile.
    pub(super) fn tail_read(&mut self, now: Time, first: u64, events: &[Event], effects: &mut Vec<EdgeEffect>) {
        let Some(Replica { state, next }) = &self.replica else { return self.state_read(now, None, effects) };
        let Some(known) = next.checked_sub(first) else { return self.state_read(now, None, effects) };
        let new = events.get(usize::try_from(known).unwrap_or(usize::MAX)..).unwrap_or_default();
        let most = FOLLOWED.max(self.sessions.len() / SOCKETS_PER_FOLLOWED);
        if new.len() <= most && !leaves_a_board(new) {
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

    /// Reads the log when the owner has been silent for long, or does not answer, or does not speak of a participant, and a socket is
    /// here.
    pub(super) fn read_in_silence(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let due = self.freshness.next_deadline().is_some_and(|deadline| deadline <= now);
        let silent = due && self.freshness.is_silent(now);
        let unanswered = self.is_unanswered() && self.freshness.may_read(now);
        if self.needs_owner() && (due || unanswered) {
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
