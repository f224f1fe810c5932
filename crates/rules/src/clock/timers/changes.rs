//! What events do to the timers: start them, state their time left, hold them, end a stage, and end them.
//!
//! Called only by `apply` and by what it calls; decides nothing.

use quizhall_quiz::QuestionId;

use super::{Timer, Timers};
use crate::base::{Game, Moment, NOMINAL, Phase, PlayerSlot};
use crate::clock::breaks::Break;
use crate::clock::closings::Closing;
use crate::clock::span::{LEAST_AFTER_CLAIM, Limit, Passed, TimeLeft, TimerLength, Unstored};

impl Timers {
    /// Starts a timer of the round, or of a question that is open, or states again what time one has left.
    pub fn set_in(&mut self, game: &Game, length: TimerLength, at: Moment) {
        if game.phase == Phase::Question && length.left.question.is_none_or(|question| game.is_open(question)) {
            self.set(length, at);
        }
    }

    /// Starts a timer with a limit of the quiz, if it has one.
    pub fn start_in(&mut self, game: &Game, Limit { question, seconds }: Limit, at: Moment) {
        if let Some(seconds) = seconds {
            self.set_in(game, TimeLeft { question, ms: u64::from(seconds) * 1_000 }.into(), at);
        }
    }

    fn set(&mut self, TimerLength { left, of }: TimerLength, at: Moment) {
        self.generation += 1;
        let before = self.running.iter().position(|timer| timer.left.question == left.question);
        let before = before.map(|place| self.running.remove(place));
        let ran = before.as_ref().and_then(|timer| timer.ran);
        let (of, generation, at) = (of.unwrap_or(left.ms), self.generation, Unstored(at));
        let (counts_to, stage, over, kept_over) =
            before.map_or((NOMINAL, NOMINAL, 0, Vec::new()), |it| (it.counts_to, it.stage, it.over, it.kept_over));
        self.running.push(Timer { left, of, counts_to, stage, over, kept_over, generation, ran, at });
    }

    /// Records from now on how long the timer of a question has run.
    pub fn count(&mut self, question: QuestionId) {
        for timer in self.running.iter_mut().filter(|timer| timer.left.question == Some(question)) {
            timer.ran = Some(0);
        }
    }

    /// Ends a stage of a timer and states the time left until the end of the next stage.
    pub fn pass(&mut self, left: TimeLeft, Passed { up, next }: Passed, at: Moment) {
        let Some(timer) = self.running.iter_mut().find(|timer| timer.left.question == left.question) else { return };
        self.generation += 1;
        (timer.over, timer.stage, timer.generation) = (up, next, self.generation);
        timer.ran = timer.ran.map(|ran| ran + timer.stated_for(next).saturating_sub(left.ms));
        (timer.left, timer.counts_to, timer.at) = (left, next, Unstored(at));
    }

    /// A timer that is already over for a player with this percent stays over for that player.
    pub fn keep_over(&mut self, slot: PlayerSlot, percent: u16) {
        for timer in self.running.iter_mut().filter(|timer| percent <= timer.over && !timer.kept_over.contains(&slot)) {
            timer.kept_over.push(slot);
        }
    }

    /// Sets the stages of all timers, in ascending order. A timer without a remaining stage ends at once.
    pub fn restage(&mut self, stages: &[u16]) {
        for timer in &mut self.running {
            let next = stages.iter().copied().find(|stage| *stage > timer.over).unwrap_or(timer.over);
            if timer.stage != next {
                timer.set_stage(next);
                self.generation += 1;
                timer.generation = self.generation;
            }
        }
    }

    /// Holds all timers or lets them run, and states how much time they have left.
    pub fn hold(&mut self, held: bool, left: &[TimeLeft], at: Moment) {
        if self.running.is_empty() {
            return;
        }
        self.generation += 1;
        self.held = held;
        self.mark(left, None, at);
        for timer in &mut self.running {
            timer.generation = self.generation;
        }
    }

    /// States how much time timers have left, and the step of the autopilot, if it has one.
    pub fn mark(&mut self, left: &[TimeLeft], step: Option<u64>, at: Moment) {
        self.mark_step(step, at);
        for timer in &mut self.running {
            if let Some(left) = left.iter().find(|left| left.question == timer.left.question) {
                timer.ran = timer.ran.map(|ran| ran + timer.left.ms.saturating_sub(left.ms));
                (timer.left, timer.at) = (*left, Unstored(at));
            }
        }
    }

    /// Lets held timers run again, from the time left that was last stated.
    pub fn resume(&mut self, at: Moment) {
        if self.held {
            self.generation += 1;
            self.held = false;
            for timer in &mut self.running {
                (timer.generation, timer.at) = (self.generation, Unstored(at));
            }
        }
    }

    fn mark_step(&mut self, ms: Option<u64>, at: Moment) {
        if let (Some(autopilot), Some(ms)) = (&mut self.autopilot, ms) {
            autopilot.mark(ms, at);
        }
    }

    /// Continues under a new owner: from what was stated last, and with time for everyone to reconnect.
    pub fn continue_at(&mut self, at: Moment) {
        for timer in &mut self.running {
            timer.at = Unstored(at);
            if !self.held {
                let later = timer.share(timer.counts_to).saturating_sub(timer.share(timer.stage));
                timer.left.ms = timer.left.ms.max(LEAST_AFTER_CLAIM.saturating_add(later));
            }
        }
        if let Some(autopilot) = &mut self.autopilot {
            autopilot.continue_at(at);
        }
        if let Some(pause) = &mut self.pause {
            pause.continue_at(at);
        }
        self.closings.count_from(|_| at);
    }

    /// Closes a question when the grace is over, whatever its timer says.
    pub fn close_soon(&mut self, question: QuestionId, by_host: bool, at: Moment) {
        let generation = self.generation + 1;
        if self.closings.begin(Closing { question, by_host, generation, at: Unstored(at) }) {
            self.generation = generation;
        }
    }

    /// Ends the timer of a question. Without a timer nothing is held.
    pub fn end(&mut self, question: QuestionId) {
        self.running.retain(|timer| timer.left.question != Some(question));
        self.held &= !self.running.is_empty();
        self.closings.end(question);
    }

    /// Ends the timers of a round that is over, and an autopilot that ends with it.
    pub fn end_round(&mut self) {
        let kept = self.autopilot.take().filter(|autopilot| autopilot.plan.to_the_end);
        self.end_all();
        self.autopilot = kept;
    }

    /// Ends all timers, the autopilot and the break.
    pub fn end_all(&mut self) {
        self.running.clear();
        self.closings.end_all();
        self.autopilot = None;
        self.pause = None;
        self.held = false;
    }

    /// Begins a break and replaces the current one, if any.
    pub fn start_break(&mut self, ms: u64, text: Option<&str>, at: Moment) {
        self.generation += 1;
        self.pause = Some(Break::new(ms, text, self.generation, at));
    }

    /// States how much time the break has left.
    pub fn mark_break(&mut self, ms: u64, at: Moment) {
        if let Some(pause) = &mut self.pause {
            pause.mark(ms, at);
        }
    }
}
