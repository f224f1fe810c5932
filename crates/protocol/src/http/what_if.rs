//! `POST /api/v1/games/{id}/what-if`: what corrections would do to the board.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shapes::LeaderboardEntry;

/// Corrections that the host has not made. They are carried out in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WhatIf {
    /// Marks of answers, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub corrections: Vec<Correction>,
    /// Questions that are withdrawn, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub withdraw: Vec<Uuid>,
    /// Points by hand, at most 20. They belong to the current round: while its questions are played they change no board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub adjustments: Vec<SupposedPoints>,
}

/// Points by hand that are not given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupposedPoints {
    /// The player.
    pub player_id: Uuid,
    /// −1,000,000 to 1,000,000, not 0, as in `adjust_points`.
    pub points: i32,
}

impl WhatIf {
    /// Most entries of each list.
    pub const MOST: usize = 20;
}

/// How answers count: either those with one of the `answers` as text, or those of `playerIds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct Correction {
    /// A question whose scores are released, or one of the round under review.
    pub question_id: Uuid,
    /// 1 to 1,000 texts, each exactly as in the review or in the results; one that no player gave is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// 1 to 1,000 players; one who gave no answer gets an empty one with this mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_ids: Option<Vec<Uuid>>,
    /// Whether these answers count as right; absent: they do not.
    #[serde(default)]
    #[ts(as = "Option<_>", optional)]
    pub correct: bool,
    /// Whether they earn half of the points of the question; no effect with `correct`.
    #[serde(default)]
    #[ts(as = "Option<_>", optional)]
    pub half: bool,
}

impl Correction {
    /// Most texts or players.
    pub const MOST: usize = 1_000;
}

/// What the corrections would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WhatIfOutcome {
    /// The board as it is, whole. When a correction is about the round under review, or points are given during the review: as it
    /// would be if the scores of that round were released now.
    pub before: Vec<LeaderboardEntry>,
    /// The same board after the corrections, whole.
    pub after: Vec<LeaderboardEntry>,
    /// The players whose score or rank differs, in the order of `after`.
    pub changes: Vec<BoardChange>,
}

/// What would change for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct BoardChange {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// The score in `before`; 0 when the player is not there.
    pub score_before: i64,
    /// The score in `after`; 0 when the player is not there.
    pub score_after: i64,
    /// The rank in `before`; absent when the player is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_before: Option<u32>,
    /// The rank in `after`; absent when the player is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_after: Option<u32>,
}
