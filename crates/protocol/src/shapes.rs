//! The objects inside messages, with exactly the interface's fields and the additive ones.

use quizhall_quiz::{MediaKind, QuestionKind, WireKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// A player in the lobby list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    /// The player's id.
    pub id: Uuid,
    /// The name as the player gave it.
    pub display_name: String,
}

/// A question as released to participants; never with its correct answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
pub struct Question {
    /// The question's id.
    pub id: Uuid,
    /// The text of the question.
    pub text: String,
    /// `text`, `multiple_choice`, `true_false` or `numeric`, with `quizhall.v1` also `multi_select`, `order`, `poll`, `word_cloud`
    /// or `nearest`; treat an unknown type as `text`.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    #[ts(as = "String")]
    #[schema(value_type = String)]
    pub kind: WireKind,
    /// The choices in the order to show; absent for types without choices. An answer is the text of a choice; several
    /// choices are written one per line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub choices: Option<Vec<String>>,
    /// Points for a correct answer, 0 to 1,000,000.
    pub points: u32,
    /// Its picture or its sound; only over `quizhall.v1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub media: Option<ReleasedMedia>,
    /// Whether an earlier right answer earns more; only over `quizhall.v1`. Absent: false.
    #[serde(default, rename = "speedPoints", skip_serializing_if = "std::ops::Not::not")]
    pub speed_points: bool,
}

/// The picture or the sound of a released question, with the key to the copy that was loaded ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ReleasedMedia {
    /// The name of the copy in `media_preload`.
    pub name: String,
    /// The key of the copy, 64 hexadecimal digits.
    pub key: String,
    /// `picture` or `sound`; ignore a medium of another kind.
    #[schemars(with = "String")]
    pub kind: MediaKind,
    /// The media type of the file.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Length of the file; the rest of the copy is zeros.
    pub bytes: u32,
    /// The text to show when the file cannot be shown; may be empty for a sound.
    pub alt: String,
    /// The game whose copy it is: for a client that has no `media_preload`, as none is sent once the round is over.
    #[serde(default, rename = "gameId", skip_serializing_if = "Option::is_none")]
    pub game_id: Option<Uuid>,
    /// Width of a picture in pixels, where the file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

impl Question {
    /// A question without choices.
    pub fn new(id: Uuid, kind: QuestionKind, text: impl Into<String>, points: u32) -> Self {
        Self { id, text: text.into(), kind: kind.into(), choices: None, points, media: None, speed_points: false }
    }
}

/// A phone of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamDevice {
    /// The phone's id.
    pub device_id: Uuid,
    /// Its name, unique in the team; the first phone has the team's.
    pub display_name: String,
    /// Whether it is connected.
    pub connected: bool,
    /// How many times the phone of this place has changed: another has taken the place, or it was removed (additive, in
    /// `room_update` only; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moves: u32,
}

/// A row of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaderboardEntry {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// All points up to and including the last released round.
    pub score: i64,
    /// From 1; equal scores share a rank and the next rank is skipped (1, 2, 2, 4). Over `quizhall.v1` a tie-break gives them ranks of their own.
    pub rank: u32,
    /// Points of the last released round only (additive; in `round_leaderboard`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub round_score: Option<i64>,
}

/// An answer as the host reviews it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewAnswer {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// Which question.
    pub question_id: Uuid,
    /// The answer as given.
    pub answer: String,
    /// Whether it counts as correct now, including overrides.
    pub correct: bool,
    /// Whether it is marked wrong but close to an accepted answer (additive; absent: false).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_miss: bool,
    /// The points that it earns although it does not count as correct (additive, with `quizhall.v1` only; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial_points: u32,
    /// How long the player took, in milliseconds (additive, with `quizhall.v1` only; absent when speed earns no
    /// points).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub elapsed_ms: Option<u32>,
    /// Whether the host has decided how it counts (additive, with `quizhall.v1` only; absent: false).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ruled: bool,
}

pub(crate) fn is_zero<T: Default + PartialEq>(points: &T) -> bool {
    *points == T::default()
}

/// A player's result for one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionResult {
    /// Which question.
    pub question_id: Uuid,
    /// Its text.
    pub question: String,
    /// The player's answer; empty when the player gave none.
    pub your_answer: String,
    /// The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers
    /// are not marked.
    pub correct_answer: String,
    /// Whether the answer counted as correct.
    pub correct: bool,
    /// The points the player got. When `correct` is false: the points of a partly right answer, or, below 0, of a wrong
    /// one (`wrongPoints`).
    pub points: i32,
    /// The part of `points` that the answer earned for a streak (additive, with `quizhall.v1` only; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub streak_points: u32,
    /// The part of `points` that the answer earned for its speed (additive, with `quizhall.v1` only; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub speed_points: u32,
    /// The part of `points` that the answer earned for the joker (additive, with `quizhall.v1` only; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joker_points: i32,
}

/// The outcome of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AppealOutcome {
    /// The host has not decided yet.
    Open,
    /// The answer counts as right.
    Accepted,
    /// The host left the mark as it is.
    Dismissed,
}
