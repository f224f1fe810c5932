//! Tracks whether the replica is up to date, as far as this node can know, and reads the state from the log when it may not be.
//!
//! A client that comes from another node must not be shown an older moment of the game than it saw there. The replica is sure to
//! contain that moment only while the owner is on this node and waits for no append: another node may read a row of the log before
//! the owner knows that it was stored. When the owner is on another node, a client there may have been shown an event whose frame to
//! this node was lost. In both cases each new socket waits until the log has been read. The edge believes
//! an owner that was replaced until that owner knows it.
//!
//! An owner gives a sign of life at least twice in the silence that [`Liveness`](crate::Liveness) sets. Without one (the owner is
//! dead or cut off, or this node slept), no new socket is shown the replica before the log has been read, wherever the owner was.
//! A frame that was in transit for that long is not a sign of life, and a reading during which this node slept is repeated.
//! During the silence the log is read every few seconds, so that sockets here see the progress of the game although their
//! commands have to wait.
//!
//! A socket whose participant is not in the replica (a player who joined through another node a moment ago) also waits, until the
//! replica has the participant. The commands of a waiting socket are kept until it has been shown the state, because a socket
//! that has been shown nothing receives no replies.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_rules::{Change, Event, State};

use super::commands::Retransmit;
use super::sessions::Session;
use super::{Edge, EdgeEffect, Replica, is_known};
use crate::frames::FromOwner;
use crate::ids::{ConnectionId, Time};
use crate::liveness::LateAnswers;
use crate::log::{Head, weight_of};
use crate::snapshot::Ahead;

/// How long a new edge waits for the owner's answer before it reads the log itself.
const FIRST_FRAME: Duration = Duration::from_millis(300);
/// The most events, or one for every few sockets, that are followed one by one, as if the owner had sent them. More events are
/// shown only as their resulting state. A state is compared and rendered for each socket: when 100,000 players reconnected to six
/// nodes, each reading found hundreds of events.
const FOLLOWED: usize = 64;
const SOCKETS_PER_FOLLOWED: usize = 4;
/// After so long a new socket does not wait only for the log: the owner's word that the replica is up to date shows it as well. The
/// owner may be reachable while the database is not.
const SLOW_READING: Duration = Duration::from_millis(500);
/// The time between two readings during a silence.
const READ_AGAIN: Duration = Duration::from_secs(2);

/// The state according to the log.
#[derive(Debug, Clone)]
pub struct StoredState {
    /// How many events it contains.
    pub seq: u64,
    /// The last row of the log whose events it contains; none when that is not known.
    pub head: Option<Head>,
    /// How far the log was ahead of its latest snapshot then.
    pub ahead: Ahead,
    /// The state.
    pub state: State,
}

/// An owner on the node of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerHere {
    /// Its epoch.
    pub epoch: u64,
    /// How many events the log may hold, those of an append in flight included. Zero when no other node reads the log.
    pub log_end: u64,
}

/// The rest of the log ([`EdgeInput::TailRead`](super::EdgeInput::TailRead)).
pub(super) struct Tail<'a> {
    pub first: u64,
    pub rows: &'a [Head],
    pub events: &'a [Event],
}

/// The age of a frame of the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recency {
    /// It describes the present.
    Recent,
    /// It describes the past.
    Late,
}

/// The condition for which a socket waits that has been shown nothing.
#[derive(Debug, Clone, Copy)]
struct Wait {
    /// The reading that is recent enough for it. One that was in progress when the socket connected may be older than the state
    /// that its client saw elsewhere.
    reading: u64,
    since: Time,
}

#[derive(Debug)]
pub(super) struct Freshness {
    /// The owner, if that is on this node.
    owner_here: Option<OwnerHere>,
    /// How long the replica counts as up to date after a sign of life of the owner.
    silence: Duration,
    silent_at: Time,
    /// Whether the sockets here have been announced again since.
    reannounced: bool,
    next_read: Time,
    reading: bool,
    /// Detects late readings, which are repeated before a new socket is shown any of their content.
    late_readings: LateAnswers,
    /// The age of the frame that is being applied.
    recency: Recency,
    /// Whether an answer of the owner was dropped because it required events that are not here.
    answer_dropped: bool,
    /// The number of readings begun so far.
    readings: u64,
    /// Sockets that have been shown nothing.
    unshown: BTreeMap<ConnectionId, Wait>,
    /// The sockets among these that were closed during this step.
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

    /// Whether the frame that is being applied describes the present.
    pub fn counts(&self) -> bool {
        self.recency == Recency::Recent
    }

