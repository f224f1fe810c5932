//! What a screen is shown once answers may be known: an answer that is revealed, and the slides after the scores.
//!
//! A slide has what is shown now, and nothing of those behind it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::messages::to_all::TieBreakStatus;
use crate::messages::to_screen::{ScreenRound, ScreenTally};

/// A slide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScreenShow {
    /// A question with its answer.
    Question(ShownAnswer),
    /// A page of the standings.
    Standings(ShownStandings),
    /// The round that comes next.
    Next(ScreenRound),
    /// Some of the first three places.
    Podium(ShownPodium),
    /// The first place.
    Winner(ShownWinner),
    /// The latest tie-break: while it is open, and then as long as the host shows it.
    TieBreak(TieBreakStatus),
}

/// A question with its answer, once that is revealed or the scores are out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownAnswer {
    /// Its number on the phones, from 1.
    pub number: u32,
    /// How many questions the round has released.
    pub of: u32,
    /// What was asked.
    pub text: String,
    /// The right answer; empty where answers are not marked.
    pub answer: String,
    /// The choices, with how often each was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ShownChoice>>", optional)]
    pub choices: Vec<ShownChoice>,
    /// How many were right; absent before the scores are out, and where answers are not marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub right: Option<ShownShare>,
    /// Of a question that is not marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tally: Option<ScreenTally>,
    /// What the author wrote to be shown with the answer; may be empty.
    pub explanation: String,
}

/// A choice of a question whose answer is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownChoice {
    /// The choice.
    pub text: String,
    /// Whether it is right.
    pub right: bool,
    /// How many took it.
    pub taken: u32,
}

/// How many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownShare {
    /// So many.
    pub count: u32,
    /// Of so many.
    pub of: u32,
}

/// A page of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownStandings {
    /// Ten rows at most.
    pub rows: Vec<ScreenRow>,
    /// From 1.
    pub page: u32,
    /// How many pages there are.
    pub pages: u32,
}

/// A row of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenRow {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// All points.
    #[ts(type = "number")]
    pub score: i64,
    /// From 1.
    pub rank: u32,
    /// The points of the last round; absent once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub round_score: Option<i64>,
    /// The rank before the last round; absent on the first board, and once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub previous_rank: Option<u32>,
}

/// The first three places from below, as far as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownPodium {
    /// Best first.
    pub places: Vec<ScreenPlace>,
    /// Whether no other place follows.
    pub whole: bool,
}

/// The first place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownWinner {
    /// With all who share it.
    pub place: ScreenPlace,
}

/// A place on the podium with all who share it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenPlace {
    /// From 1.
    pub rank: u32,
    /// The points.
    #[ts(type = "number")]
    pub score: i64,
    /// Who holds it.
    pub names: Vec<ScreenName>,
}

/// A player by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenName {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
}
