//! Messages between nodes.

use std::time::Instant;

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;
use serde::{Deserialize, Serialize};

/// A message to another node. It may be lost, delayed or duplicated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusMessage {
    /// From an edge to the owner of a game, which the sender believes to be on the receiving node.
    ToOwner {
        /// Which game.
        game: GameId,
        /// The edge that sends it.
        from: EdgeId,
        /// The frame.
        frame: ToOwner,
    },
    /// From the owner of a game to the receiving node's edge of it.
    ToEdge {
        /// Which game.
        game: GameId,
        /// The node that owns the game, as it believes.
        from: EdgeId,
        /// The frame.
        frame: FromOwner,
    },
    /// For every node.
    Notice(Notice),
}

/// A message as received, with a lower bound of when it was sent: it may have waited in a queue or in a connection while this
/// process was suspended.
#[derive(Debug, Clone, PartialEq)]
pub struct Received<T> {
    /// The message.
    pub what: T,
    /// It was not sent before this moment.
    pub sent_after: Instant,
}

/// A notice for every node. A node that misses one learns of it by reading the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Sessions of hosts that have ended, by the SHA-256 of their tokens.
    SessionsEnded(Vec<[u8; 32]>),
}
