//! Nodes as the store keeps them: who is there, how long ago each was heard of in the database's own time, who owns which game.
//!
//! All of it is a hint for liveness. What may be written to a game is decided by its log alone.

use std::time::Duration;

use uuid::Uuid;

/// A process that enters the list. No secrets: operators see all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// Its incarnation: new at every start, and whenever it was taken for dead.
    pub id: Uuid,
    /// A name for people: the host's name, or `NODE_NAME`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a node says of itself with every renewal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeReport {
    /// Games it owns.
    pub games: u32,
    /// Sockets attached to it.
    pub sockets: u32,
    /// How long a frame to itself took over the bus; `None` while the bus does not work.
    pub bus_lag: Option<Duration>,
    /// Whether it is stopping.
    pub draining: bool,
}

/// A node of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    /// Its incarnation.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Since its last renewal, by the database's clock.
    pub age: Duration,
    /// Since it entered the list, by the database's clock.
    pub up: Duration,
    /// What it said then.
    pub report: NodeReport,
}

/// A renewal that worked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// How many renewals of this node the database remembers, this one included: a number that does not grow by one
    /// each time tells of a database that was set back.
    pub beat: u64,
    /// Everybody, the node itself included.
    pub nodes: Vec<NodeRow>,
}

/// Who is recorded as the owner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerRow {
    /// The owner's incarnation; `None` when nobody has the game.
    pub owner: Option<Uuid>,
    /// Whether that node is in the list.
    pub listed: bool,
}
