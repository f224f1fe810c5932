//! Server to host only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::shapes::ReviewAnswer;

/// A message that only the host receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToHost {
    /// How many players have answered a question; coalesced under load, the last count always arrives.
    ScoreboardUpdate(AnswerCount),
    /// Every answer of the closed round.
    RoundReview(RoundReview),
    /// The confirmation of an override.
    OverrideApplied(OverrideApplied),
}

/// Payload of the host's `scoreboard_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerCount {
    /// Which question.
    pub question_id: Uuid,
    /// Players who have answered it; a changed answer does not count twice.
    pub answer_count: u32,
}

/// Payload of `round_review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoundReview {
    /// One entry per player and question, by order of release, then of arrival.
    pub answers: Vec<ReviewAnswer>,
    /// Which part this is, from 1, when there are more than 1,000 answers (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part: Option<u32>,
    /// How many parts there are (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<u32>,
}

/// Payload of `override_applied`: what the host sent, now in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct OverrideApplied {
    /// Whose answer.
    pub player_id: Uuid,
    /// To which question.
    pub question_id: Uuid,
    /// How it counts now.
    pub correct: bool,
}
