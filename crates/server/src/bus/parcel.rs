//! What travels between nodes.

use std::time::Instant;

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;
use serde::{Deserialize, Serialize};

/// One thing for another node. It may be lost, come late or come twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parcel {
    /// From an edge to the owner of a game, which the sender believes to be on the receiving node.
    ToOwner {
        /// Which game.
        game: GameId,
        /// The edge that speaks.
        from: EdgeId,
        /// What it says.
        frame: ToOwner,
    },
    /// From the owner of a game to the receiving node's edge of it.
    ToEdge {
        /// Which game.
        game: GameId,
        /// The node that owns it, as it believes.
        from: EdgeId,
        /// What it says.
        frame: FromOwner,
    },
    /// For every node.
    Notice(Notice),
}

/// Something as it arrived, with what is known of how long it took: it may have waited in a queue or in a connection while
/// this process stood still.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived<T> {
    /// The thing.
    pub what: T,
    /// It was not sent before this moment.
    pub sent_after: Instant,
}

/// News for every node. Whoever misses one finds out by reading the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Sessions of hosts that have ended, by the SHA-256 of their tokens.
    SessionsEnded(Vec<[u8; 32]>),
}
