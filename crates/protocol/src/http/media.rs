//! Pictures and sounds of a host: `/api/v1/media`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// A file that was uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Media {
    /// Its id, which a question names.
    pub id: Uuid,
    /// Its media type, found by its first bytes.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Its length.
    pub bytes: u64,
}

/// A line of the list of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaSummary {
    /// Its id.
    pub id: Uuid,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Its length.
    pub bytes: u64,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// How many quizzes use it.
    pub quizzes: u32,
    /// How many kept games use it.
    pub games: u32,
}

/// The host's files, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MediaList {
    /// All of them.
    pub media: Vec<MediaSummary>,
    /// Bytes of all of them.
    pub bytes: u64,
    /// The limit for the bytes of all of them.
    pub limit: u64,
}
