//! `GET /api/v1/games/{id}/league`: the points of games that follow each other, one line per player or team.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// The table of a chain of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct League {
    /// The games, each following the one before it: the requested game with those before and after it.
    pub games: Vec<LeagueGame>,
    /// By rank, then by name.
    pub lines: Vec<LeagueLine>,
}

/// A game of a league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeagueGame {
    /// The game's id.
    pub game_id: Uuid,
    /// Title of the quiz.
    pub title: String,
    /// The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`.
    pub phase: String,
    /// RFC 3339, UTC.
    pub created_at: String,
}

/// A player, or a team, over all games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeagueLine {
    /// From 1; equal totals share a rank.
    pub rank: u32,
    /// The name in the last of the games that the player was in.
    pub display_name: String,
    /// The points in each game; `null` where the player has no place on the board.
    #[ts(type = "Array<number | null>")]
    pub points: Vec<Option<i64>>,
    /// Their sum.
    pub total: i64,
}
