//! The edge of a game on one node: the sockets attached here, their commands in transit, and a replica of the committed state.
//!
//! Everything a socket receives is rendered from the replica, which holds committed events only. One command per socket is in
//! flight at a time, so a refused command cancels those queued after it. Called by the server's game task and the simulation;
//! never decides a rule, reads no clock, writes no socket.

mod answered;
mod bundles;
mod closings;
mod commands;
mod confirming;
mod desk;
mod events;
mod freshness;
mod lobby;
mod marks;
mod pacing;
mod regrouping;
mod replication;
mod requests;
mod room;
mod screens;
mod sections;
mod sessions;
mod sockets;
mod standings;
mod teams;
mod timers;
mod waiting;
mod wording;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Actor, Command, Event, LOG_VERSION, PlayerId, Refusal, State};

use crate::frames::{FromOwner, ToOwner};
use crate::ids::{ConnectionId, Holder, Participant, RequestId, Time, Viewer};
use crate::liveness::Liveness;
use crate::log::Head;
use crate::snapshot::Ahead;
use crate::wire::{self, Boards, Close, CloseCode, Dialect, FrameKind, Frames, FromHost, FromPlayer, Scores};
pub use freshness::{OwnerHere, StoredState};

use answered::Answered;
use bundles::Bundling;
use commands::Retransmit;
use freshness::{Freshness, Tail};
use pacing::Pacing;
use requests::Requests;
use screens::Screens;
use sessions::{Session, Sessions};
use waiting::Waiting;

/// How an edge behaves; all durations are configurable.
#[derive(Debug, Clone, Copy)]
pub struct EdgeOptions {
    /// How long a command may wait for the store before its socket is closed with 4102.
    pub command_timeout: Duration,
    /// How long sockets stay open after `game_ended`.
    pub linger: Duration,
    /// How many players a game may hold.
    pub player_limit: u32,
    /// In games of at least this many players answers travel and are stored together; [`BUNDLE_FROM`] except in tests.
    pub bundle_from: usize,
    /// The most spectators of a game on this node.
    pub most_spectators: usize,
    /// The replica counts as up to date for this long without a sign of life of the owner.
    pub liveness: Liveness,
}

/// The least number of players of a game in which answers travel and are stored together: its host sees no list of them.
pub const BUNDLE_FROM: usize = wire::WHOLE_LOBBY + 1;

/// A message, decoded for the role of its socket.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// From the host.
    Host(FromHost),
    /// From a player.
    Player(FromPlayer),
}

/// An input of an edge.
#[derive(Debug)]
pub enum EdgeInput {
    /// An authenticated socket connected, with the dialect that its handshake negotiated.
    Attach(ConnectionId, Holder, Dialect),
    /// An authenticated socket of a screen or a spectator connected, from this address or the network that counts as one.
    AttachViewer(ConnectionId, Viewer, IpAddr),
    /// A socket's client sent a message.
    Message {
        /// The socket.
        connection: ConnectionId,
        /// The message.
        message: Message,
        /// How many frames of [`FrameKind::Closes`] had been written completely to that socket when the message arrived.
        closings_written: u32,
        /// The time from writing the frame of [`FrameKind::Asks`] with its question to that socket until the message arrived,
        /// milliseconds.
        elapsed: Option<u32>,
    },
    /// A socket closed, cleanly or not.
    Detached(ConnectionId, bool),
    /// A command that came over HTTP.
    Request(RequestId, Actor, Command),
    /// A frame of the owner.
    FromOwner(FromOwner),
    /// A frame of the owner that may have been queued for longer than a silence, for example because this node was suspended. Its
    /// content counts, but it does not show that the replica is up to date.
    FromOwnerLate(FromOwner),
    /// The owner moved to another node: the edge retransmits unacknowledged commands.
    OwnerMoved,
    /// The log may hold more than the replica: the edge reads it.
    Refresh,
    /// The log was read; `None` when it could not be.
    StateRead(Option<Box<StoredState>>),
    /// The log was read from the end of the replica.
    TailRead {
        /// The number of the first event.
        first: u64,
        /// The rows, when the first of them is known to follow [`Edge::head`]; otherwise none.
        rows: Vec<Head>,
        /// The events; none when there is nothing new.
        events: Vec<Event>,
    },
    /// Time has passed.
    Tick,
}

