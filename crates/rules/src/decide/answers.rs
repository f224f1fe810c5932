//! Judges the release of questions, answers over phones, and suggestions to a captain.

use quizhall_quiz::QuestionId;

use super::asking::{Asked, sender};
use super::verdict::Verdict;
use crate::base::{AnswerText, Mark, Refusal};
use crate::command::Actor;
use crate::event::Change;
use crate::state::State;

/// An answer as a player's socket received it.
#[derive(Clone, Copy)]
pub(super) struct Submitted<'a> {
    pub question: QuestionId,
    pub answer: &'a AnswerText,
    /// How long after the question had been written there it came, milliseconds; none when that is not known.
    pub measured: Option<u32>,
}

pub(super) fn judge_release(state: &State, question: QuestionId) -> Verdict {
    if !state.is_in_round(question) {
        return Err(Refusal::UnknownQuestion);
    }
    Ok((!state.is_released(question)).then_some(Change::QuestionReleased { question }))
}

/// A question that is not open, no longer open, or unknown is refused in the same way, so that the refusal shows nothing of the
/// quiz.
///
/// Repeating the same answer keeps the time of the first. From another phone of the team it is stored, and then counts as the
/// answer of that phone.
pub(super) fn judge_answer(state: &State, Asked { actor, at }: Asked, submitted: Submitted<'_>) -> Verdict {
    let Submitted { question, answer, measured } = submitted;
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    if !state.may_answer(known, device) {
        return Err(Refusal::WrongRole);
    }
    if !state.is_open_for(question, player) {
        return Err(Refusal::UnknownQuestion);
    }
    let same = state.answer_of(player, question).filter(|given| &*given.text == answer.as_str());
    if same.is_some_and(|given| given.by == device) {
        return Ok(None);
    }
    let elapsed = same.map_or_else(|| state.clock.elapsed(question, measured, at), |given| given.elapsed);
    let mark = state.mark(question, answer.as_str()).ok_or(Refusal::UnknownQuestion)?;
    let Mark { correct, near_miss, partial } = mark;
    let answer = answer.shared();
    Ok(Some(Change::Answered { player, device, question, answer, correct, near_miss, partial, elapsed }))
}

/// Refuses captains and players without a captain: their answers count. Nothing is stored when a suggestion is repeated.
pub(super) fn judge_suggestion(state: &State, actor: Actor, question: QuestionId, answer: &AnswerText) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    if !state.may_suggest(known, device) {
        return Err(Refusal::WrongRole);
    }
    if !state.is_open_for(question, player) {
        return Err(Refusal::UnknownQuestion);
    }
    let mut own = known.suggestions().iter().filter(|one| (one.question, one.by) == (question, device));
    let is_new = own.all(|one| &*one.text != answer.as_str());
    Ok(is_new.then(|| Change::Suggested { player, device, question, answer: answer.shared() }))
}
