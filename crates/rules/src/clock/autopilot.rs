//! The autopilot: the host's plan, and the time until the next step while no question is open.
//!
//! It is part of the timers: built from the log only, except for the moment at which a process applied an event. While the
//! autopilot runs, every open question has a timer, so a next step always follows. What the step is follows from the state.

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::{AutopilotPlan, Moment};
use crate::clock::span::{Expiry, LEAST_AFTER_CLAIM, MARK_EVERY, Unstored};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Autopilot {
    pub plan: AutopilotPlan,
    /// Whether the next step is held: the plan waits for the host, who is not connected.
    pub held: bool,
    /// None while a question is open.
    step: Option<Step>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Step {
    /// The poll whose tally is shown; none when it is the next step of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tally: Option<QuestionId>,
    /// Its whole time, milliseconds.
    whole: u64,
    /// The time left when it was last stated, milliseconds.
    ms: u64,
    /// The number of the statement that started it.
    generation: u64,
    /// When this process applied `ms`.
    #[serde(skip)]
    at: Unstored,
}

impl Step {
    fn left_at(&self, at: Moment) -> u64 {
        self.ms.saturating_sub(at.0.saturating_sub(self.at.0.0))
    }
}

impl Autopilot {
    /// An autopilot without a step.
    pub fn new(plan: AutopilotPlan, held: bool) -> Self {
        Self { plan, held, step: None }
    }

    /// States how much time the step has left.
    pub fn mark(&mut self, ms: u64, at: Moment) {
        if let Some(step) = &mut self.step {
            (step.ms, step.at) = (ms, Unstored(at));
        }
    }

    /// Continues under a new owner, as timers do.
    pub fn continue_at(&mut self, at: Moment) {
        let held = self.held;
        if let Some(step) = &mut self.step {
            step.at = Unstored(at);
            step.ms = if held { step.ms } else { step.ms.max(LEAST_AFTER_CLAIM) };
        }
    }

    /// Moves the moment from which the last statement counts.
    pub fn restart(&mut self, at: impl Fn(Moment) -> Moment) {
        if let Some(step) = &mut self.step {
            step.at = Unstored(at(step.at.0));
        }
    }

    /// The step that is due, unless it is held.
    pub fn expiry(&self) -> Option<(Moment, Expiry)> {
        let step = self.step.as_ref().filter(|_| !self.held)?;
        let expiry = Expiry { question: None, generation: step.generation, is_step: true };
        Some((Moment(step.at.0.0.saturating_add(step.ms)), expiry))
    }

    /// When the step's time left has to be stated again.
    pub fn marked_at(&self) -> Option<Moment> {
        let step = self.step.as_ref().filter(|step| !self.held && step.ms > MARK_EVERY)?;
        Some(Moment(step.at.0.0.saturating_add(MARK_EVERY)))
    }

    /// Holds the step while the host is away, or lets it run. A held step starts again with its whole time, because no event
    /// stores the time that was left when the host left.
    pub fn hold(&mut self, held: bool, generation: u64, at: Moment) {
        self.held = held;
        if let Some(step) = &mut self.step {
            (step.ms, step.generation, step.at) = (step.whole, generation, Unstored(at));
        }
    }

    /// Whether the plan holds the steps from now on, or does not any more.
    pub fn turns(&self, is_host_away: bool) -> bool {
        self.plan.hold_without_host && self.held != is_host_away
    }

    /// The next step (the tally of a poll, or none) and the time left until then at a moment of this process, milliseconds.
    pub fn next(&self, at: Moment) -> Option<(Option<QuestionId>, u64)> {
        let step = self.step.as_ref()?;
        Some((step.tally, if self.held { step.ms } else { step.left_at(at) }))
    }

    /// Begins a step of this many milliseconds: to the tally of a poll, or to the next step of the game. There is none while a
    /// question is open.
    pub fn begin(&mut self, step: Option<(Option<QuestionId>, u64)>, generation: u64, at: Moment) {
        self.step = step.map(|(tally, ms)| Step { tally, whole: ms, ms, generation, at: Unstored(at) });
    }
}
