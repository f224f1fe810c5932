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
    /// Whether it is given no games: it is stopping, or an operator drains it.
    pub draining: bool,
    /// Whether an operator drains it: it owns no games, and serves its sockets; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub drained: bool,
    /// The place that it shares with other nodes, `NODE_ZONE`; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub zone: Option<String>,
    /// Thousandths of a core that it used lately; absent when it does not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub busy_millicores: Option<u32>,
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
