//! Judges the release of questions, answers over phones, and suggestions to a captain.

use quizhall_quiz::QuestionId;

use super::asking::{Asked, sender};
use super::verdict::Verdict;
use crate::base::{AnswerText, Device, Mark, Moment, PlayerSlot, Refusal, SheetPlace};
use crate::command::Actor;
use crate::event::Change;
use crate::state::State;

/// An answer as a player's socket received it.
#[derive(Clone, Copy)]
pub(crate) struct Submitted<'a> {
    pub question: QuestionId,
    pub answer: &'a AnswerText,
    /// How long after the question had been written there it came, milliseconds; none when that is not known.
    pub measured: Option<u32>,
}

/// A question to which answers are given. It remains true while nothing but answers is stored.
pub(crate) struct Open {
    /// Its sheet, while it takes answers.
    place: Option<SheetPlace>,
    /// Whether the time is over for some players.
    is_any_over: bool,
    /// How long its timer has run, milliseconds; none where speed earns nothing.
    ran: Option<u32>,
}

/// A player, and the device that an answer comes from.
#[derive(Clone, Copy)]
pub(crate) struct Answerer {
    pub slot: PlayerSlot,
    pub device: Device,
}

/// An answer that changes something.
pub(crate) struct Counts {
    /// How long the player took, milliseconds; none where that earns nothing.
    pub elapsed: Option<u32>,
}

impl Open {
    pub fn of(state: &State, question: QuestionId, at: Moment) -> Self {
        let place = state.sheet_place(question);
        let is_open = |place: &SheetPlace| state.sheet_at(*place).is_some_and(|sheet| !sheet.closed);
        let (is_any_over, ran) = (state.clock.timers.is_any_over(), state.clock.ran(question, at));
        Self { place: place.filter(is_open), is_any_over, ran }
    }

    /// Judges an answer of a player who may answer; none when it counts already. The measured time counts, but at most the time that the
    /// timer has run.
    ///
    /// A question that is not open, no longer open, or unknown is refused in the same way, so that the refusal shows nothing of the
    /// quiz.
    ///
    /// Repeating the same answer keeps the time of the first. From another phone of the team it is stored, and then counts as the
    /// answer of that phone.
    pub fn judge(
        &self,
        state: &State,
        Answerer { slot, device }: Answerer,
        Submitted { question, answer, measured }: Submitted<'_>,
    ) -> Result<Option<Counts>, Refusal> {
        let sheet = self.place.and_then(|place| state.sheet_at(place)).ok_or(Refusal::UnknownQuestion)?;
        if self.is_any_over && state.clock.is_over_for(question, slot) {
            return Err(Refusal::UnknownQuestion);
        }
        let same = sheet.answer(slot).filter(|given| &*given.text == answer.as_str());
        if same.is_some_and(|given| given.by == device) {
            return Ok(None);
        }
        let takes = || self.ran.map(|ran| measured.map_or(ran, |measured| measured.min(ran)));
        Ok(Some(Counts { elapsed: same.map_or_else(takes, |given| given.elapsed) }))
    }
}

pub(super) fn judge_release(state: &State, question: QuestionId) -> Verdict {
    if !state.is_in_round(question) {
        return Err(Refusal::UnknownQuestion);
    }
    Ok((!state.is_released(question)).then_some(Change::QuestionReleased { question }))
}

pub(super) fn judge_answer(state: &State, Asked { actor, at }: Asked, submitted: Submitted<'_>) -> Verdict {
    let Submitted { question, answer, .. } = submitted;
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    if !state.may_answer(known, device) {
        return Err(Refusal::WrongRole);
    }
    let slot = state.roster.find_player(player).ok_or(Refusal::UnknownPlayer)?;
    let open = Open::of(state, question, at);
    let Some(Counts { elapsed }) = open.judge(state, Answerer { slot, device }, submitted)? else { return Ok(None) };
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
