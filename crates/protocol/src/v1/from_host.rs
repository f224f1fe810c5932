//! Host to server, extension messages: marking whole groups, who may be in the room, and when the standings are shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// A message of a host who speaks `quizhall.v1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum FromHostV1 {
    /// Overrules the marking of every answer to a question that has one of these texts.
    MarkAnswers(MarkAnswers),
    /// Takes back the latest marking of this round, single or group; nothing happens when there is none.
    UndoMarking,
    /// Lets nobody else in, or lets them in again.
    LockGame(LockGame),
    /// Removes a player for good: the seat is gone, the name is free.
    RemovePlayer(RemovePlayer),
    /// Releases the scores of the round and holds the standings: players who speak `quizhall.v1` receive their own results only.
    ReleaseOwnScores,
    /// Shows the standings that were held; nothing happens when they are shown already.
    ShowStandings,
}

/// Payload of `mark_answers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct MarkAnswers {
    /// A question released in this round.
    pub question_id: Uuid,
    /// 1 to 1,000 texts, each exactly as it stands in `round_review`; one that nobody gave is ignored. All of it within the size of a message, 64 KiB.
    #[schemars(length(min = 1, max = 1000))]
    pub answers: Vec<String>,
    /// How these answers shall count.
    pub correct: bool,
}

/// Payload of `lock_game`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LockGame {
    /// Whether joining is refused from now on (423); seats that are taken are not touched.
    pub locked: bool,
}

/// Payload of `remove_player`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RemovePlayer {
    /// Whom.
    pub player_id: Uuid,
}
