//! Messages between nodes.

use std::time::Instant;

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;
use serde::{Deserialize, Serialize};

/// A message to another node. It may be lost, delayed or duplicated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusMessage {
    /// From an edge to the owner of a game, which the sender expects on the receiving node.
    ToOwner {
        /// The game.
        game: GameId,
        /// The sending edge.
        from: EdgeId,
        /// The frame.
        frame: ToOwner,
    },
    /// From the owner of a game to the edge of that game on the receiving node.
    ToEdge {
        /// The game.
        game: GameId,
        /// The sending node, which considers itself the owner.
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

/// A notice for every node. A node that misses one finds the change in the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Sessions of hosts that have ended, by the SHA-256 of their tokens.
    SessionsEnded(Vec<[u8; 32]>),
}
