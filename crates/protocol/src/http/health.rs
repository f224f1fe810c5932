//! `GET /healthz` and `GET /readyz`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// 200 `{"status":"ok"}`, with `degraded` where that is allowed; 503 with a reason and each check's outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct Health {
    /// `ok` or `unavailable`.
    pub status: String,
    /// Why it is unavailable: `database: timeout after 1s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `ok` or `down` for each dependency; absent when all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    /// The dependencies without which the service is ready nevertheless: `cache`, with the setting `READY_WITHOUT_CACHE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub degraded: Vec<String>,
}

/// The dependencies that are checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Checks {
    /// The relational database.
    pub database: String,
    /// The cache store (always `ok` when it is in process).
    pub cache: String,
}
