//! Player to server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// A message of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum FromPlayer {
    /// Answers an open question; a later, different answer replaces an earlier one until the round ends.
    SubmitAnswer(SubmitAnswer),
}

/// Payload of `submit_answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct SubmitAnswer {
    /// Which open question.
    pub question_id: Uuid,
    /// The answer: 1 to 1,000 code points, at most 4 KiB; for a choice, its text.
    #[schemars(length(min = 1, max = 1000))]
    pub answer: String,
}
