//! Server to host only, extension messages: who is here, who has answered, and what marking did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// A message that only a host who speaks `quizhall.v1` receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToHostV1 {
    /// Who has a seat and who is here: whole on connecting, then what changed, at most 4 a second.
    RoomUpdate(RoomUpdate),
    /// Players who have answered a question: all on connecting, then the new ones with the count.
    PlayersAnswered(PlayersAnswered),
    /// How answers count now, after `mark_answers` or `undo_marking`.
    AnswersMarked(AnswersMarked),
    /// How many markings of this round can be taken back; in review, on connecting and after each marking.
    MarkingUpdate(MarkingUpdate),
}

/// Payload of `room_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomUpdate {
    /// Whether what was known before is void: `players` is everybody, or nobody above 2,000 seats.
    pub whole: bool,
    /// Whole or changed seats, in order of joining; who left the lobby is in no whole list. Empty while the game has more than 2,000 seats: then only the numbers are told.
    pub players: Vec<RoomPlayer>,
    /// Seats taken, those who left the lobby included, removed players not.
    pub total: u32,
    /// How many of them are connected.
    pub connected: u32,
    /// Whether joining is refused.
    pub locked: bool,
}

/// A seat as the host sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RoomPlayer {
    /// The player's id.
    pub id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// Whether they are here.
    pub status: SeatStatus,
}

/// Whether a player is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeatStatus {
    /// Has a socket, or lost it less than the grace period ago.
    Connected,
    /// Has no socket; the seat stays.
    Disconnected,
    /// Was removed by the host, or left the lobby: not in the list (any more).
    Gone,
}

/// Payload of `players_answered`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlayersAnswered {
    /// Which question.
    pub question_id: Uuid,
    /// Who has an answer there, in addition to those named before. Never sent while the game has more than 2,000 seats.
    pub player_ids: Vec<Uuid>,
}

/// Payload of `answers_marked`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswersMarked {
    /// Which question.
    pub question_id: Uuid,
    /// Every answer that the marking or its undo touched, and how it counts now.
    pub marks: Vec<AnswerMark>,
    /// Which part this is, from 1, when there are more than 1,000 marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part: Option<u32>,
    /// How many parts there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<u32>,
}

/// How one answer counts now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerMark {
    /// Whose answer.
    pub player_id: Uuid,
    /// Whether it counts as correct.
    pub correct: bool,
}

/// Payload of `marking_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MarkingUpdate {
    /// How many times `undo_marking` would do something now.
    pub undoable: u32,
}
