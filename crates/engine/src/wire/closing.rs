//! Refusals of the game → close codes (messages.md#close-codes).

use quizhall_protocol::{Close, CloseCode};
use quizhall_rules::Refusal;

/// The close that answers a refused message.
pub fn close_for(refusal: Refusal) -> Close {
    match refusal {
        Refusal::WrongRole => CloseCode::WrongRole.into(),
        Refusal::UnknownQuestion => CloseCode::UnknownQuestion.into(),
        Refusal::UnknownPlayer => CloseCode::UnknownPlayer.into(),
        Refusal::NoRoundLeft => Close::with_detail(CloseCode::InvalidPayload, "no round left"),
        Refusal::KeyFull | Refusal::UnfitText => Close::with_detail(CloseCode::InvalidPayload, "text"),
        Refusal::TooManyAdjustments => Close::with_detail(CloseCode::InvalidPayload, "too many adjustments"),
        Refusal::UnfitChoices => Close::with_detail(CloseCode::InvalidPayload, "choices"),
        Refusal::UnfitAccepted => Close::with_detail(CloseCode::InvalidPayload, "accepted"),
        Refusal::UnfitName | Refusal::NameTaken => Close::with_detail(CloseCode::InvalidPayload, "displayName"),
        Refusal::Full => Close::with_detail(CloseCode::InvalidPayload, "game full"),
        Refusal::TooMuch => Close::TOO_MUCH,
        Refusal::Superseded => CloseCode::Replaced.into(),
        Refusal::Closed => CloseCode::GameClosed.into(),
        // The others are refusals of requests over HTTP, and wrong phases.
        Refusal::WrongPhase
        | Refusal::Ended
        | Refusal::Locked
        | Refusal::TooManyScreens
        | Refusal::TooManyCoHosts
        | Refusal::HasPlayers
        | Refusal::NoTeams
        | Refusal::UnknownTeam
        | Refusal::TeamCodeTaken
        | Refusal::TeamFull
        | Refusal::UnknownSeatCode
        | Refusal::IdempotencyMismatch => CloseCode::WrongPhase.into(),
    }
}

/// The close for an answer that is empty, too long or has control characters.
pub fn answer_out_of_range() -> Close {
    Close::with_detail(CloseCode::InvalidPayload, "answer")
}
