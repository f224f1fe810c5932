//! The released results of a game, open to every client with the link: `/api/v1/games/{id}/results-link`,
//! `/api/v1/results/{token}`.
//!
//! They contain only what players have been shown: no code, no id of a player or a question, no answer of another
//! player. With `proof`, the link also gives the proof of a sealed game, which has all of this. With `replay`, it also shows what the
//! screen showed, with its code and its ids.

use quizhall_quiz::WireKind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::messages::to_all::Section;

/// The body of `POST /api/v1/games/{id}/results-link`, which may be left out: what the link shows besides the results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ShareResults {
    /// Whether it gives the proof of a sealed game once the game has ended. Absent: as before, and not for a new link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<bool>,
    /// Whether it shows the replay once the game has ended. Absent: as before, and not for a new link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<bool>,
}

/// A results link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ResultsLink {
    /// The page with the released results; the token is in the fragment.
    pub url: String,
    /// Whether it also gives the proof once the game has ended; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proof: bool,
    /// Whether it also shows the replay once the game has ended (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replay: bool,
}

/// The released results of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct SharedResults {
    /// The game's id, by which a player's device finds its session token. It gives no access.
    pub game_id: Uuid,
    /// Title of the quiz.
    pub title: String,
    /// When the game was created (RFC 3339, UTC).
    pub created_at: String,
    /// Whether the game has ended: no more results follow.
    pub ended: bool,
    /// `true` while the host has not shown the standings yet; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standings_held: Option<bool>,
    /// The name of the player whose session token came with the request; absent without a token of this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<String>,
    /// The standings, whole; empty while they are held.
    pub standings: Vec<SharedStanding>,
    /// The rounds whose scores are released.
    pub rounds: Vec<SharedRound>,
    /// Whether the link gives the proof of the game (`GET /api/v1/games/{id}/proof`, with the token as bearer token); absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub proof: bool,
    /// Whether the link shows the replay, under `/moments` (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replay: bool,
}

/// A player's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedStanding {
    /// From 1; equal scores share a rank, unless a tie-break ordered them.
    pub rank: u32,
    /// The player's name; a placeholder when it was erased.
    pub display_name: String,
    /// All points of the released rounds.
    pub score: i64,
}

/// A round whose scores are released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedRound {
    /// From 1.
    pub number: u32,
    /// Its title; may be empty.
    pub title: String,
    /// The round of the quiz that it comes from; only with pace `question` (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub section: Option<Section>,
    /// Its released questions, in order of release.
    pub questions: Vec<SharedQuestion>,
    /// The points that the host gave the player in `you` by hand in this round, added up (additive; absent without `you`, or when there
    /// are none).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub your_adjustments: Option<i64>,
}

/// A question of such a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedQuestion {
    /// The text of the question.
    pub text: String,
    /// The question's type.
    #[serde(rename = "type")]
    #[ts(as = "String")]
    #[schema(value_type = String)]
    pub kind: WireKind,
    /// The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers
    /// are not marked.
    pub correct_answer: String,
    /// Points for a right answer.
    pub points: u32,
    /// How many players could answer.
    pub players: u32,
    /// How many answers count as right.
    pub right: u32,
    /// The answer of the player in `you`; absent without `you`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub yours: Option<OwnAnswer>,
    /// The author's explanation, shown with the right answer; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explanation: Option<String>,
    /// Whether its text was edited after its release (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub corrected: bool,
    /// Whether the host withdrew it: its answers earn nothing (additive; absent when not).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
}

/// A player's own answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct OwnAnswer {
    /// The answer; empty when the player gave none.
    pub answer: String,
    /// Whether it counts as right.
    pub correct: bool,
    /// The points that it earned.
    pub points: i32,
}
