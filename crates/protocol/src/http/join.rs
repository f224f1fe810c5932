//! `POST /join`: a player joins a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use super::games::Teams;

/// The body of `POST /join`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinRequest {
    /// The code the host shows, in any case. `code` is another name for this field.
    #[serde(alias = "code")]
    pub game_code: String,
    /// 1 to 40 characters, unique in the game; at most 96 code points and 256 bytes. With `teamCode` the name of the phone, unique in its team.
    pub display_name: String,
    /// Whether this makes a team, which more phones can join, in a game that has teams; the name is the team's. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub team: bool,
    /// The code of a team, in any case: this phone joins it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub team_code: Option<String>,
}

impl JoinRequest {
    /// A player without a team.
    pub fn new(game_code: impl Into<String>, display_name: impl Into<String>) -> Self {
        Self { game_code: game_code.into(), display_name: display_name.into(), team: false, team_code: None }
    }
}

/// A player's place in the game, with the token that opens the socket.
#[derive(Clone, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct JoinResponse {
    /// Presented on `/ws/{gameCode}`; valid until 24 h after the game.
    pub session_token: String,
    /// The code, in upper case.
    pub game_code: String,
    /// The player's id; for a phone of a team the team's.
    pub player_id: Uuid,
    /// The name as the game shows it (trimmed, white space collapsed); for a phone that joined a team its own.
    pub display_name: String,
    /// The code with which more phones of the team join: four symbols. Absent for a player who is not a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_code: Option<String>,
    /// The id of this phone in its team. Absent for a player who is not a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_id: Option<Uuid>,
}

/// The options of a game that matter to a phone before it joins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinOptions {
    /// The code, in upper case.
    pub game_code: String,
    /// How several phones play as a team; absent when they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub teams: Option<Teams>,
}
