//! A deployment as a queue of events: nodes with cores, the bus over Redis, the database, and games with the
//! engine's own owner and edges. What the owner and the edges do is real; what it costs is the table's.
//!
//! Used by `big_game` and `many_games`. Nothing fails here: faults are the matter of `sim`.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use quizhall_engine::wire;
use quizhall_engine::{ConnectionId, EdgeId, EdgeInput, Message, Time, ToOwner};
use quizhall_rules::{Event, GameId};

use super::bus::Mirrors;
use super::costs::Costs;
use super::edge::EdgeSlot;
use super::machine::{Cores, Meters, Server, Task};
use super::message::{Entry, Lane, Scales};
use super::owner::OwnerSlot;
use crate::game::question;

/// Messages that one task reads before another gets the core.
const READS: usize = 32;
/// Recipients of a broadcast that the edge's task writes to itself; for more there are threads (`games/live/writers.rs`).
pub const FEW: usize = 256;
/// Recipients that a thread writes to before the kernel gives its core to another: some milliseconds.
const CHUNK: usize = 1_024;

/// Something that happens.
#[derive(Debug)]
pub enum What {
    /// A quantum is over.
    CoreFree(usize, Task),
    /// A socket of a node has a message.
    Readable(usize, Said),
    /// A frame for the owner comes from its own node.
    OwnerReceives(usize, EdgeId, ToOwner),
    /// A frame or a reading for an edge: game, node.
    EdgeReceives(usize, usize, EdgeInput),
    EdgeTick(usize, usize),
    OwnerTick(usize),
    /// A queue to another node may be written: from, to.
    Write(usize, usize),
    /// A batch reaches Redis.
    Add(usize, usize, Entry),
    /// A node asks Redis for its inbox.
    ReadInbox(usize),
    /// It is answered.
    Entries(usize, Vec<Entry>),
    /// The content of an entry is decoded.
    Deliver(usize, Entry),
    /// A node's statement is durable; rows of these games.
    Stored(usize, Vec<usize>),
    HeadRead(usize),
}

/// A message of a client.
#[derive(Debug)]
pub struct Said {
    pub game: usize,
    pub connection: ConnectionId,
    pub message: Message,
}

pub struct Node {
    pub cores: Cores,
    pub readable: VecDeque<Said>,
    /// What others wait to be sent, by node.
    pub lanes: Vec<Lane>,
    /// Its stream in Redis, and whether it waits for it.
    pub stream: VecDeque<Entry>,
    pub waits: bool,
    /// The entries that were read from it.
    pub inbox: VecDeque<Entry>,
    pub inbox_runs: bool,
    /// Rows for the next statement: game, events, bytes.
    pub rows: VecDeque<(usize, u64, u64)>,
    pub storing: bool,
}

pub struct Game {
    pub id: GameId,
    pub home: usize,
    pub owner: Option<Box<OwnerSlot>>,
    pub edges: Vec<Option<Box<EdgeSlot>>>,
    /// The rows of the log: number of the first event, bytes, events.
    pub log: Vec<(u64, u64, Arc<[Event]>)>,
    pub players: u64,
}

pub struct World {
    pub costs: Costs,
    pub now: u64,
    agenda: BinaryHeap<Next>,
    number: u64,
    pub nodes: Vec<Node>,
    pub games: Vec<Game>,
    pub redis: Server,
    pub database: Server,
    pub meters: Meters,
    pub scales: Scales,
    pub mirrors: Option<Mirrors>,
    /// The acknowledgements of both questions, for recognising them among other frames.
    pub acknowledgements: [Bytes; 2],
    /// From the message's arrival to its acknowledgement, in microseconds.
    pub waits: Vec<u32>,
    pub last_acknowledged: u64,
}

impl World {
    pub fn new(costs: Costs, nodes: usize) -> Self {
        let node = |_| Node {
            cores: Cores::new(costs.node_cores),
            readable: VecDeque::new(),
            lanes: (0..nodes).map(|_| Lane::default()).collect(),
            stream: VecDeque::new(),
            waits: true,
            inbox: VecDeque::new(),
            inbox_runs: false,
            rows: VecDeque::new(),
            storing: false,
        };
        Self {
            costs,
            now: 0,
            agenda: BinaryHeap::new(),
            number: 0,
            nodes: (0..nodes).map(node).collect(),
            games: Vec::new(),
            redis: Server::new(1),
            database: Server::new(costs.database_cores),
            meters: Meters::default(),
            scales: Scales::default(),
            mirrors: None,
            acknowledgements: [1, 2].map(|number| wire::answer_accepted(question(number))),
            waits: Vec::new(),
            last_acknowledged: 0,
        }
    }

