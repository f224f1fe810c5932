//! The five phases of a game, in the interface's words (messages.md#phases). Moves between them are decided in `decide`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A phase of a game, in the order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Players gather.
    Lobby,
    /// The host releases questions and players answer them.
    Question,
    /// The round is closed; the host looks at the answers and may override marks.
    RoundReview,
    /// The scores of the round are out.
    Leaderboard,
    /// The game is over.
    Ended,
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
