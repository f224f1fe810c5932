//! What a conductor asks of virtual users, and what they reply. The same for a thread as for a process.

use std::net::SocketAddr;

use quizhall_client::Endpoint;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::Key;
use super::spread::Spread;
use super::tally::{Delivery, Kind};

/// A game that players are to join.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    /// The server.
    pub endpoint: Endpoint,
    /// One of its addresses.
    pub address: SocketAddr,
    /// The game's code.
    pub code: String,
    /// The number of the first of these players in the game: their names and answers come from it.
    pub first: usize,
    /// How many.
    pub players: usize,
}

/// What to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Order {
    /// Join and open sockets, at most `at_once` of them under way; done when each has received its first message.
    /// Every `small`-th member (0: none) has a very small receive buffer.
    Join { tables: Vec<Table>, at_once: usize, small: usize },
    /// Open connections to a baseline.
    Plain { address: SocketAddr, players: usize, at_once: usize },
    /// Know these questions.
    Learn(Vec<Key>),
    /// All answer this question, spread evenly over `over` microseconds (0: as fast as possible).
    Answer { question: Uuid, over: u64 },
    /// From now on all answer what they receive after a time between these, in microseconds; `None`: not any more.
    Think(Option<(u64, u64)>),
    /// Wait until all members who read have received this, at most `time_limit` microseconds, and report. Times count from
    /// `since`; answers count from their sending.
    Await { kind: Kind, question: Uuid, since: u64, time_limit: u64 },
    /// Every `every`-th member reads nothing from now on.
    Stall { every: usize },
    /// All connections end without a close frame.
    Drop,
    /// All come back, at most `at_once` at a time; done when each has received `messages` messages.
    Return { messages: usize, at_once: usize },
    /// What happened since the last count.
    Count,
    /// Leave, and end.
    Leave,
}

/// The result of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It is done; how long each took, where that is a figure.
    Done { since: u64, last: u64, spread: Spread },
    /// The delivery of the awaited message; its count says whether all members have it.
    Delivered(Box<Delivery>),
    /// The counts.
    Counted(Counts),
    /// It cannot be done.
    Failed(String),
}

/// What happened to the virtual users.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Answers sent.
    pub answers: u64,
    /// Of them acknowledged.
    pub acknowledged: u64,
    /// Times from an answer to its acknowledgement, in microseconds.
    pub acknowledgement: Spread,
    /// Messages of any kind.
    pub messages: u64,
    /// Connections that ended though this side did not end them.
    pub lost: u64,
    /// Closes by the server, by code.
    pub closes: Vec<(u16, u64)>,
    /// Joins and upgrades that were refused and tried again.
    pub refused: u64,
}

impl Counts {
    /// Takes in what another part has counted.
    pub fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.acknowledged += other.acknowledged;
        self.acknowledgement.add(&other.acknowledgement);
        self.messages += other.messages;
        self.lost += other.lost;
        self.refused += other.refused;
        for (code, count) in other.closes {
            match self.closes.iter_mut().find(|(known, _)| *known == code) {
                Some((_, sum)) => *sum += count,
                None => self.closes.push((code, count)),
            }
        }
    }
}
