//! Server to all participants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::shapes::{LeaderboardEntry, Player, Question};

/// A message that host and players receive alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToAll {
    /// A player joined or left.
    LobbyUpdate(LobbyUpdate),
    /// The host started the game.
    GameStarted,
    /// The host released a question.
    QuestionReleased(QuestionReleased),
    /// The host closed the round: no more answers.
    RoundEnded,
    /// The standing after the round whose scores were released.
    RoundLeaderboard(Leaderboard),
    /// The game is over; the final board.
    GameEnded(Leaderboard),
}

/// Payload of `lobby_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LobbyUpdate {
    /// Players present, in order of joining; above 2,000 the 100 newest.
    pub players: Vec<Player>,
    /// How many players there are, when `players` is not all of them (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub total: Option<u32>,
}

/// Payload of `question_released`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuestionReleased {
    /// The question, without its correct answer.
    pub question: Question,
}

/// Payload of the messages that carry a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Leaderboard {
    /// By rank, equal ranks by name; whole up to 200 players, above that the top 100 (and one's own entry where the message is personal).
    pub leaderboard: Vec<LeaderboardEntry>,
}
