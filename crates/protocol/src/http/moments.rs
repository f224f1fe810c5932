//! The moments of a game, `/api/v1/games/{id}/moments`: what the screen showed, from the first picture to the last.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// The moments of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MomentList {
    /// In the order in which the screen showed them.
    pub moments: Vec<GameMoment>,
}

/// A picture that the screen showed, and that differs from the one before in more than running times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct GameMoment {
    /// Its place, from 0.
    pub index: u32,
    /// When it was shown (RFC 3339, UTC); absent for a game that a version without times has stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What the picture shows.
    pub kind: MomentKind,
    /// The round, from 1; 0 in the lobby.
    pub round: u32,
    /// The question that the picture is about: the newest open one, the one whose answer is shown, or the one of the tally.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<Uuid>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// The code, and the players who have joined.
    Lobby,
    /// The title of the round, before its first question.
    Round,
    /// The open questions.
    Question,
    /// The round is over, and the host marks.
    Marking,
    /// How many players gave each answer.
    Tally,
    /// A question with its right answer.
    Answer,
    /// A page of the standings.
    Standings,
    /// The round that comes next.
    Next,
    /// The places of the podium so far.
    Podium,
    /// The first place.
    Winner,
    /// A tie-break.
    TieBreak,
    /// The break between two rounds.
    Break,
    /// Nothing: the host has darkened the screens.
    Blank,
}
