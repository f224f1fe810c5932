//! Every reason for which the game refuses a command. The engine maps each to a close code or an HTTP status. The sentences here
//! contain nothing that a participant sent.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a command was refused (messages.md#rules-of-the-game). A refused command changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The command is valid only in another phase.
    #[error("not valid in this phase of the game")]
    WrongPhase,
    /// Only the other role may send this command.
    #[error("not a message of this role")]
    WrongRole,
    /// The question is not one of this game, or it is not open in this round. The refusal does not show which.
    #[error("no such question is open")]
    UnknownQuestion,
    /// There is no such player in this game, or the player was removed.
    #[error("no such player in this game")]
    UnknownPlayer,
    /// The last round has been played; the host may end the game.
    #[error("no round left")]
    NoRoundLeft,
    /// The host has ruled on as many texts of this question as a game stores.
    #[error("no more texts can be added to the key of this question")]
    KeyFull,
    /// The host has given points by hand as often as a game allows.
    #[error("points were given by hand as often as allowed")]
    TooManyAdjustments,
    /// The question cannot have this text.
    #[error("the text does not fit the question")]
    UnfitText,
    /// The question cannot have these choices, or its choices have already been shown.
    #[error("the choices do not fit the question, or it was released")]
    UnfitChoices,
    /// The question cannot have these accepted answers, or it has already been shown.
    #[error("the accepted answers do not fit the question, or it was released")]
    UnfitAccepted,
    /// No player can have this name.
    #[error("no player can have this name")]
    UnfitName,
    /// Another player has this name, or one that looks the same.
    #[error("another player has this name or one that looks like it")]
    NameTaken,
    /// The host has locked the game.
    #[error("the host has locked the game")]
    Locked,
    /// The game is over and cannot be joined.
    #[error("the game has ended")]
    Ended,
    /// The game has as many screens as allowed.
    #[error("the game has as many screens as allowed")]
    TooManyScreens,
    /// The game has as many co-hosts as allowed.
    #[error("the game has as many co-hosts as allowed")]
    TooManyCoHosts,
    /// No seat has this code: it was never issued, was used or replaced, or is too old.
    #[error("no seat has this code")]
    UnknownSeatCode,
    /// Players have joined, so the game keeps its teams or plays without any.
    #[error("players have joined already")]
    HasPlayers,
    /// The game has no teams.
    #[error("the game has no teams")]
    NoTeams,
    /// No team of the game has this code.
    #[error("no team has this code")]
    UnknownTeam,
    /// Another team has this code.
    #[error("another team has this code")]
    TeamCodeTaken,
    /// The team has as many phones as allowed.
    #[error("the team has as many phones as allowed")]
    TeamFull,
    /// The game has as many players as allowed.
    #[error("the game is full")]
    Full,
    /// The same idempotency key was used for an earlier join with another player or token.
    #[error("the idempotency key belongs to another join")]
    IdempotencyMismatch,
    /// The participant has added as much to the log within a minute as is allowed.
    #[error("too much was written within a minute")]
    TooMuch,
    /// The command came over a connection that a newer connection of the same participant has replaced.
    #[error("a newer connection of the same participant has spoken since")]
    Superseded,
    /// The game was deleted or abandoned.
    #[error("the game is closed")]
    Closed,
}
