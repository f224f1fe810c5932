//! Choices about a game that the rules, the log and the wire spell alike.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// What a co-host may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoHostRole {
    /// Everything that the host may do over a socket, and screens and seat codes over HTTP: another device of the host.
    Host,
    /// Reviews and marks: `override_answer`, `mark_answers`, `accept_answer`, `open_desk`, `undo_marking` of its own markings,
    /// `correct_marks`, `dismiss_appeal` and `enter_answer`.
    Marker,
    /// Looks after the room: `lock_game`, `remove_player`, `rename_player` and `add_seat`, and seat codes over HTTP.
    Moderator,
}

/// The phases of a game, in the order of play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Players gather.
    #[default]
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

/// Whether a round of a game is a round of the quiz.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// The rounds of the quiz are the rounds of the game.
    #[default]
    Round,
    /// Each question of the quiz is a round of the game.
    Question,
}

/// After which questions the standings are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardAfter {
    /// After each question.
    #[default]
    Question,
    /// After every third question of a round of the quiz, and after its last.
    Third,
    /// After the last question of a round of the quiz.
    Section,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 5] = [Self::Lobby, Self::Question, Self::RoundReview, Self::Leaderboard, Self::Ended];

    /// The interface's word for it: `lobby`, `question`, `round_review`, `leaderboard` or `ended`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lobby => "lobby",
            Self::Question => "question",
            Self::RoundReview => "round_review",
            Self::Leaderboard => "leaderboard",
            Self::Ended => "ended",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
