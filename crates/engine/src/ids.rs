//! Names for the parties of a hosted game, and the engine's notion of time.

use std::time::Duration;

use quizhall_rules::{PlayerId, Stamp, State};

/// Time since some fixed moment of this process; monotonic, never compared between machines.
pub type Time = Duration;

/// A node in its role as holder of sockets. Unique per process start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u64);

/// A socket, unique within its edge and growing with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// A command that came over HTTP and waits for its outcome, unique within its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// Who sits behind a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Participant {
    /// The game's one host.
    Host,
    /// One of its players.
    Player(PlayerId),
}

impl Participant {
    /// The stamp of the last command of this participant that is in force in a state.
    pub(crate) fn last_stamp_in(self, state: &State) -> Option<Stamp> {
        match self {
            Self::Host => state.host_stamp(),
            Self::Player(player) => state.last_stamp_of(player),
        }
    }
}
