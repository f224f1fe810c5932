//! The participants of a game who speak the extension: the others must not notice it.

use quizhall_protocol::Dialect;

use super::command::Actor;

/// The dialects of a game's participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cast {
    /// No participant speaks the extension.
    Interface,
    /// The host and the first player do.
    Mixed,
    /// Only the host does.
    HostOnly,
    /// Only the first player does.
    FirstPlayerOnly,
}

impl Cast {
    /// The dialect that a participant offers in the handshake.
    pub const fn dialect(self, actor: Actor) -> Dialect {
        match (self, actor) {
            (Self::Mixed | Self::HostOnly, Actor::Host) | (Self::Mixed | Self::FirstPlayerOnly, Actor::Player(0)) => {
                Dialect::QuizhallV1
            }
            _ => Dialect::Interface,
        }
    }
}
