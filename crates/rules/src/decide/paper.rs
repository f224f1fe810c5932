//! Decides the host's commands for players on paper: a seat without a phone, and an answer that such a player wrote down. Called
//! only by `decide`; never changes anything.

use crate::decide::Verdict;
use crate::{Change, DisplayName, EnteredAnswer, Mark, NewSeat, Refusal, State};

/// A repeated request does nothing. A locked game accepts the player, because the host asks for the seat.
pub(crate) fn judge_seat(state: &State, NewSeat { name, player_limit }: &NewSeat) -> Verdict {
    let display_name = DisplayName::parse(name).map_err(|_| Refusal::UnfitName)?;
    if state.players().any(|player| player.on_paper && player.display_name == display_name) {
        return Ok(None);
    }
    if state.roster.is_taken(&display_name) {
        return Err(Refusal::NameTaken);
    }
    if state.player_count() >= usize::try_from(*player_limit).unwrap_or(usize::MAX) {
        return Err(Refusal::Full);
    }
    Ok(Some(Change::SeatAdded { player: state.next_on_paper(), display_name }))
}

/// An answer is accepted until the scores are out, even after the time of its question, because paper is collected later.
/// Repeating the same answer stores nothing.
pub(crate) fn judge_answer(state: &State, entered: &EnteredAnswer) -> Verdict {
    let EnteredAnswer { player, question, ref answer } = *entered;
    if !state.is_released(question) || state.is_withdrawn(question) {
        return Err(Refusal::UnknownQuestion);
    }
    if !state.player(player).is_some_and(|player| player.on_paper) {
        return Err(Refusal::UnknownPlayer);
    }
    if state.answer_of(player, question).is_some_and(|given| &*given.text == answer.as_str()) {
        return Ok(None);
    }
    let Mark { correct, near_miss, partial } = state.mark(question, answer.as_str()).ok_or(Refusal::UnknownQuestion)?;
    let answer = answer.shared();
    Ok(Some(Change::AnswerEntered { player, question, answer, correct, near_miss, partial }))
}
