//! The course of the autopilot: how long until its next step, after each event that concerns it. Called by `apply`. The step itself is
//! the next step of the game (`state/step.rs`), except that the tally of a poll is shown before it.

use quizhall_quiz::{QuestionId, QuestionKind};

use crate::base::{AutopilotPlan, Game, Moment, Pace, Phase};
use crate::clock::autopilot::Autopilot;
use crate::clock::span::TimeLeft;
use crate::clock::timers::Timers;

impl Timers {
    /// The plan that the host set; none while no autopilot runs.
    pub fn plan(&self) -> Option<AutopilotPlan> {
        self.autopilot.as_ref().map(|autopilot| autopilot.plan)
    }

    /// The poll whose tally the autopilot shows, unless it takes the next step of the game, and after how many milliseconds from a
    /// moment of this process it does; none while a question is open.
    pub fn coming(&self, at: Moment) -> Option<(Option<QuestionId>, u64)> {
        self.autopilot.as_ref()?.next(at)
    }

    /// Whether the step waits for the host, so that its time does not pass.
    pub fn is_step_held(&self) -> bool {
        self.autopilot.as_ref().is_some_and(|autopilot| autopilot.held)
    }

    /// The next step of the game is another one, which follows after this many seconds.
    pub fn step_after_change(&mut self, game: &Game, pause: u16, at: Moment) {
        if self.plan().is_some_and(|plan| plan.to_the_end) {
            self.set_step((!has_open_question(game)).then(|| (None, seconds(pause))), at);
        }
    }

    /// For how long a question is open that has this limit in the quiz.
    pub fn limit_now(&self, limit: Option<u16>) -> Option<u16> {
        limit.or_else(|| self.plan().map(|plan| plan.answer_for))
    }

    pub fn set_autopilot(&mut self, game: &Game, plan: Option<AutopilotPlan>, at: Moment) {
        match plan {
            Some(plan) => self.start_autopilot(game, plan, at),
            None => self.autopilot = None,
        }
    }

    /// No step is due while a question is open.
    pub fn step_after_release(&mut self, at: Moment) {
        self.set_step(None, at);
    }

    /// The tally of a poll is shown at once.
    pub fn step_after_closing(&mut self, game: &Game, question: QuestionId, at: Moment) {
        if !has_open_question(game) {
            // In a game of single questions the answer is revealed with the shares of the choices.
            let is_poll = game.question(question).is_some_and(|asked| asked.kind == QuestionKind::Poll);
            let is_poll = is_poll && game.pace() == Pace::Round;
            let step = if is_poll { (Some(question), 0) } else { (None, self.pause_ms()) };
            self.set_step(Some(step), at);
        }
    }

    /// Follows the withdrawal of the open question. No tally is shown for a withdrawn poll.
    pub fn step_after_withdrawal(&mut self, game: &Game, at: Moment) {
        let has_step = self.autopilot.as_ref().is_none_or(|autopilot| autopilot.next(at).is_some());
        if !has_open_question(game) && !has_step {
            self.set_step(Some((None, self.pause_ms())), at);
        }
    }

    pub fn step_after_tally(&mut self, at: Moment) {
        let shown = self.plan().map_or(0, |plan| seconds(plan.reveal_for));
        self.set_step(Some((None, shown + self.pause_ms())), at);
    }

    /// The host has left, or is back.
    pub fn hold_step(&mut self, is_host_away: bool, at: Moment) {
        let Self { autopilot: Some(autopilot), generation, .. } = self else { return };
        if autopilot.turns(is_host_away) {
            *generation += 1;
            autopilot.hold(is_host_away, *generation, at);
        }
    }

    fn pause_ms(&self) -> u64 {
        self.plan().map_or(0, |plan| seconds(plan.break_for))
    }

    /// Timers that the host held run again: otherwise the round could never continue.
    fn start_autopilot(&mut self, game: &Game, plan: AutopilotPlan, at: Moment) {
        self.autopilot = Some(Autopilot::new(plan, plan.hold_without_host && !game.is_host_present()));
        self.resume(at);
        let open: Vec<_> = game.released().map(|asked| asked.id).filter(|question| game.is_open(*question)).collect();
        for question in &open {
            if !self.has(*question) && !self.closings.has(*question) {
                self.set_in(game, TimeLeft { question: Some(*question), ms: seconds(plan.answer_for) }.into(), at);
            }
        }
        if open.is_empty() {
            self.set_step(Some((None, seconds(plan.break_for))), at);
        }
    }

    fn set_step(&mut self, step: Option<(Option<QuestionId>, u64)>, at: Moment) {
        let Self { autopilot: Some(autopilot), generation, .. } = self else { return };
        *generation += 1;
        autopilot.begin(step, *generation, at);
    }
}

fn has_open_question(game: &Game) -> bool {
    game.phase() == Phase::Question && game.released().any(|asked| game.is_open(asked.id))
}

fn seconds(number: u16) -> u64 {
    u64::from(number) * 1_000
}
