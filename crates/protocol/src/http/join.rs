//! `POST /join`: a player joins a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// The body of `POST /join`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinRequest {
    /// The code the host shows, in any case. `code` is another name for this field.
    #[serde(alias = "code")]
    pub game_code: String,
    /// 1 to 40 characters, unique in the game; at most 96 code points and 256 bytes.
    pub display_name: String,
}

/// A player's place in the game, with the token that opens the socket.
#[derive(Clone, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinResponse {
    /// Presented on `/ws/{gameCode}`; valid until 24 h after the game.
    pub session_token: String,
    /// The code, in upper case.
    pub game_code: String,
    /// The player's id.
    pub player_id: Uuid,
    /// The name as the game shows it (trimmed, white space collapsed).
    pub display_name: String,
}