    pub fn is_silent(&self, now: Time) -> bool {
        self.silent_at <= now
    }

    pub fn is_unshown(&self, connection: ConnectionId) -> bool {
        self.unshown.contains_key(&connection)
    }

    /// Whether a socket is too new for the reading that has just ended.
    pub fn is_too_new(&self, connection: ConnectionId) -> bool {
        self.unshown.get(&connection).is_some_and(|wait| wait.reading > self.readings)
    }

    /// Lets a socket wait until the replica has its participant.
    pub fn note_unknown(&mut self, now: Time, connection: ConnectionId) {
        self.unshown.entry(connection).or_insert(Wait { reading: self.readings, since: now });
    }

    /// Ends the wait of a socket, which is shown the state now.
    pub fn end_wait(&mut self, connection: ConnectionId) {
        self.unshown.remove(&connection);
    }

    /// Notes a closed socket. Until the end of the step it counts as one that has been shown nothing, so it receives none of the
    /// step's messages.
    pub fn note_gone(&mut self, connection: ConnectionId) {
        if self.is_unshown(connection) {
            self.gone.push(connection);
        }
    }

    /// Removes the closed sockets at the end of a step.
    pub fn forget_gone(&mut self) {
        for connection in self.gone.drain(..) {
            self.unshown.remove(&connection);
        }
    }

    /// Notes a socket that connected to an edge without a replica. Such an edge shows every socket the first state that it
    /// receives.
    pub fn note_newcomer(&mut self, now: Time, connection: ConnectionId) {
        if self.reading {
            self.unshown.insert(connection, self.wait(now));
        }
    }

    /// The wait of a new socket: for the next reading.
    fn wait(&self, now: Time) -> Wait {
        Wait { reading: self.readings + 1, since: now }
    }

    pub fn answer_dropped(&mut self) {
        self.answer_dropped = true;
    }

    pub fn may_read(&self, now: Time) -> bool {
        !self.reading && self.next_read <= now
    }

    /// The time at which the log is read because the owner was silent or a participant is missing.
    pub fn next_deadline(&self) -> Option<Time> {
        let due = if self.unshown.is_empty() { self.silent_at.max(self.next_read) } else { self.next_read };
        (!self.reading).then_some(due)
    }
}

impl Edge {
    /// The owner, if that is on this node. The caller keeps this true whenever a socket is attached.
    pub fn set_owner_here(&mut self, owner: Option<OwnerHere>) {
        self.freshness.owner_here = owner;
    }

