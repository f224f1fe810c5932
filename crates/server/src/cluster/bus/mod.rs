//! The bus between owners and edges of games. A bus may lose, delay and repeat frames: correctness never depends on it.
//!
//! Used by `games` (frames), `cluster` and `serve` (starting, health), `auth` and `http` (shared limits). On one
//! machine everything stays in [`Router`]; between machines it continues over a [`Remote`], such as Redis.

mod limits;
mod message;
pub mod redis;
mod router;

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;
use thiserror::Error;

pub use limits::{Ask, Rate, SharedLimits};
pub use message::{BusMessage, Notice, Received};
pub use router::{Mailbox, Peers, Router};

/// Carries frames between owners and edges, without waiting: a frame that does not fit is lost, and the engine repairs
/// the loss.
pub trait Bus: Send + Sync + 'static {
    /// Sends frames to the owner of the game, in this order; leaves `frames` empty.
    fn to_owner(&self, game: GameId, from: EdgeId, frames: &mut Vec<ToOwner>);

    /// Sends a frame to one edge of the game.
    fn to_edge(&self, game: GameId, edge: EdgeId, frame: FromOwner);
}

/// Carries messages to other nodes, without waiting: a message that does not fit is lost and counted.
pub trait Remote: Send + Sync + 'static {
    /// Sends to one node. Messages that arrive do so in order for each receiver.
    fn send(&self, to: EdgeId, message: BusMessage);

    /// Forgets a node that has left: its queue here, and its stored messages.
    fn forget(&self, node: EdgeId);
}

/// Why the store between nodes did not do what was requested. Never contains an address or a secret.
#[derive(Debug, Error)]
pub enum BusError {
    /// Unreachable, slow or refusing for now; it is tried again automatically.
    #[error("the cache store is not available: {0}")]
    Unavailable(String),
    /// It cannot be used with these settings; reported at start.
    #[error("{0}")]
    Unusable(String),
}
