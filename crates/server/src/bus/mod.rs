//! How owners and edges of games reach each other. A bus may lose, delay and repeat frames: correctness never rests on it.
//!
//! Used by `hall` only. The local bus is the one for a single machine; a bus between machines is one more file here.

mod local;

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;

pub use local::{LocalBus, Mailbox};

/// Carries frames between owners and edges, without waiting: what does not fit is lost, and the engine repairs it.
pub trait Bus: Send + Sync + 'static {
    /// To whoever owns the game.
    fn to_owner(&self, game: GameId, from: EdgeId, frame: ToOwner);

    /// To one edge of the game.
    fn to_edge(&self, game: GameId, edge: EdgeId, frame: FromOwner);
}