    /// Whether this replica has every event that a client on any node was shown: it contains the claim of the owner on this node and
    /// every event that this owner may have stored.
    fn has_all(&self) -> bool {
        let epoch = self.state().map(State::epoch);
        self.freshness.owner_here.is_some_and(|owner| epoch == Some(owner.epoch) && owner.log_end <= self.seq())
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

    /// The owner reports that the log holds this many events.
    pub(super) fn catch_up_to(&mut self, now: Time, seq: u64, effects: &mut Vec<EdgeEffect>) {
        self.state_came();
        if self.seq() >= seq {
            self.is_up_to_date(now, effects);
        } else {
            self.read_state(now, effects);
        }
    }

    /// Shows a new socket the state, or lets it wait for the log when the replica may be old. One reading serves all sockets that
    /// connect during the reading before it.
    pub(super) fn welcome(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        // The reading usually contains more than the replica.
        if !self.has_all() || self.freshness.is_silent(now) || self.is_unanswered() || self.freshness.reading {
            self.wait_for_log(now, connection, effects);
        } else {
            self.send_sync(now, connection, effects);
        }
    }

    /// Lets a socket wait for the next reading.
    pub(super) fn wait_for_log(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        self.freshness.unshown.insert(connection, self.freshness.wait(now));
        self.read_state(now, effects);
    }

    /// Receives a frame of the owner that is too old to show that the replica is recent.
    pub(super) fn receive_late(&mut self, now: Time, frame: FromOwner, effects: &mut Vec<EdgeEffect>) {
        self.freshness.recency = Recency::Late;
        self.receive(now, frame, effects);
        self.freshness.recency = Recency::Recent;
    }

    /// The owner reports that the replica has everything. Sockets that waited for this are shown the replica, unless the report
    /// is old. A report from an owner on another node may be older than the state that a socket saw there, so it is used only
    /// when reading the log is slow.
    pub(super) fn is_up_to_date(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if !self.freshness.counts() || self.freshness.unshown.is_empty() {
            return;
        }
        let has_all = self.has_all();
        self.show_waiting(now, |wait| has_all || wait.since + SLOW_READING <= now, effects);
    }

    /// Shows the state to sockets whose wait is over, unless it lacks their participant.
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

    /// The log was read, and the replica contains its events. After a `late` reading the log is first read again.
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
                let StoredState { seq, head, ahead, mut state } = *stored;
                state.restart_timers(now.into());
                if state.epoch() > self.epoch {
                    self.new_owner(now, state.epoch(), effects);
                }
                self.install(now, Replica { state, next: seq, head, ahead }, effects);
                self.show_ready(now, late, effects);
                self.ask_again(now, effects);
            }
            // An earlier state is better than nothing.
            None if self.replica.is_some() => self.show_waiting(now, |_| true, effects),
            None => self.freshness.next_read = now + super::RETRANSMIT_AFTER,
        }
    }

    /// The log was read from the end of the replica; the owner may have sent events in the meantime.
    pub(super) fn tail_read(&mut self, now: Time, read: &Tail, effects: &mut Vec<EdgeEffect>) {
        let Tail { first, rows, events } = *read;
        let Some(Replica { state, next, head, ahead }) = &self.replica else {
            return self.state_read(now, None, effects);
        };
        let Some(known) = next.checked_sub(first) else { return self.state_read(now, None, effects) };
        let new = events.get(usize::try_from(known).unwrap_or(usize::MAX)..).unwrap_or_default();
        // The owner may have sent some of these rows meanwhile.
        let follows = known == 0 || head.is_some_and(|head| rows.contains(&head));
        let last = if new.is_empty() { *head } else { rows.last().copied().filter(|_| follows) };
        let most = FOLLOWED.max(self.sessions.len() / SOCKETS_PER_FOLLOWED);
        if new.len() <= most && !leaves_a_board(new) {
            self.freshness.reading = false;
            let mut sent = Vec::new();
            for event in new {
                self.note_claim(now, event, &mut sent);
                self.apply_event(now, event, &mut sent);
            }
            self.note_head(last);
            self.flush_paced(now, &mut sent);
            self.send_to_shown(sent, effects);
            let late = self.freshness.late_readings.is_late(now);
            self.show_ready(now, late, effects);
            return self.ask_again(now, effects);
        }
        let mut state = state.clone();
        let (seq, ahead) = (next + new.len() as u64, Ahead { events: ahead.events + weight_of(new), ..*ahead });
        for event in new {
            state.apply(event);
        }
        self.state_read(now, Some(Box::new(StoredState { seq, head: last, ahead, state })), effects);
    }

    /// Restricts the effects from here on: messages to all sockets do not go to those that have been shown nothing yet.
    pub(super) fn keep_from_unshown(&self, from: usize, effects: &mut Vec<EdgeEffect>) {
        if !self.freshness.unshown.is_empty() {
            let sent = effects.split_off(from);
            self.send_to_shown(sent, effects);
        }
    }

    /// Sends to all sockets except those that have been shown nothing yet: they will be shown the resulting state.
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

    /// Retransmits requests whose answer was dropped, now that the replica has caught up.
    fn ask_again(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if std::mem::take(&mut self.freshness.answer_dropped) {
            self.retransmit(now, Retransmit::All, effects);
        }
    }

    /// Treats a claim in the log like a frame of the new owner.
    fn note_claim(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        if let Change::Claimed { epoch, .. } = event.change
            && epoch > self.epoch
        {
            self.new_owner(now, epoch, effects);
        }
    }

    /// Reads the log when a socket is here and the owner has been silent for long, does not answer, or does not report a
    /// participant.
    pub(super) fn read_in_silence(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let due = self.freshness.next_deadline().is_some_and(|deadline| deadline <= now);
        let silent = due && self.freshness.is_silent(now);
        let unanswered = self.is_unanswered() && self.freshness.may_read(now);
        if self.needs_owner() && (due || unanswered) {
            self.read_state(now, effects);
        }
        // The owner may be sending frames, but not to this edge, because it no longer knows it.
        if silent && self.epoch > 0 && self.socket_count() > 0 && !self.freshness.reannounced {
            self.freshness.reannounced = true;
            self.new_owner(now, self.epoch, effects);
        }
    }

    pub(super) fn needs_owner(&self) -> bool {
        self.replica.is_none() || self.socket_count() > 0
    }
}

/// Whether a board appears and disappears within these events: the board of each player is rendered from the resulting state.
fn leaves_a_board(new: &[Event]) -> bool {
    let mut after = new.iter().skip_while(|event| !matches!(event.change, Change::ScoresReleased { .. }));
    after.any(|event| matches!(event.change, Change::NextRoundStarted | Change::Ended))
}
