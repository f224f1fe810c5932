//! What a conductor asks of virtual users, and what it hears back. The same whether the virtual users are a thread or a process.

use std::net::SocketAddr;

use quizhall_client::Endpoint;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::Key;
use super::spread::Spread;
use super::tally::{Heard, Kind};

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
    /// Take seats and open sockets, at most `at_once` of them under way; done when each has heard its first message.
    /// Every so many-th (0: nobody) has hardly any room in its kernel for what it does not read.
    Join { tables: Vec<Table>, at_once: usize, small: usize },
    /// Open connections to a baseline.
    Plain { address: SocketAddr, players: usize, at_once: usize },
    /// Know these questions.
    Learn(Vec<Key>),
    /// Everybody answers this, spread evenly over so many microseconds (0: as fast as it goes).
    Answer { question: Uuid, over: u64 },
    /// From now on everybody answers what they hear after a time between these, in microseconds; `None`: not any more.
    Think(Option<(u64, u64)>),
    /// Wait until everybody who reads has heard this, at most so many microseconds, and say how it went. Times count from
    /// `since`; answers count from their sending.
    Await { kind: Kind, question: Uuid, since: u64, time_limit: u64 },
    /// Every so many-th member reads nothing from now on.
    Stall { every: usize },
    /// Everybody's connection ends without a word.
    Drop,
    /// Everybody comes back, at most `at_once` under way; done when each has heard so many messages.
    Return { messages: usize, at_once: usize },
    /// What happened since the last count.
    Count,
    /// Leave, and end.
    Leave,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It is done; how long each took, where that is a figure.
    Done { since: u64, last: u64, spread: Spread },
    /// What was awaited. Not all have it when the count says so.
    Heard(Box<Heard>),
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
    /// Connections that ended though nobody here ended them.
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
