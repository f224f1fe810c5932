//! Co-hosts of a game, `/api/v1/games/{id}/co-hosts`.

pub use quizhall_quiz::CoHostRole;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// The body of `POST /api/v1/games/{id}/co-hosts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct InviteCoHost {
    /// What the co-host may do.
    pub role: CoHostRole,
    /// Its name, which the results show with its markings; the rules for player names apply.
    pub label: String,
}

/// A new co-host, with the link that works once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewCoHost {
    /// The co-host's id.
    pub co_host_id: Uuid,
    /// What the co-host may do.
    pub role: CoHostRole,
    /// The link that the co-host opens. The token is in the fragment, which browsers send to no server.
    pub url: String,
}

/// A co-host who has a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoHost {
    /// The co-host's id.
    pub co_host_id: Uuid,
    /// What the co-host may do.
    pub role: CoHostRole,
    /// The name that the host gave it.
    pub label: String,
    /// RFC 3339, UTC.
    pub added_at: String,
}

/// The co-hosts of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoHostList {
    /// In order of adding.
    pub co_hosts: Vec<CoHost>,
}

/// The co-host that owns a token, and its game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentCoHost {
    /// The co-host's id.
    pub co_host_id: Uuid,
    /// The game.
    pub game_id: Uuid,
    /// Its code.
    pub game_code: String,
    /// What the co-host may do.
    pub role: CoHostRole,
    /// The name that the host gave it.
    pub label: String,
}
