//! The extension of the subprotocol `quizhall.v1`: for sockets that asked for it, and invisible to every other one.
//!
//! Same envelope, same rules, same close codes as the interface; on a socket without the subprotocol these types do not
//! exist (4001 `unknown_type`). Named by who hears them, like the interface's own messages.

pub mod from_any;
pub mod from_host;
pub mod to_all;
pub mod to_host;
pub mod to_sender;

use crate::decode::Role;

pub use from_any::FromAnyV1;
pub use from_host::FromHostV1;
pub use to_all::ToAllV1;
pub use to_host::ToHostV1;
pub use to_sender::ToSenderV1;

/// How many texts one `mark_answers` may name.
pub(crate) const MOST_TEXTS: usize = 1_000;

/// The types that the extension lets a client send, with who may send them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExtensionType {
    /// `mark_answers`
    MarkAnswers,
    /// `undo_marking`
    UndoMarking,
    /// `lock_game`
    LockGame,
    /// `remove_player`
    RemovePlayer,
    /// `release_own_scores`
    ReleaseOwnScores,
    /// `show_standings`
    ShowStandings,
    /// `ping`
    Ping,
}

impl ExtensionType {
    /// All seven.
    pub const ALL: [Self; 7] = [
        Self::MarkAnswers,
        Self::UndoMarking,
        Self::LockGame,
        Self::RemovePlayer,
        Self::ReleaseOwnScores,
        Self::ShowStandings,
        Self::Ping,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MarkAnswers => "mark_answers",
            Self::UndoMarking => "undo_marking",
            Self::LockGame => "lock_game",
            Self::RemovePlayer => "remove_player",
            Self::ReleaseOwnScores => "release_own_scores",
            Self::ShowStandings => "show_standings",
            Self::Ping => "ping",
        }
    }

    /// The only role that may send it; `None` is either.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::MarkAnswers
            | Self::UndoMarking
            | Self::LockGame
            | Self::RemovePlayer
            | Self::ReleaseOwnScores
            | Self::ShowStandings => Some(Role::Host),
            Self::Ping => None,
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl FromHostV1 {
    /// Its type.
    pub const fn kind(&self) -> ExtensionType {
        match self {
            Self::MarkAnswers(_) => ExtensionType::MarkAnswers,
            Self::UndoMarking => ExtensionType::UndoMarking,
            Self::LockGame(_) => ExtensionType::LockGame,
            Self::RemovePlayer(_) => ExtensionType::RemovePlayer,
            Self::ReleaseOwnScores => ExtensionType::ReleaseOwnScores,
            Self::ShowStandings => ExtensionType::ShowStandings,
        }
    }
}

impl FromAnyV1 {
    /// Its type.
    pub const fn kind(self) -> ExtensionType {
        match self {
            Self::Ping => ExtensionType::Ping,
        }
    }
}
