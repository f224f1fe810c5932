//! `GET /api/v1/nodes`: the processes that serve together.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// A process of the service, as it last reported itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its incarnation: a new id after every start, and after the others considered it dead.
    pub id: Uuid,
    /// Its name, `NODE_NAME`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whole seconds since it started.
    pub up_seconds: u64,
    /// Milliseconds since its last renewal, by the database's clock.
    pub last_seen_ms: u64,
    /// Games it owns.
    pub games: u32,
    /// Sockets attached to it.
    pub sockets: u32,
    /// Milliseconds that a frame to itself takes over the bus; absent while the bus does not work, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bus_lag_ms: Option<u64>,
    /// Whether it is stopping.
    pub draining: bool,
    /// Whether it answered this request.
    #[serde(rename = "self")]
    pub is_self: bool,
}

/// The answer of `GET /api/v1/nodes`, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct NodeList {
    /// Every process in the list; without other processes, only the one that answers.
    pub nodes: Vec<Node>,
}
