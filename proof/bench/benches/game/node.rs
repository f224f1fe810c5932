//! An owner and an edge of one node in one thread: passes their effects to each other, to the log and to the
//! sockets, as the server's tasks do.
//!
//! Every append succeeds at once, no frame is lost, and time passes only when it is set: nothing depends on the machine.

use std::time::Duration;

use quizhall_engine::claim::{Claim, Row, Start};
use quizhall_engine::{
    Append, AppendOutcome, ConnectionId, Dialect, Edge, EdgeEffect, EdgeId, EdgeInput, EdgeOptions, FrameKind,
    FromOwner, Head, LOG_PER_SEAT, Liveness, Message, Owner, OwnerEffect, OwnerHere, OwnerInput, OwnerOptions,
    Participant, RequestId, SNAPSHOT_EVERY, Time, ToOwner,
};
use quizhall_protocol::{HostMessage, PlayerMessage, Role};
use quizhall_rules::{Actor, Command, Event, State};
use uuid::Uuid;

use super::sockets::Sockets;

const HOME: EdgeId = EdgeId(1);
/// The time between two events.
const PAUSE: Duration = Duration::from_millis(20);
/// The options of the edges that are measured.
pub const EDGE_OPTIONS: EdgeOptions = EdgeOptions {
    command_timeout: Duration::from_secs(10),
    linger: Duration::from_secs(300),
    player_limit: 5_000,
    most_spectators: 0,
    bundle_from: usize::MAX,
    liveness: Liveness::ALONE,
};

/// A row of the log as the store has it.
#[derive(Debug)]
pub struct StoredRow {
    pub head: Head,
    pub body: String,
}

impl StoredRow {
    /// The row in its stored form.
    pub fn new(head: Head, events: &[Event]) -> Self {
        Self { head, body: serde_json::to_string(events).expect("events have string keys and serialize") }
    }

    /// The row, read from its stored form.
    pub fn read(&self) -> Row {
        Row { head: self.head, events: serde_json::from_str(&self.body).expect("the row was written by a node") }
    }
}

/// A live game.
#[derive(Debug)]
pub struct Node {
    pub sockets: Sockets,
    pub log: Vec<StoredRow>,
    /// Requests answered with success.
    pub granted: usize,
    now: Time,
    owner: Owner,
    edge: Edge,
    to_owner: Vec<ToOwner>,
    to_edge: Vec<FromOwner>,
    owner_effects: Vec<OwnerEffect>,
    edge_effects: Vec<EdgeEffect>,
}

impl Node {
    /// Claims the game whose log is this one row.
    pub fn open(first: StoredRow) -> Self {
        let mut log = vec![first];
        let options = claim(&mut log);
        let mut edge = Edge::new(Time::ZERO, EDGE_OPTIONS);
        edge.set_owner_here(Some(OwnerHere { epoch: options.state.epoch(), log_end: 0 }));
        let owner = Owner::new(Time::ZERO, options);
        let mut node = Self {
            sockets: Sockets::default(),
            log,
            granted: 0,
            now: Time::ZERO,
            owner,
            edge,
            to_owner: Vec::new(),
            to_edge: Vec::new(),
            owner_effects: Vec::new(),
            edge_effects: Vec::new(),
        };
        node.owner.step(node.now, OwnerInput::Announce(Vec::new()), &mut node.owner_effects);
        node.edge.step(node.now, EdgeInput::Tick, &mut node.edge_effects);
        node.settle();
        node
    }

    /// The state from which the sockets are shown the game.
    pub fn state(&self) -> &State {
        self.edge.state().expect("a node that has settled has a replica")
    }

    /// Opens a socket.
    pub fn attach(&mut self, id: ConnectionId, participant: Participant, dialect: Dialect) {
        self.sockets.attach(id, participant, dialect);
        self.step_edge(EdgeInput::Attach(id, participant.into(), dialect));
    }

    /// Sends a command over HTTP.
    pub fn request(&mut self, number: u64, command: Command) {
        self.step_edge(EdgeInput::Request(RequestId(number), Actor::Service, command));
    }

    /// Sends a text from a socket's client.
    pub fn say(&mut self, connection: ConnectionId, text: &str) {
        let socket = self.sockets.get(connection);
        let message = decode(socket.role(), socket.dialect, text);
        self.step_edge(EdgeInput::Message { connection, message, closings_written: u32::MAX, elapsed: None });
    }

