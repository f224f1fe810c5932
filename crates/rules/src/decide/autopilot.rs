//! Decides starting, stopping and the steps of an autopilot (messages.md#rules-of-the-game). Called by `decide`, which has
//! checked role and phase.

use crate::base::{AutopilotPlan, Moment};
use crate::clock::autopilot::AutopilotStep;
use crate::clock::span::Expiry;
use crate::event::Change;
use crate::state::State;

/// Starts an autopilot, changes the plan of a running one, or stops it.
pub(crate) fn judge_plan(state: &State, plan: Option<AutopilotPlan>) -> Option<Change> {
    (state.autopilot() != plan).then_some(Change::AutopilotSet { plan })
}

/// Takes the step that is due, unless an event since then has changed the next step.
pub(crate) fn judge_step(state: &State, expiry: Expiry) -> Option<Change> {
    let (step, _) = state.next_step(Moment::default()).filter(|_| state.clock.timers.is_valid(expiry))?;
    Some(match step {
        AutopilotStep::Tally(question) => Change::TallyShown { question, hidden: Vec::new() },
        AutopilotStep::Release(question) => Change::QuestionReleased { question },
        AutopilotStep::EndRound => Change::RoundEnded,
    })
}
