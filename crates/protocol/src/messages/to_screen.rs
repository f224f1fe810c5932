//! Server to a screen: everything that the audience may know, as one message that replaces the previous one.
//!
//! These types have no field for an unrevealed key, for the author of an answer, or for an unreleased text.

use quizhall_quiz::{Phase, WireKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example;
use super::to_all::{AutopilotStep, MediaPreload, Section, TallyEntry};
use crate::shapes::{Player, ReleasedMedia};
use crate::slides::ScreenShow;

crate::messages::messages! {
    /// A message that a screen receives.
    ToScreen {
        /// Everything that a screen shows. Each message replaces the previous one.
        ScreenUpdate(ScreenUpdate = ScreenUpdate {
            round: Some(ScreenRound { number: 1, of: 3, title: "Brass".to_owned(), section: None, wrong_points: None }),
            questions: vec![example::screen_question()],
            ..ScreenUpdate::new("K7QX2M", "A night at the opera", Phase::Question)
        }):
            "screen_update" since QuizhallV1, in "any",
            "Connecting, and any change of its fields, at most four times a second, and 12 kB a second in the long run.";
    }
}

/// Payload of `screen_update`. A screen shows nothing for a field that is absent or empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ScreenUpdate {
    /// The code that players type.
    pub game_code: String,
    /// Title of the quiz.
    pub title: String,
    /// The phase.
    pub phase: Phase,
    /// Whether new players are refused.
    pub locked: bool,
    /// The number of players.
    pub player_total: u32,
    /// The current or the last round; absent in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<ScreenRound>,
    /// In the lobby, the players, in order of joining; above 200, the newest 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub players: Vec<Player>,
    /// In the lobby of a sealed game, the seal of the quiz: 64 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// While a round is open, its released questions in order of release; above 11, the newest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub questions: Vec<ScreenQuestion>,
    /// The time of the round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<ScreenTimer>,
    /// The autopilot's next step; absent while a question is open, and while no autopilot runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<AutopilotStep>,
    /// The tally that the host shows: of the newest question, or of any question once the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<ScreenTally>,
    /// The break, while there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<ScreenBreak>,
    /// The jokers for the current or the next round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jokers: Option<ScreenJokers>,
    /// The host's choice: a revealed answer, and after the release of the scores one slide after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<ScreenShow>,
    /// The copies of pictures and sounds to load ahead of their questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload: Option<MediaPreload>,
    /// Whether the host wants nothing to be shown: the screen is dark, whatever the other fields say. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub blank: bool,
    /// Whether the host wants sounds.
    pub sound: bool,
    /// The language of the screen's own words, as a tag; absent: the screen's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl ScreenUpdate {
    /// An update that has only the fields that are always present.
    pub fn new(game_code: impl Into<String>, title: impl Into<String>, phase: Phase) -> Self {
        Self {
            game_code: game_code.into(),
            title: title.into(),
            phase,
            locked: false,
            player_total: 0,
            round: None,
            players: Vec::new(),
            seal: None,
            questions: Vec::new(),
            timer: None,
            step: None,
            tally: None,
            pause: None,
            jokers: None,
            show: None,
            preload: None,
            blank: false,
            sound: false,
            language: None,
        }
    }
}

/// A round by its place in the quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ScreenRound {
    /// From 1.
    pub number: u32,
    /// How many rounds the quiz has.
    pub of: u32,
    /// Its title; may be empty.
    pub title: String,
    /// The round of the quiz that the question of the round comes from; only with pace `question`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<Section>,
    /// The points of a wrong answer, below 0; absent where it costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_points: Option<i32>,
}

/// The time that a timer has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenTimer {
    /// Milliseconds left when the message was made.
    pub remaining_ms: u32,
    /// Whether the time falls.
    pub running: bool,
}

/// A released question, and how many players have answered it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct ScreenQuestion {
    /// The question's id.
    pub id: Uuid,
    /// Its number on the phones, from 1.
    pub number: u32,
    /// The text of the question.
    pub text: String,
    /// Its type.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    #[ts(as = "String")]
    pub kind: WireKind,
    /// The choices in the order to show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub choices: Vec<String>,
    /// Points for a right answer.
    pub points: u32,
    /// Whether an earlier right answer earns more. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub speed_points: bool,
    /// Its picture or its sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub media: Option<ReleasedMedia>,
    /// The number of players who have answered.
    pub answered: u32,
    /// The number of players who are connected, or have answered and disconnected.
    pub of: u32,
    /// Whether its time is over.
    pub closed: bool,
    /// Whether its text was edited since its release. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub corrected: bool,
    /// Whether it was taken out of the round. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub timer: Option<ScreenTimer>,
}

/// How many players gave each answer to a question that is not marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenTally {
    /// The question.
    pub text: String,
    /// Whether it is shown as words of different sizes.
    pub cloud: bool,
    /// The answers with their counts.
    pub entries: Vec<TallyEntry>,
}

/// The break between two rounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenBreak {
    /// The time that it has left.
    pub timer: ScreenTimer,
    /// The host's text; may be empty.
    pub text: String,
    /// The round after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<ScreenRound>,
}

/// The number of players who have played their joker for a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenJokers {
    /// Which round, from 1.
    pub round: u32,
    /// The number of players.
    pub played: u32,
}
