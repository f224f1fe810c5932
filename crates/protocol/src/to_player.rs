//! Server to a single player only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::shapes::QuestionResult;
use crate::to_all::Leaderboard;

/// A message that one player receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToPlayer {
    /// The answer is durably stored. The same bytes whether it is right or wrong.
    AnswerAccepted(AnswerAccepted),
    /// This player's results of the round.
    RoundScores(RoundScores),
    /// The running board: whole up to 200 players, above that the top 100 and the player's own entry.
    ScoreboardUpdate(Leaderboard),
}

/// Payload of `answer_accepted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerAccepted {
    /// Which question.
    pub question_id: Uuid,
}

/// Payload of `round_scores`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RoundScores {
    /// One entry per released question of the round, in order of release, answered or not.
    pub results: Vec<QuestionResult>,
    /// The player's points of this round.
    #[ts(type = "number")]
    pub round_total: u64,
}