    /// Lets some time pass, so that everything under way arrives.
    pub fn settle(&mut self) {
        self.now += PAUSE;
        self.tick();
        while !(self.to_owner.is_empty() && self.to_edge.is_empty() && self.owner.is_idle()) {
            for frame in std::mem::take(&mut self.to_owner) {
                self.owner.step(self.now, OwnerInput::FromEdge(HOME, frame), &mut self.owner_effects);
            }
            self.owner.flush(&mut self.owner_effects);
            self.carry_out_for_owner();
            for frame in std::mem::take(&mut self.to_edge) {
                self.step_edge(EdgeInput::FromOwner(frame));
            }
        }
    }

    fn tick(&mut self) {
        if self.owner.next_deadline() <= self.now {
            self.owner.step(self.now, OwnerInput::Tick, &mut self.owner_effects);
        }
        self.carry_out_for_owner();
        if self.edge.next_deadline().is_some_and(|deadline| deadline <= self.now) {
            self.edge.step(self.now, EdgeInput::Tick, &mut self.edge_effects);
        }
        self.carry_out_for_edge();
    }

    fn step_edge(&mut self, input: EdgeInput) {
        self.edge.step(self.now, input, &mut self.edge_effects);
        self.carry_out_for_edge();
    }

    fn carry_out_for_owner(&mut self) {
        while !self.owner_effects.is_empty() {
            for effect in std::mem::take(&mut self.owner_effects) {
                let outcome = match effect {
                    OwnerEffect::Send(_, frame) => {
                        self.to_edge.push(frame);
                        continue;
                    }
                    OwnerEffect::Append(append) => {
                        store(&mut self.log, &append);
                        OwnerInput::Appended(AppendOutcome::Committed)
                    }
                    OwnerEffect::ReadHead { .. } => OwnerInput::HeadRead(self.log.last().map(|row| row.head)),
                    other => panic!("no other owner exists in this game, and yet: {other:?}"),
                };
                self.owner.step(self.now, outcome, &mut self.owner_effects);
            }
        }
    }

    fn carry_out_for_edge(&mut self) {
        let mut effects = std::mem::take(&mut self.edge_effects);
        for effect in effects.drain(..) {
            match effect {
                EdgeEffect::ToOwner(frame) => self.to_owner.push(frame),
                EdgeEffect::Send(id, frame, kind) => self.sockets.send(id, &frame, kind),
                EdgeEffect::Broadcast(message, kind) => self.sockets.broadcast(&message, kind),
                EdgeEffect::SendScores(part, players) => {
                    for (id, player) in players {
                        let scores = self.edge.scores(id, player, part).expect("the scores were released");
                        self.sockets.send(id, &scores, FrameKind::Queued);
                    }
                }
                EdgeEffect::Answer(_, Ok(())) => self.granted += 1,
                EdgeEffect::Acknowledged(_) => {}
                other => panic!("everything goes well in this game, and yet: {other:?}"),
            }
        }
        self.edge_effects = effects;
    }
}

/// A text as the server reads it.
pub fn decode(role: Role, dialect: Dialect, text: &str) -> Message {
    match role {
        Role::Host => match HostMessage::decode(text, dialect) {
            Ok(HostMessage::Game(message)) => Message::Host(message),
            other => panic!("not a message of a host: {other:?}"),
        },
        Role::Player => match PlayerMessage::decode(text, dialect) {
            Ok(PlayerMessage::Game(message)) => Message::Player(message),
            other => panic!("not a message of a player: {other:?}"),
        },
        Role::Screen => panic!("no message of a screen is for the game"),
    }
}

fn claim(log: &mut Vec<StoredRow>) -> OwnerOptions {
    let rows: Vec<Row> = log.iter().map(StoredRow::read).collect();
    let claim = Claim::read(&rows).expect("the log is a game's");
    let row = claim.row(Uuid::from_u64_pair(4, HOME.0), 2);
    store(log, &row);
    let (lobby_grace, liveness, snapshot_every) = (Duration::from_secs(10), Liveness::ALONE, SNAPSHOT_EVERY);
    claim.won(
        Duration::ZERO,
        row,
        Start { home: HOME, nonce: 99, lobby_grace, liveness, snapshot_every, log_per_seat: LOG_PER_SEAT },
    )
}

fn store(log: &mut Vec<StoredRow>, append: &Append) {
    log.push(StoredRow::new(append.head(), &append.events));
}