/// What the caller must do, in this order.
#[derive(Debug, PartialEq)]
pub enum EdgeEffect {
    /// Send a frame to the owner.
    ToOwner(ToOwner),
    /// Read the log. There is always exactly one answer: [`EdgeInput::TailRead`] when there is a replica and the log continues
    /// from its end, otherwise [`EdgeInput::StateRead`].
    ReadState,
    /// Write a frame to a socket.
    Send(ConnectionId, Bytes, FrameKind),
    /// Write a message to every attached socket that it is meant for.
    Broadcast(Frames, FrameKind),
    /// Write this part of each of these players' [`Edge::scores`]. They are not encoded ahead, because all of them together are
    /// large.
    SendScores(Scores, Vec<(ConnectionId, PlayerId)>),
    /// Close a socket and remove it.
    Close(ConnectionId, Close),
    /// The outcome of a request.
    Answer(RequestId, Result<(), RequestError>),
    /// An answer was acknowledged to the socket that sent it, so long after it had come to the edge. Only for measuring.
    Acknowledged(Duration),
    /// The game is closed for good; the edge has closed its sockets.
    GameClosed,
}

/// Why a request had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestError {
    /// The game refused it.
    Refused(Refusal),
    /// It could not be stored in time; it may take effect later.
    Unavailable,
    /// A node of an earlier version could not read what it stores.
    OlderNode,
}

/// The edge of one game on one node.
#[derive(Debug)]
pub struct Edge {
    options: EdgeOptions,
    /// The version of the log that every node reads.
    oldest_log: u32,
    replica: Option<Replica>,
    epoch: u64,
    sessions: Sessions,
    screens: Screens,
    answered: Answered,
    waiting: Waiting,
    requests: Requests,
    pacing: Pacing,
    freshness: Freshness,
    bundling: Bundling,
    boards: Option<Boards>,
    /// Closed sockets whose `Detach` the owner has not acknowledged.
    departing: BTreeMap<ConnectionId, (Participant, bool)>,
    hello_due: Option<Time>,
    /// How many `Hello` were sent since a state last arrived.
    hellos: u32,
    next_retransmission: Time,
    /// Whether the owner has answered commands since the last check.
    owner_answers: bool,
    over_at: Option<Time>,
    /// When the time left of the timers is sent again, if there are any.
    timers_due: Time,
}

/// The committed state, and how many events are in it.
#[derive(Debug)]
struct Replica {
    state: State,
    next: u64,
    /// The row of the log that ends with event `next - 1`; none when its id is not known.
    head: Option<Head>,
    /// How far the log is ahead of its latest snapshot that is known here: a snapshot of a present owner is not.
    ahead: Ahead,
}

/// The pause between two retransmissions, and between two checks of timeouts.
const RETRANSMIT_AFTER: Duration = Duration::from_millis(500);

impl Edge {
    /// An edge without a replica: its first effect asks for the state.
    pub fn new(now: Time, options: EdgeOptions) -> Self {
        Self {
            options,
            oldest_log: LOG_VERSION,
            replica: None,
            epoch: 0,
            sessions: Sessions::default(),
            screens: Screens::default(),
            answered: Answered::default(),
            waiting: Waiting::default(),
            requests: Requests::default(),
            pacing: Pacing::default(),
            freshness: Freshness::new(now, options.liveness.silence),
            bundling: Bundling::default(),
            boards: None,
            departing: BTreeMap::new(),
            hello_due: Some(now),
            hellos: 0,
            next_retransmission: now,
            owner_answers: false,
            over_at: None,
            timers_due: Time::ZERO,
        }
    }

