//! What travels between nodes, with the size it has there: the JSON of `crates/server/src/cluster/bus/message.rs`, a line each.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;

use quizhall_engine::{EdgeId, FromOwner, ToEdge, ToOwner};
use quizhall_rules::{Event, GameId};
use serde::Serialize;

/// The names and fields of the server's messages, for counting bytes.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    ToOwner { game: GameId, from: EdgeId, frame: &'a ToOwner },
    ToEdge { game: GameId, from: EdgeId, frame: &'a FromOwner },
}

/// What a message says.
#[derive(Debug, Clone)]
pub enum Load {
    Up(ToOwner),
    Down(FromOwner),
}

/// A message of a game, and how many bytes it has.
#[derive(Debug, Clone)]
pub struct BusMessage {
    pub game: usize,
    pub from: usize,
    pub load: Load,
    pub bytes: u64,
}

/// One entry of a stream.
#[derive(Debug)]
pub struct Entry {
    pub messages: Vec<BusMessage>,
    pub bytes: u64,
}

/// What may wait for one node, and what one entry holds: the bounds of `cluster/bus/redis/outbox.rs`.
const MOST_BYTES: u64 = 8 * 1_048_576;
const MOST_MESSAGES: usize = 65_536;
const ENTRY: u64 = 65_536;
const LARGEST: u64 = 16 * 1_048_576;

/// The queue from one node to another.
#[derive(Debug, Default)]
pub struct Lane {
    waiting: VecDeque<BusMessage>,
    bytes: u64,
    pub writing: bool,
}

impl Lane {
    /// Whether there was room for it.
    pub fn put(&mut self, message: BusMessage) -> bool {
        let full = self.waiting.len() >= MOST_MESSAGES || self.bytes + message.bytes > MOST_BYTES;
        if message.bytes > LARGEST || full && !self.waiting.is_empty() {
            return false;
        }
        self.bytes += message.bytes;
        self.waiting.push_back(message);
        true
    }

    /// As much as fits into one entry, and at least one message; `None` when nothing waits.
    pub fn take(&mut self) -> Option<Entry> {
        let mut entry = Entry { messages: Vec::new(), bytes: 0 };
        while let Some(message) = self.waiting.front() {
            if !entry.messages.is_empty() && entry.bytes + message.bytes > ENTRY {
                break;
            }
            entry.bytes += message.bytes;
            entry.messages.extend(self.waiting.pop_front());
        }
        self.bytes -= entry.bytes;
        (!entry.messages.is_empty()).then_some(entry)
    }
}

/// Measures what owners say. An owner's batch of events is measured once for all nodes, as it is encoded once.
#[derive(Debug, Default)]
pub struct Scales {
    latest: Option<(Arc<[Event]>, u64)>,
}

impl Scales {
    /// The bytes, and whether they had to be encoded.
    pub fn down(&mut self, game: GameId, from: EdgeId, frame: &FromOwner) -> (u64, bool) {
        let measured = || line(&Line::ToEdge { game, from, frame });
        let ToEdge::Committed { events, .. } = &frame.message else { return (measured(), true) };
        match &self.latest {
            Some((known, bytes)) if Arc::ptr_eq(known, events) => (*bytes, false),
            _ => {
                let bytes = measured();
                self.latest = Some((Arc::clone(events), bytes));
                (bytes, true)
            }
        }
    }
}

/// The bytes of what an edge says.
pub fn up(game: GameId, from: EdgeId, frame: &ToOwner) -> u64 {
    line(&Line::ToOwner { game, from, frame })
}

/// The bytes of a row's body.
pub fn body(events: &[Event]) -> u64 {
    json(&events)
}

fn line(line: &Line<'_>) -> u64 {
    json(line) + 1
}

fn json(value: &impl Serialize) -> u64 {
    let mut counted = Counter(0);
    serde_json::to_writer(&mut counted, value).expect("counting cannot fail");
    counted.0
}

struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
