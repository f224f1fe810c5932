//! Decides starting, stopping and the steps of an autopilot (messages.md#rules-of-the-game). Called by `decide`, which has
//! checked role and phase.

use super::steps::change_of;
use crate::base::{AutopilotPlan, Moment};
use crate::clock::span::Expiry;
use crate::event::Change;
use crate::state::State;
use crate::state::step::AutopilotStep;

/// Starts an autopilot, changes the plan of a running one, or stops it.
pub(crate) fn judge_plan(state: &State, plan: Option<AutopilotPlan>) -> Option<Change> {
    (state.autopilot() != plan).then_some(Change::AutopilotSet { plan })
}

/// Takes the step that is due, unless an event since then has changed the next step.
pub(crate) fn judge_step(state: &State, expiry: Expiry) -> Option<Change> {
    let is_due = state.clock.timers.is_valid(expiry) && !state.is_autopilot_held();
    let (step, _) = state.autopilot_step(Moment::default()).filter(|_| is_due)?;
    match step {
        AutopilotStep::Tally(question) => Some(Change::TallyShown { question, hidden: Vec::new() }),
        AutopilotStep::Next(step) => change_of(state, step),
    }
}
