//! The autopilot of the current round: the host's plan, and the next step while no question is open.
//!
//! It is part of the timers: built from the log only, except for the moment at which this process applied an event. Called by
//! `apply` after each event; decides nothing. While the autopilot runs, every open question has a timer, so a next step always
//! follows.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::clock::timers::{LEAST_AFTER_CLAIM, MARK_EVERY, TimeLeft, Timers, Unstored};
use crate::{Expiry, Moment, QuestionId, QuestionKind};

/// The plan that the host set. All times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutopilotPlan {
    /// How long a question without a time limit of its own is open.
    pub answer_for: u16,
    /// How long the tally of a poll is shown before the break.
    pub reveal_for: u16,
    /// The time before each question, and before the end of the round.
    pub break_for: u16,
    /// Whether the next step waits while the host is not connected.
    pub hold_without_host: bool,
}

/// What the autopilot does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutopilotStep {
    /// It shows the tally of this question.
    Tally(QuestionId),
    /// It releases this question.
    Release(QuestionId),
    /// It ends the round.
    EndRound,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Autopilot {
    plan: AutopilotPlan,
    /// Whether the next step is held: the plan waits for the host, who is not connected.
    held: bool,
    /// None while a question is open.
    step: Option<Step>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Step {
    /// The poll whose tally is shown; none when the step releases the next question or ends the round.
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

    fn hold(&mut self, held: bool, generation: u64, at: Moment) {
        self.held = held;
        if let Some(step) = &mut self.step {
            (step.ms, step.generation, step.at) = (step.whole, generation, Unstored(at));
        }
    }
}

impl State {
    /// The plan that the host set; none while no autopilot runs.
    pub fn autopilot(&self) -> Option<AutopilotPlan> {
        self.timers.autopilot.as_ref().map(|autopilot| autopilot.plan)
    }

    /// Whether the autopilot waits for the host.
    pub fn is_autopilot_held(&self) -> bool {
        self.timers.autopilot.as_ref().is_some_and(|autopilot| autopilot.held)
    }

    /// What the autopilot does next, and after how many milliseconds from a moment of this process; none while a question is
    /// open.
    pub fn next_step(&self, at: Moment) -> Option<(AutopilotStep, u64)> {
        let autopilot = self.timers.autopilot.as_ref()?;
        let step = autopilot.step.as_ref()?;
        let ms = if autopilot.held { step.ms } else { step.left_at(at) };
        Some((step.tally.map_or_else(|| self.next_in_round(), AutopilotStep::Tally), ms))
    }

    /// How long a question is open, in seconds, if the quiz gives it this limit.
    pub(crate) fn limit_now(&self, limit: Option<u16>) -> Option<u16> {
        limit.or_else(|| self.autopilot().map(|plan| plan.answer_for))
    }

    pub(crate) fn set_autopilot(&mut self, plan: Option<AutopilotPlan>, at: Moment) {
        match plan {
            Some(plan) => self.start_autopilot(plan, at),
            None => self.timers.autopilot = None,
        }
    }

    /// No step is due while a question is open.
    pub(crate) fn step_after_release(&mut self, at: Moment) {
        self.set_step(None, at);
    }

    /// The tally of a poll is shown at once.
    pub(crate) fn step_after_closing(&mut self, question: QuestionId, at: Moment) {
        if !self.has_open_question() {
            let is_poll = self.question(question).is_some_and(|asked| asked.kind == QuestionKind::Poll);
            let step = if is_poll { (Some(question), 0) } else { (None, self.pause_ms()) };
            self.set_step(Some(step), at);
        }
    }

    /// Follows the withdrawal of the open question. No tally is shown for a withdrawn poll.
    pub(crate) fn step_after_withdrawal(&mut self, at: Moment) {
        if !self.has_open_question() && !self.has_step() {
            self.set_step(Some((None, self.pause_ms())), at);
        }
    }

    pub(crate) fn step_after_tally(&mut self, at: Moment) {
        let shown = self.autopilot().map_or(0, |plan| seconds(plan.reveal_for));
        self.set_step(Some((None, shown + self.pause_ms())), at);
    }

    fn pause_ms(&self) -> u64 {
        self.autopilot().map_or(0, |plan| seconds(plan.break_for))
    }

    /// Timers that the host held run again: otherwise the round could never continue.
    fn start_autopilot(&mut self, plan: AutopilotPlan, at: Moment) {
        let held = plan.hold_without_host && !self.is_host_present();
        self.timers.autopilot = Some(Autopilot { plan, held, step: None });
        self.timers.resume(at);
        let open: Vec<_> = self.released().map(|asked| asked.id).filter(|question| self.is_open(*question)).collect();
        for question in &open {
            if !self.timers.has(*question) {
                self.set_timer(TimeLeft { question: Some(*question), ms: seconds(plan.answer_for) }.into(), at);
            }
        }
        if open.is_empty() {
            self.set_step(Some((None, seconds(plan.break_for))), at);
        }
    }

    fn set_step(&mut self, step: Option<(Option<QuestionId>, u64)>, at: Moment) {
        let Timers { autopilot: Some(autopilot), generation, .. } = &mut self.timers else { return };
        *generation += 1;
        let generation = *generation;
        let begun = |(tally, ms)| Step { tally, whole: ms, ms, generation, at: Unstored(at) };
        autopilot.step = step.map(begun);
    }

    /// A held step starts again with its whole time, because no event stores the time that was left when the host left.
    pub(crate) fn hold_step(&mut self, left: bool, at: Moment) {
        let Timers { autopilot: Some(autopilot), generation, .. } = &mut self.timers else { return };
        if autopilot.plan.hold_without_host && autopilot.held != left {
            *generation += 1;
            autopilot.hold(left, *generation, at);
        }
    }

    fn has_step(&self) -> bool {
        self.timers.autopilot.as_ref().is_none_or(|autopilot| autopilot.step.is_some())
    }

    fn has_open_question(&self) -> bool {
        self.released().any(|asked| self.is_open(asked.id))
    }

    fn next_in_round(&self) -> AutopilotStep {
        let questions = self.quiz().rounds.get(self.round()).map_or(&[][..], |round| &round.questions);
        let next = questions.iter().map(|asked| asked.id).find(|question| !self.is_released(*question));
        next.map_or(AutopilotStep::EndRound, AutopilotStep::Release)
    }
}

fn seconds(number: u16) -> u64 {
    u64::from(number) * 1_000
}
