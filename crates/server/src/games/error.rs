//! Why a live game could not be reached or a command had no effect. Texts name no player and no answer.

use quizhall_rules::{Feature, Refusal};

/// Why a game could not be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The store did not answer in time: 503, or 4102 on a socket.
    #[error("the game cannot be stored right now")]
    Unavailable,
    /// Too many requests wait: 503, or 1013.
    #[error("too many commands are waiting")]
    Busy,
    /// The log of the game cannot be read: 503, or 1011.
    #[error("what is stored of the game is damaged")]
    Damaged,
    /// The node is stopping, or the game just left memory: 503; a second try finds it again.
    #[error("the game is moving")]
    Stopping,
}

/// Why a command had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The game refused it; nothing has changed.
    #[error("the game refused the command")]
    Refused(Refusal),
    /// A node of an earlier version does not know what the command belongs to; nothing has changed.
    #[error("a node of an earlier version is still in service")]
    OlderNode(Feature),
    /// It could not be carried out; with [`GameError::Unavailable`] it may still take effect.
    #[error(transparent)]
    Game(#[from] GameError),
}
