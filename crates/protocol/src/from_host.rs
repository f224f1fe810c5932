//! Host to server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// A message of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum FromHost {
    /// Lobby → question.
    StartGame,
    /// Opens a question of the current round.
    ReleaseQuestion(ReleaseQuestion),
    /// Question → round review.
    EndRound,
    /// Overrules the marking of one answer, either way.
    OverrideAnswer(OverrideAnswer),
    /// Round review → leaderboard.
    ReleaseScores,
    /// Leaderboard → question, of the next round.
    StartNextRound,
    /// Leaderboard → ended.
    EndGame,
}

/// Payload of `release_question`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseQuestion {
    /// A question of the current round.
    pub question_id: Uuid,
}

/// Payload of `override_answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct OverrideAnswer {
    /// Whose answer.
    pub player_id: Uuid,
    /// To which released question.
    pub question_id: Uuid,
    /// How it shall count.
    pub correct: bool,
}
