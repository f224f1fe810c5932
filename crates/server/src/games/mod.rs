//! The live games of this node: loads a game when somebody wants it, runs its owner and its edge as tasks, drops it when idle.
//!
//! Called by `http` (joins, host API) and `socket` (attach, messages). The only room that drives the engine with real time,
//! a real store and real sockets; decides nothing about games itself.

mod edge;
mod live;
mod log;
mod owner;
mod ownership;
mod reading;
mod registry;

use std::time::Duration;

pub use live::handle::{CommandError, GameHandle};
pub use live::sink::Sink;
pub use quizhall_engine::{ConnectionId, Liveness, Message, Participant};
pub use reading::{LOAD_BYTES, LOADS};
pub(crate) use registry::held::HOLD_SETTLE;
pub use registry::{GameRegistry, GameStats};

/// How the live games of a node behave.
#[derive(Debug, Clone, Copy)]
pub struct GameOptions {
    /// Commands of one game that may wait at once; beyond it joins and new sockets are turned away.
    pub waiting_room: usize,
    /// How long a command may wait for the store.
    pub command_timeout: Duration,
    /// How long a lost socket's player stays in the lobby list.
    pub lobby_grace: Duration,
    /// How long sockets stay open after `game_ended`.
    pub linger: Duration,
    /// After how long without sockets and commands a game leaves memory.
    pub idle_after: Duration,
    /// How often owners give a sign of life, and after what silence a game is read from its log.
    pub liveness: Liveness,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            waiting_room: 16_384,
            command_timeout: Duration::from_secs(5),
            lobby_grace: Duration::from_secs(10),
            linger: Duration::from_secs(60),
            idle_after: Duration::from_secs(600),
            liveness: Liveness::ALONE,
        }
    }
}

/// Why a game could not be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The store did not answer in time: 503, or 4102 on a socket.
    #[error("the game cannot be stored right now")]
    Unavailable,
    /// Too much is waiting: 503, or 1013.
    #[error("too many commands are waiting")]
    Busy,
    /// The log of the game cannot be read: 503, or 1011.
    #[error("what is stored of the game is damaged")]
    Damaged,
    /// The node is stopping, or the game just left memory: 503; a second try finds it again.
    #[error("the game is moving")]
    Stopping,
}
