//! The payload of `review_groups`: the answers of a large round in groups.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::shapes::is_zero;

/// Payload of `review_groups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ReviewGroups {
    /// Which question.
    pub question_id: Uuid,
    /// Its answers.
    pub grouped: GroupedAnswers,
    /// The number of this part, from 1; the first one replaces what the client has of the review. Absent when the message has the groups that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// How many parts there are; absent without `part`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
}

/// The answers to a question of the closed round in groups of those with the same meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct GroupedAnswers {
    /// How many answers there are, with the empty ones of players to whom the host gave points.
    pub answers: u32,
    /// How many of them count as correct.
    pub right: u32,
    /// For each choice of the question, how many answers name it; absent without choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub taken: Vec<u32>,
    /// How many groups wait for a decision: a near miss, or no number where one was asked for, without a ruling.
    pub to_check: u32,
    /// How many groups there are.
    pub total: u32,
    /// With `part` the first 500 groups: those that wait come first, then larger ones. Without it those that changed; when there are more than
    /// 500 groups, the first 50 that wait as well.
    pub groups: Vec<ReviewGroup>,
}

/// Answers with the same meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReviewGroup {
    /// What they have in common. Unique in a question; a newer group with the same key replaces the one before.
    pub key: String,
    /// At most 7 spellings, the most frequent first; empty for a group that no longer has answers.
    pub texts: Vec<String>,
    /// How many players gave it; 0 for a group that no longer has answers.
    pub count: u32,
    /// How many of them count as correct (absent: none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub right: u32,
    /// How many of them earn a part of the points (absent: none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial: u32,
    /// The most points that one of those earns; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial_points: u32,
    /// Whether they are wrong by the key of the quiz, but close to a right answer; absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_miss: bool,
    /// Whether they are no number where one was asked for; absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unread: bool,
    /// Whether the host has decided how each of them counts; absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ruled: bool,
}
