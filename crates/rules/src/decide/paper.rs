//! Judges what the host does for players on paper: a seat without a phone, and an answer that such a player wrote down.
//! Never changes anything.

use super::verdict::Verdict;
use crate::base::{DisplayName, Mark, Refusal};
use crate::command::{EnteredAnswer, NewSeat};
use crate::event::Change;
use crate::state::State;

/// A repeated request has nothing to do. A locked game takes the player, because the host asks.
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

/// Allowed until the scores are out, even when the time of the question is over: paper is collected later. Nothing is stored for the same
/// answer once more.
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