    pub fn at(&mut self, at: u64, what: What) {
        self.number += 1;
        self.agenda.push(Next { at: at.max(self.now), number: self.number, what });
    }

    /// Lets things happen until the condition holds; whether it did before the time was over.
    pub fn run_until(&mut self, end: u64, done: impl Fn(&Self) -> bool) -> bool {
        while !done(self) {
            match self.agenda.peek() {
                Some(next) if next.at <= end => {}
                _ => {
                    self.now = end;
                    return false;
                }
            }
            let Some(Next { at, what, .. }) = self.agenda.pop() else { return false };
            self.now = at;
            self.happen(what);
        }
        true
    }

    fn happen(&mut self, what: What) {
        match what {
            What::CoreFree(node, task) => self.core_free(node, task),
            What::Readable(node, said) => {
                self.nodes[node].readable.push_back(said);
                if self.nodes[node].readable.len() % READS == 1 {
                    self.make_runnable(node, Task::Read);
                }
            }
            What::OwnerReceives(game, edge, frame) => self.owner_receives(game, edge, frame),
            What::EdgeReceives(game, node, input) => self.edge_receives(game, node, input),
            What::EdgeTick(game, node) => {
                if let Some(slot) = &mut self.games[game].edges[node] {
                    slot.tick_at = None;
                }
                self.wake_edge(game, node);
            }
            What::OwnerTick(game) => {
                if let Some(slot) = &mut self.games[game].owner {
                    slot.tick_at = None;
                }
                self.wake_owner(game);
            }
            What::Write(from, to) => self.write_lane(from, to),
            What::Add(from, to, entry) => self.add_to_stream(from, to, entry),
            What::ReadInbox(node) => self.read_inbox(node),
            What::Entries(node, entries) => self.entries_came(node, entries),
            What::Deliver(node, entry) => self.deliver(node, entry),
            What::Stored(node, games) => self.stored(node, &games),
            What::HeadRead(game) => self.head_read(game),
        }
    }

    pub fn make_runnable(&mut self, node: usize, task: Task) {
        self.nodes[node].cores.runnable.push_back(task);
        self.dispatch(node);
    }

    fn dispatch(&mut self, node: usize) {
        while self.nodes[node].cores.idle > 0 {
            let Some(task) = self.nodes[node].cores.runnable.pop_front() else { return };
            self.nodes[node].cores.idle -= 1;
            let spent = match task {
                Task::Read => self.read_quantum(node),
                Task::Edge(game) => self.edge_quantum(node, game),
                Task::Broadcast(_, left) => left.min(CHUNK) as u64 * self.costs.broadcast,
                Task::Owner(game) => self.owner_quantum(game),
                Task::Inbox => self.inbox_quantum(node),
            };
            self.nodes[node].cores.busy[task.kind()] += spent;
            self.at(self.now + spent, What::CoreFree(node, task));
        }
    }

    fn core_free(&mut self, node: usize, task: Task) {
        self.nodes[node].cores.idle += 1;
        let again = match task {
            Task::Read => None,
            Task::Edge(game) => self.edge_ran(node, game).then_some(task),
            Task::Broadcast(game, left) => match left.saturating_sub(CHUNK) {
                0 => {
                    self.part_sent(node, game);
                    None
                }
                left => Some(Task::Broadcast(game, left)),
            },
            Task::Owner(game) => self.owner_ran(game).then_some(task),
            Task::Inbox => self.inbox_ran(node).then_some(task),
        };
        self.nodes[node].cores.runnable.extend(again);
        self.dispatch(node);
    }

    fn read_quantum(&mut self, node: usize) -> u64 {
        let count = self.nodes[node].readable.len().min(READS);
        let mut spent = 0;
        for said in self.nodes[node].readable.drain(..count).collect::<Vec<_>>() {
            spent += self.costs.read;
            if let Some(slot) = &mut self.games[said.game].edges[node] {
                slot.asked.insert(said.connection, self.now);
                slot.jobs.push_back((said.connection, said.message));
            }
            self.wake_edge(said.game, node);
        }
        spent
    }
}

pub fn time(nanos: u64) -> Time {
    Time::from_nanos(nanos)
}

pub fn nanos(time: Time) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Earlier things first, and of one moment those that were planned first.
struct Next {
    at: u64,
    number: u64,
    what: What,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Next {}
