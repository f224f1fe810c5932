//! Decides the commands about timers (messages.md#rules-of-the-game). Called by `decide`, which has checked role and phase.

use quizhall_quiz::QuestionId;

use super::autopilot;
use super::verdict::Verdict;
use crate::base::{Moment, PlayerId, Refusal};
use crate::clock::game_clock::Stage;
use crate::clock::span::{Expiry, TimeLeft};
use crate::event::Change;
use crate::state::State;

/// The most time that a timer can have left for players without extra time, in milliseconds.
pub const LONGEST_TIMER: u64 = 3_600_000;

/// Sets the time left. A question that is closed, or that closes within the grace, gets none.
pub(crate) fn judge_set(state: &State, left: TimeLeft) -> Verdict {
    let can_run = left.question.map_or(Ok(true), |question| can_run(state, question))?;
    let left = TimeLeft { ms: left.ms.min(LONGEST_TIMER), ..left };
    Ok(can_run.then(|| Change::TimerSet(state.clock.timer_of(left))))
}

/// Closes a question for all players; nothing for one that is closed, or that the host has closed before.
pub(crate) fn judge_closing(state: &State, question: QuestionId) -> Verdict {
    let is_new = is_open(state, question)? && !state.clock.timers.closings.has_hosts(question);
    Ok(is_new.then_some(Change::QuestionClosing { question }))
}

/// Adds time to a timer; without a timer nothing is done.
pub(crate) fn judge_more(state: &State, more: TimeLeft, at: Moment) -> Verdict {
    let can_run = more.question.map_or(Ok(true), |question| can_run(state, question))?;
    let left = state.timers(at).find(|left| left.question == more.question).filter(|_| can_run);
    let Some(left) = left else { return Ok(None) };
    let more = more.ms.min(LONGEST_TIMER.saturating_sub(left.ms));
    Ok((more > 0).then(|| Change::TimerSet(state.clock.longer_timer(left, more))))
}

/// Gives a player another percent of every timer.
pub(crate) fn judge_extra(state: &State, player: PlayerId, percent: u16) -> Verdict {
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    let changes = state.time_percent_of(player) != percent;
    Ok(changes.then_some(Change::ExtraTimeSet { player, percent }))
}

/// Holds all timers, or lets them run again. There is nothing to hold when all questions with a timer close within the grace.
pub(crate) fn judge_hold(state: &State, held: bool, at: Moment) -> Option<Change> {
    let left: Vec<_> = state.timers(at).collect();
    let closes = |question: QuestionId| state.clock.timers.closings.has(question);
    let can_change = |left: &TimeLeft| !held || !left.question.is_some_and(closes);
    let changes = state.are_timers_held() != held && left.iter().any(can_change);
    changes.then_some(Change::TimerHeld { held, left })
}

/// States the time left of the break, or of all running timers and the next step.
pub(crate) fn judge_mark(state: &State, at: Moment) -> Option<Change> {
    if let Some((ms, _)) = state.break_left(at) {
        return (ms > 0).then_some(Change::BreakMark { ms });
    }
    let left: Vec<_> = state.timers(at).filter(|left| left.ms > 0 && !state.are_timers_held()).collect();
    let step = state.autopilot_step(at).map(|(_, ms)| ms).filter(|ms| *ms > 0 && !state.clock.timers.is_step_held());
    (!left.is_empty() || step.is_some()).then_some(Change::TimerMark { left, step })
}

/// Closes the question or round of a timer, or ends the break, unless the host has changed the timer since it ran out. While
/// players with extra time continue, it closes only for the other players.
pub(crate) fn judge_expiry(state: &State, expiry: Expiry, at: Moment) -> Option<Change> {
    if expiry.is_step {
        return autopilot::judge_step(state, expiry);
    }
    let question = expiry.question;
    if let Some(question) = question.filter(|_| state.clock.timers.closings.expiries().any(|(_, due)| due == expiry)) {
        return Some(Change::QuestionClosed { question });
    }
    let of_all = if state.has_break() { Change::BreakEnded } else { Change::RoundEnded };
    let change = match state.clock.ending_stage(state, question, at) {
        Some(Stage { up, next, ms }) => Change::TimeOver { left: TimeLeft { question, ms }, up, next },
        None => question.map_or(of_all, |question| Change::QuestionClosed { question }),
    };
    state.clock.timers.is_valid(expiry).then_some(change)
}

/// Whether the timer of a question can change: it is open, and does not close within the grace.
fn can_run(state: &State, question: QuestionId) -> Result<bool, Refusal> {
    Ok(is_open(state, question)? && !state.clock.timers.closings.has(question))
}

/// Whether a question takes answers. A question that was not released is refused like an unknown one.
fn is_open(state: &State, question: QuestionId) -> Result<bool, Refusal> {
    if state.is_released(question) { Ok(state.is_open(question)) } else { Err(Refusal::UnknownQuestion) }
}
