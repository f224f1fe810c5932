//! What the model's machines are made of: cores with a queue of tasks, single servers, and meters.
//!
//! Used by `world`. Knows nothing of games; time is nanoseconds since the start.

use std::collections::VecDeque;

/// A task of a node. One runs on one core at a time and holds it for a quantum, as on the runtime of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Sockets with something to read; any number of these run side by side.
    Read,
    /// The edge of a game.
    Edge(usize),
    /// A part of a big broadcast of a game, and how many of it are left.
    Broadcast(usize, usize),
    /// The owner of a game.
    Owner(usize),
    /// Decoding messages that were read from this node's inbox.
    Inbox,
}

/// The cores of a node, and the tasks that wait for one, first come first served.
#[derive(Debug)]
pub struct Cores {
    pub idle: u32,
    pub runnable: VecDeque<Task>,
    /// Nanoseconds that cores were held, by [`Task::kind`], and [`BESIDE`].
    pub busy: [u64; 6],
}

/// The kind of work outside the tasks: system calls of the bus and the database, and reading the log.
pub const BESIDE: usize = 5;

impl Task {
    /// Its place among the kinds.
    pub fn kind(self) -> usize {
        match self {
            Self::Read => 0,
            Self::Edge(_) => 1,
            Self::Broadcast(..) => 2,
            Self::Owner(_) => 3,
            Self::Inbox => 4,
        }
    }
}

impl Cores {
    pub fn new(count: u32) -> Self {
        Self { idle: count, runnable: VecDeque::new(), busy: [0; 6] }
    }
}

/// Something that does one thing at a time on each of its lines: Redis has one, a database several.
#[derive(Debug)]
pub struct Server {
    free_at: Vec<u64>,
    pub busy: u64,
}

impl Server {
    pub fn new(lines: u32) -> Self {
        Self { free_at: vec![0; lines as usize], busy: 0 }
    }

    /// When work that arrives now is done.
    pub fn run(&mut self, now: u64, cost: u64) -> u64 {
        let line = self.free_at.iter_mut().min().expect("a server has at least one line");
        *line = now.max(*line) + cost;
        self.busy += cost;
        *line
    }
}

/// The counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Meters {
    /// Messages that edges sent over the bus: commands, and everything else.
    pub commands: u64,
    pub other_up: u64,
    /// Messages that owners sent over the bus, by kind.
    pub committed: u64,
    pub done: u64,
    pub heartbeats: u64,
    pub other_down: u64,
    pub bytes_up: u64,
    pub bytes_committed: u64,
    pub bytes_done: u64,
    pub bytes_other: u64,
    /// Messages and frames that found their queue full.
    pub lost: u64,
    pub redis_adds: u64,
    pub redis_reads: u64,
    pub redis_in: u64,
    pub redis_out: u64,
    /// Statements to the database, the rows in them, the events in those, and the bytes of JSON.
    pub statements: u64,
    pub rows: u64,
    pub events: u64,
    pub body_bytes: u64,
    pub log_reads: u64,
    pub acknowledged: u64,
    pub closed: u64,
    /// Bytes written to sockets.
    pub sent_bytes: u64,
}

impl Meters {
    /// Messages on the bus.
    pub fn messages(&self) -> u64 {
        self.commands + self.other_up + self.committed + self.done + self.heartbeats + self.other_down
    }

    /// Bytes of all of them.
    pub fn message_bytes(&self) -> u64 {
        self.bytes_up + self.bytes_committed + self.bytes_done + self.bytes_other
    }

    /// The difference to earlier counts.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            commands: self.commands - before.commands,
            other_up: self.other_up - before.other_up,
            committed: self.committed - before.committed,
            done: self.done - before.done,
            heartbeats: self.heartbeats - before.heartbeats,
            other_down: self.other_down - before.other_down,
            bytes_up: self.bytes_up - before.bytes_up,
            bytes_committed: self.bytes_committed - before.bytes_committed,
            bytes_done: self.bytes_done - before.bytes_done,
            bytes_other: self.bytes_other - before.bytes_other,
            lost: self.lost - before.lost,
            redis_adds: self.redis_adds - before.redis_adds,
            redis_reads: self.redis_reads - before.redis_reads,
            redis_in: self.redis_in - before.redis_in,
            redis_out: self.redis_out - before.redis_out,
            statements: self.statements - before.statements,
            rows: self.rows - before.rows,
            events: self.events - before.events,
            body_bytes: self.body_bytes - before.body_bytes,
            log_reads: self.log_reads - before.log_reads,
            acknowledged: self.acknowledged - before.acknowledged,
            closed: self.closed - before.closed,
            sent_bytes: self.sent_bytes - before.sent_bytes,
        }
    }
}
