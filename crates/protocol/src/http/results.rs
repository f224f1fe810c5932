//! `GET /api/v1/games/{id}/results`: the results of a game for its host, as JSON or CSV.

use quizhall_quiz::WireKind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::messages::to_all::{Section, TieBreakStatus};
use crate::shapes::{AppealOutcome, LeaderboardEntry, is_zero};

/// The results of a game so far. The board counts released rounds; answers are listed for every round played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    /// The game's id.
    pub game_id: Uuid,
    /// Its code.
    pub game_code: String,
    /// Title of the quiz.
    pub title: String,
    /// The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`.
    pub phase: String,
    /// The standing, whole.
    pub leaderboard: Vec<LeaderboardEntry>,
    /// Rounds played.
    pub rounds: Vec<RoundResults>,
    /// Whether a results link of the game is valid; absent when there is none (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shared: Option<bool>,
}

/// The answers of one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundResults {
    /// Its title.
    pub title: String,
    /// The round of the quiz that it comes from; only with pace `question` (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub section: Option<Section>,
    /// Its released questions, in order of release.
    pub questions: Vec<QuestionResults>,
    /// The players whose joker doubles it (additive; absent when none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub jokers: Vec<Uuid>,
    /// The points that the host gave by hand, in order of giving (additive; absent when none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub adjustments: Vec<AdjustmentResult>,
    /// The tie-breaks after it, in order; the last one can be open (additive; absent when none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub tie_breaks: Vec<TieBreakStatus>,
}

/// Points that the host gave a player by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdjustmentResult {
    /// Its id, as in `adjustments_update`.
    pub adjustment_id: Uuid,
    /// Who.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// The points; below 0 when they were taken away.
    pub points: i32,
    /// The host's reason; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// The co-host who gave them; absent when the host did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub given_by: Option<String>,
}

/// The answers to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionResults {
    /// The question's id.
    pub question_id: Uuid,
    /// The text of the question.
    pub text: String,
    /// The question's type.
    #[serde(rename = "type")]
    #[ts(as = "String")]
    #[schema(value_type = String)]
    pub kind: WireKind,
    /// The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers
    /// are not marked.
    pub correct_answer: String,
    /// Points for a correct answer.
    pub points: u32,
    /// The number of players who could answer, without players who joined after the round was closed (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub players: Option<u32>,
    /// One entry per player who answered, in order of arrival.
    pub answers: Vec<AnswerResult>,
    /// The author's explanation, shown with the right answer; absent when there is none (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explanation: Option<String>,
    /// Whether its text was edited after its release (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub corrected: bool,
    /// Whether the host withdrew it: its answers earn nothing (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// The appeals about it, by order of joining (additive; absent when none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub appeals: Vec<AppealResult>,
}

/// A player's appeal about the mark of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppealResult {
    /// Who.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// The player's reason; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Its outcome.
    pub outcome: AppealOutcome,
}

/// One player's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerResult {
    /// Who.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// The answer as stored.
    pub answer: String,
    /// Whether it counts.
    pub correct: bool,
    /// Whether the host overruled the marking, and did not change it back.
    pub overridden: bool,
    /// Whether it counts by a change of this game's key with `accept_answer` (additive; absent when not). Without this
    /// and `overridden` it counts by the key of the quiz.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_changed_key: bool,
    /// The co-host who overruled the marking (additive; absent when the host did).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub marker: Option<String>,
    /// The points that it earns; they count once the round's scores are released. When `correct` is false: the points
    /// of a partly right answer, or, below 0, of a wrong one.
    pub points: i32,
    /// The part of `points` that it earns for a streak (additive; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub streak_points: u32,
    /// The part of `points` that it earns for its speed (additive; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub speed_points: u32,
    /// The part of `points` that it earns for the joker (additive; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joker_points: i32,
    /// How long the player took, in milliseconds (additive; absent when speed earns no points).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub elapsed_ms: Option<u32>,
}