    /// Sets the oldest version of the log in the list of nodes. A command that came later is not sent to an owner: that of a
    /// socket is ignored, and a request is answered with [`RequestError::OlderNode`].
    pub fn set_oldest_log(&mut self, version: u32) {
        self.oldest_log = version;
    }

    /// Takes one input. The effects must be carried out before the next input.
    pub fn step(&mut self, now: Time, input: EdgeInput, effects: &mut Vec<EdgeEffect>) {
        let before = effects.len();
        self.handle_input(now, input, effects);
        self.flush_bundles(now, effects);
        self.note_answered(now);
        self.note_waiting(now);
        self.flush_screens(now, effects);
        self.keep_from_unshown(before, effects);
        self.freshness.forget_gone();
        self.note_closings(&effects[before..]);
    }

    fn handle_input(&mut self, now: Time, input: EdgeInput, effects: &mut Vec<EdgeEffect>) {
        if self.next_retransmission <= now && !self.awaits_owner() {
            self.next_retransmission = now + RETRANSMIT_AFTER;
        }
        match input {
            EdgeInput::Attach(connection, holder, dialect) => {
                self.attach(now, connection, Session::new(holder, dialect), effects);
            }
            EdgeInput::AttachViewer(connection, viewer, address) => {
                self.attach_viewer(now, connection, (viewer, address), effects);
            }
            EdgeInput::Message { connection, message, closings_written, elapsed } => {
                let command = commands::command_of(&message, elapsed, self.options.player_limit);
                if command.as_ref().is_none_or(|command| self.is_admitted(command)) {
                    self.message(now, (connection, closings_written), command, effects);
                }
            }
            EdgeInput::Detached(connection, clean) => self.leave(connection, clean, effects),
            EdgeInput::Request(request, _, command) if !self.is_admitted(&command) => {
                effects.push(EdgeEffect::Answer(request, Err(RequestError::OlderNode)));
            }
            EdgeInput::Request(request, actor, command) => self.request(now, request, actor, command, effects),
            EdgeInput::FromOwner(frame) => self.receive(now, frame, effects),
            EdgeInput::FromOwnerLate(frame) => self.receive_late(now, frame, effects),
            EdgeInput::OwnerMoved => {
                self.hello_due = Some(now);
                self.retransmit(now, Retransmit::All, effects);
                self.tick(now, effects);
            }
            EdgeInput::Refresh => self.read_state(now, effects),
            EdgeInput::TailRead { first, rows, events } => {
                self.tail_read(now, &Tail { first, rows: &rows, events: &events }, effects);
            }
            EdgeInput::StateRead(read) => self.state_read(now, read, effects),
            EdgeInput::Tick => self.tick(now, effects),
        }
    }

    /// Whether every node that may come to own the game can carry the command out and read what it stores.
    fn is_admitted(&self, command: &Command) -> bool {
        command.row().is_known_to(self.oldest_log)
    }

    /// Stores which sockets can know from now on that something is closed.
    fn note_closings(&mut self, effects: &[EdgeEffect]) {
        for effect in effects {
            match effect {
                EdgeEffect::Send(connection, _, FrameKind::Closes(closing)) => {
                    if let Some(session) = self.sessions.get_mut(*connection) {
                        session.closings.note_sent(*closing);
                    }
                }
                EdgeEffect::Broadcast(message, FrameKind::Closes(closing)) => {
                    let receivers =
                        self.sessions.iter_mut().filter(|(_, session)| message.of(session.recipient()).is_some());
                    receivers.for_each(|(_, session)| session.closings.note_sent(*closing));
                }
                _ => {}
            }
        }
    }

    /// When [`EdgeInput::Tick`] is needed next; `None` when nothing waits.
    pub fn next_deadline(&self) -> Option<Time> {
        let repeat = self.awaits_owner().then_some(self.next_retransmission);
        let read = self.freshness.next_deadline().filter(|_| self.needs_owner());
        let paced = [self.pacing.next_deadline(), self.answered.due, self.waiting.due, self.bundling.due];
        let own = [self.next_of_timers(), self.next_of_screens(), self.over_at];
        [repeat, self.hello_due, read].into_iter().chain(paced).chain(own).flatten().min()
    }

