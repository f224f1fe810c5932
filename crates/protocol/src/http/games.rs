//! Games: `/api/v1/games`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use super::game_options::{self, GameOptions};
use super::quizzes::RoundBody;
use crate::shapes::Player;

game_options::with_options! {
    /// The body of `POST /api/v1/games`: start a game with a frozen copy of a quiz.
    NewGame {
        /// Which quiz.
        quiz_id: Uuid,
        /// The previous game in the same room: its players and screens may take places of the same names (`POST
        /// /api/v1/seats/next`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        follows: Option<Uuid>,
        /// Whether the quiz is sealed: a hash of its questions and keys is public from the lobby on, and proves afterwards which
        /// questions were played and how the answers were marked (docs/sealed.md). It cannot be changed later. Absent: false.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    }
}

impl NewGame {
    /// A game of this quiz without options.
    pub fn new(quiz_id: Uuid) -> Self {
        Self { quiz_id, ..Self::default() }
    }
}

/// How several phones play as a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Teams {
    /// How many phones a team can have, 2 to 12. Absent: 6.
    #[serde(default = "Teams::default_devices")]
    #[ts(as = "Option<u8>", optional)]
    #[schemars(range(min = Teams::LEAST_DEVICES, max = Teams::MOST_DEVICES))]
    pub devices: u8,
    /// Whether only the first phone of a team answers, and the others suggest. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captain_only: bool,
}

impl Teams {
    /// Phones of a team, at least.
    pub const LEAST_DEVICES: u8 = 2;
    /// Phones of a team, at most.
    pub const MOST_DEVICES: u8 = 12;

    fn default_devices() -> u8 {
        Self::default().devices
    }
}

impl Default for Teams {
    fn default() -> Self {
        Self { devices: 6, captain_only: false }
    }
}

/// A game, for its owner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Game {
    /// The game's id.
    pub id: Uuid,
    /// The quiz it was made from, which may be deleted or changed by now; absent for games of old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiz_id: Option<Uuid>,
    /// The code that players type: six symbols.
    pub game_code: String,
    /// The link that players open; it contains the code.
    pub join_url: String,
    /// Title of the quiz.
    pub title: String,
    /// `lobby`, `question`, `round_review`, `leaderboard` or `ended`.
    pub phase: String,
    /// The current round, from 1.
    pub current_round: u32,
    /// Whether new players are refused.
    pub locked: bool,
    /// Players who have joined.
    pub player_count: u32,
    /// The frozen rounds with question ids and keys.
    pub rounds: Vec<RoundBody>,
    /// Questions released in the current round, in order.
    pub released: Vec<Uuid>,
    /// Players who joined after the current round was closed and could not answer it; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub latecomers: Vec<Uuid>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// `true` when the stored game is damaged: it cannot be opened, only deleted. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub damaged: Option<bool>,
    /// Whether the game was created so that phones wait for the screen; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub phones_after_screen: bool,
    /// Whether the game was created so that names are checked on joining; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clean_names: bool,
    /// How several phones play as a team; absent when they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub teams: Option<Teams>,
    /// Whether the quiz is sealed; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// All options of the game as they are now, for another game like it; absent when it has none, and for a damaged game.
    #[serde(default, skip_serializing_if = "game_options::is_default")]
    pub options: GameOptions,
}

/// A line of the list of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct GameSummary {
    /// The game's id.
    pub id: Uuid,
    /// The quiz it was made from, which may be deleted or changed by now; absent for games of old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiz_id: Option<Uuid>,
    /// Its code.
    pub game_code: String,
    /// Title of the quiz.
    pub title: String,
    /// The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`.
    pub phase: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// `true` when the stored game is damaged: it cannot be opened, only deleted. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged: Option<bool>,
}

/// The host's games, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GameList {
    /// At most the 1,000 newest, or a page of all.
    pub games: Vec<GameSummary>,
    /// The cursor of the next page; absent on the last page, and where no page was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
}

/// The body of `PATCH /api/v1/games/{id}`.
#[derive(Debug, Clone, Serialize, Deserialize, TS, ToSchema)]
pub struct GameChange {
    /// Whether the game is locked: it refuses new players (423), and players who joined stay.
    pub locked: bool,
}

/// The answer of `GET /api/v1/games/{id}/players`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayerList {
    /// Every player, in order of joining.
    pub players: Vec<Player>,
}
