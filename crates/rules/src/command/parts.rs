//! Parts of commands that are large or have parts of their own. Sent between nodes like the commands themselves.

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::{AnswerText, DeviceId, DisplayName, PlayerId, TeamCode, TokenHash};

/// The question of a tie-break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieQuestion {
    /// The players who are asked.
    pub players: Vec<PlayerId>,
    /// The text of the question.
    pub text: String,
    /// The right answer.
    pub answer: i64,
}

/// The values that another phone brings when it takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatMove {
    /// Hash of the seat's code.
    pub code: TokenHash,
    /// Hash of the token that opens the socket from now on.
    pub token: TokenHash,
    /// The time of the move by the clock of the database, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The values of a join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// The player's id, made by the caller.
    pub player: PlayerId,
    /// The checked name.
    pub display_name: DisplayName,
    /// Hash of the session token that opens the socket.
    pub token: TokenHash,
    /// Hash of the `Idempotency-Key`, if one was sent.
    pub idempotency: Option<TokenHash>,
    /// How many players the game may hold, this one included.
    pub player_limit: u32,
    /// The code with which further phones join, if the player is a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamCode>,
}

/// The values of a new player on paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSeat {
    /// The name as the host wrote it.
    pub name: String,
    /// How many players the game may hold, this one included.
    pub player_limit: u32,
}

/// An answer of a player on paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnteredAnswer {
    /// The player on paper.
    pub player: PlayerId,
    /// The question.
    pub question: QuestionId,
    /// The answer as the host typed it.
    pub answer: AnswerText,
}

/// The values that a phone brings when it joins a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddDevice {
    /// The code of the team.
    pub team: TeamCode,
    /// The phone's id, made by the caller.
    pub device: DeviceId,
    /// The checked name.
    pub display_name: DisplayName,
    /// Hash of the session token that opens the socket.
    pub token: TokenHash,
    /// Hash of the `Idempotency-Key`, if one was sent.
    pub idempotency: Option<TokenHash>,
}