    /// The committed state, once there is one.
    pub fn state(&self) -> Option<&State> {
        self.replica.as_ref().map(|replica| &replica.state)
    }

    /// How many events the committed state contains.
    pub fn seq(&self) -> u64 {
        self.replica.as_ref().map_or(0, |replica| replica.next)
    }

    /// How many sockets are attached.
    pub fn socket_count(&self) -> usize {
        self.sessions.len() + self.screens.len()
    }

    /// Commands of sockets and requests that wait for the owner.
    pub fn waiting(&self) -> usize {
        self.sessions.waiting_len() + self.requests.len()
    }

    /// The time since which the oldest unanswered command of a socket has waited.
    pub fn oldest_wait(&self) -> Option<Time> {
        self.sessions.iter().filter_map(|(_, session)| session.waiting_since()).min()
    }

    /// Closed sockets whose `Detach` the owner has not acknowledged.
    pub fn departing(&self) -> usize {
        self.departing.len()
    }

    /// A player's `round_scores`, `scoreboard_update`, or both, for one of their sockets; `None` when the board is no longer the
    /// current phase, or the socket is closed.
    pub fn scores(&self, connection: ConnectionId, player: PlayerId, part: Scores) -> Option<Bytes> {
        let state = self.state().filter(|state| state.phase() == quizhall_rules::Phase::Leaderboard)?;
        let dialect = self.sessions.get(connection)?.dialect;
        let part = if dialect == Dialect::QuizhallV1 { part.within_hold(state)? } else { part };
        Some(wire::scores_of(state, self.boards.as_ref()?, (player, dialect), part))
    }

    /// Whether anything waits for a reply of the owner.
    fn awaits_owner(&self) -> bool {
        self.sessions.waiting_len() > 0 || !self.requests.is_empty() || !self.departing.is_empty()
    }

    fn tick(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.ask_for_state_if(self.hello_due.is_some_and(|due| due <= now), now, effects);
        if now >= self.next_retransmission {
            self.retransmit(now, Retransmit::Old, effects);
        }
        self.read_in_silence(now, effects);
        self.flush_paced(now, effects);
        self.flush_timers(now, effects);
        self.flush_answered(now, effects);
        self.flush_waiting(now, effects);
        self.close_lingering_screens(now, effects);
        if self.over_at.is_some_and(|over| over <= now) {
            self.over_at = None;
            self.close_shown(CloseCode::GameOver.into(), effects);
            // Sockets that still wait for their sync messages get a full linger after them.
            if self.sessions.len() > 0 {
                self.note_phase(now);
            }
        }
    }

    /// Starts the linger of the attached sockets after `game_ended`.
    fn note_phase(&mut self, now: Time) {
        let ended = self.state().is_some_and(|state| state.phase() == quizhall_rules::Phase::Ended);
        if ended && self.over_at.is_none() {
            self.over_at = Some(now + self.options.linger);
        }
        if ended && self.screens.len() > 0 {
            self.note_over_for_screens(now);
        }
    }
}

/// Whether the state contains this participant: the host (always), a co-host who was added, or a player and device that joined.
fn is_known(state: &State, participant: Participant) -> bool {
    match participant.as_player() {
        None => participant.as_host().is_some_and(|device| state.co_hosts().role(device).is_some()),
        Some((player, device)) => {
            state.player(player).is_some_and(|player| player.is_device_connected(device).is_some())
        }
    }
}

/// The participant whose message caused an event. Every event that no player caused counts as the host's.
fn sender_of(event: &Event) -> Participant {
    let of_host = || Participant::host_over(event.host);
    event.change.sender().map_or_else(of_host, |(player, device)| Participant::player_over(player, device))
}
