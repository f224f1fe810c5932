//! Server to a screen: the whole of what the room may know, as one picture that replaces the one before.
//!
//! These types have no field for a key that is not revealed, for whose answer an answer was, or for a text that is not released.

use quizhall_quiz::WireKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example;
use super::to_all::{MediaPreload, TallyEntry};
use crate::shapes::{Player, ReleasedMedia};
use crate::slides::ScreenShow;

crate::messages::messages! {
    /// A message that a screen receives.
    ToScreen {
        /// All that a screen shows. Each replaces the one before.
        ScreenUpdate(ScreenUpdate = ScreenUpdate {
            round: Some(ScreenRound { number: 1, of: 3, title: "Brass".to_owned() }),
            questions: vec![example::screen_question()],
            ..ScreenUpdate::new("K7QX2M", "A night at the opera", ScreenPhase::Question)
        }):
            "screen_update" since QuizhallV1, in "any",
            "Connecting, and any change of what is in it, at most four times a second.";
    }
}

/// Payload of `screen_update`. What is absent or empty is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenUpdate {
    /// What players type.
    pub game_code: String,
    /// Title of the quiz.
    pub title: String,
    /// The phase.
    pub phase: ScreenPhase,
    /// Whether new players are refused.
    pub locked: bool,
    /// How many players there are.
    pub player_total: u32,
    /// The round that is played, or was played last; absent in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub round: Option<ScreenRound>,
    /// In the lobby the players, in order of joining; of more than 200 the newest 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Player>>", optional)]
    pub players: Vec<Player>,
    /// While a round is open, its released questions in order of release; of more than 11 the newest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ScreenQuestion>>", optional)]
    pub questions: Vec<ScreenQuestion>,
    /// The time of the round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub timer: Option<ScreenTimer>,
    /// The tally that the host shows of the newest question, or of any once the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tally: Option<ScreenTally>,
    /// The break, while there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pause: Option<ScreenBreak>,
    /// The jokers for the round that is played or comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub jokers: Option<ScreenJokers>,
    /// What the host shows: an answer that is revealed, and once the scores are out one slide after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub show: Option<ScreenShow>,
    /// The copies of pictures and sounds to load before their questions are released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub preload: Option<MediaPreload>,
    /// Whether the host wants sounds.
    pub sound: bool,
    /// The language of the screen's own words, as a tag; absent: the screen's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<String>,
}

impl ScreenUpdate {
    /// The picture of a game without anything that is not always there.
    pub fn new(game_code: impl Into<String>, title: impl Into<String>, phase: ScreenPhase) -> Self {
        Self {
            game_code: game_code.into(),
            title: title.into(),
            phase,
            locked: false,
            player_total: 0,
            round: None,
            players: Vec::new(),
            questions: Vec::new(),
            timer: None,
            tally: None,
            pause: None,
            jokers: None,
            show: None,
            preload: None,
            sound: false,
            language: None,
        }
    }
}

/// The phases of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ScreenPhase {
    /// Players gather.
    Lobby,
    /// Questions are asked.
    Question,
    /// The round is closed and marked.
    RoundReview,
    /// The scores of the round are out.
    Leaderboard,
    /// The game is over.
    Ended,
}

/// A round by its place in the quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenRound {
    /// From 1.
    pub number: u32,
    /// How many rounds the quiz has.
    pub of: u32,
    /// Its title; may be empty.
    pub title: String,
}

/// What a timer has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenTimer {
    /// Milliseconds left when the message was made.
    pub remaining_ms: u32,
    /// Whether the time falls.
    pub running: bool,
}

/// A released question, and how many have answered it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct ScreenQuestion {
    /// The question's id.
    pub id: Uuid,
    /// Its number on the phones, from 1.
    pub number: u32,
    /// What is asked.
    pub text: String,
    /// Its type.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    #[ts(as = "String")]
    pub kind: WireKind,
    /// The choices in the order to show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub choices: Vec<String>,
    /// Points for a right answer.
    pub points: u32,
    /// Whether a right answer earns more, the sooner it is given. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub speed_points: bool,
    /// Its picture or its sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub media: Option<ReleasedMedia>,
    /// How many have answered.
    pub answered: u32,
    /// Of how many: those who are connected, and those who answered and went.
    pub of: u32,
    /// Whether its time is over.
    pub closed: bool,
    /// Whether its text was edited since its release. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub corrected: bool,
    /// Whether it was taken out of the round. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
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
    /// What it has left.
    pub timer: ScreenTimer,
    /// What the host wrote to be shown with it; may be empty.
    pub text: String,
    /// The round behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<ScreenRound>,
}

/// How many have played their joker for a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenJokers {
    /// Which round, from 1.
    pub round: u32,
    /// How many.
    pub played: u32,
}
