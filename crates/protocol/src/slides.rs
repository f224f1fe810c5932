//! The parts of a screen's picture that contain answers: a revealed answer, and the slides after the release of the
//! scores.
//!
//! A slide contains only what it shows, and nothing of the slides after it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::messages::to_all::TieBreakStatus;
use crate::messages::to_screen::{ScreenRound, ScreenTally};
use crate::shapes::ReleasedMedia;

/// A slide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScreenShow {
    /// A question with its answer.
    Question(Box<ShownAnswer>),
    /// A page of the standings.
    Standings(ShownStandings),
    /// The round that comes next.
    Next(ScreenRound),
    /// Some of the first three places.
    Podium(ShownPodium),
    /// The first place.
    Winner(ShownWinner),
    /// The latest tie-break: while it is open, and then until the host shows another slide.
    TieBreak(TieBreakStatus),
}

/// A question with its answer, once the answer is revealed or the scores are released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownAnswer {
    /// Its number on the phones, from 1.
    pub number: u32,
    /// How many questions the round has released.
    pub of: u32,
    /// The text of the question.
    pub text: String,
    /// The right answer; empty when answers are not marked.
    pub answer: String,
    /// The choices, and how many players took each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub choices: Vec<ShownChoice>,
    /// The share of right answers; absent before the scores are released, and when answers are not marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub right: Option<ShownShare>,
    /// The tally of a question that is not marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tally: Option<ScreenTally>,
    /// The author's explanation, shown with the answer; may be empty.
    pub explanation: String,
    /// The picture or the sound of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub media: Option<ReleasedMedia>,
}

/// A choice of a question whose answer is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownChoice {
    /// The choice.
    pub text: String,
    /// Whether it is right.
    pub right: bool,
    /// The number of players who took it.
    pub taken: u32,
}

/// A number of answers out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownShare {
    /// The number.
    pub count: u32,
    /// The total.
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
#[ts(optional_fields)]
pub struct ScreenRow {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// All points.
    pub score: i64,
    /// From 1.
    pub rank: u32,
    /// The points of the last round; absent once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_score: Option<i64>,
    /// The rank before the last round; absent on the first board, and once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_rank: Option<u32>,
}

/// The first three places, revealed from the third up to the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownPodium {
    /// Best first.
    pub places: Vec<ScreenPlace>,
    /// Whether all places are shown.
    pub whole: bool,
}

/// The first place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownWinner {
    /// The place with all players who share it.
    pub place: ScreenPlace,
}

/// A place on the podium with all players who share it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenPlace {
    /// From 1.
    pub rank: u32,
    /// The points.
    pub score: i64,
    /// The players on this place.
    pub names: Vec<ScreenName>,
}

/// A player's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenName {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
}
