//! The timers of the current round: how much time each had left when it was last stated, and whether the host holds them.
//!
//! Part of the state, made only by the log, with one exception: beside each statement a process keeps the moment of its own
//! clock at which it applied it. That is neither stored nor compared, so time falls only where a process holds the state.
//! Called by `apply` and by the judging of commands; decides nothing.

mod changes;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::{Moment, PlayerSlot, is_nominal, nominal, share};
use crate::clock::autopilot::Autopilot;
use crate::clock::breaks::Break;
use crate::clock::closings::Closings;
use crate::clock::span::{Expiry, GRACE, MARK_EVERY, TimeLeft, Unstored};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Timer {
    /// The time left for players with the percent `counts_to`.
    #[serde(flatten)]
    pub left: TimeLeft,
    /// Its whole time for players without extra time, milliseconds.
    of: u64,
    /// The largest percent that has been the next stage so far.
    #[serde(default = "nominal", skip_serializing_if = "is_nominal")]
    counts_to: u16,
    /// The percent of the players for whom it is over next.
    #[serde(default = "nominal", skip_serializing_if = "is_nominal")]
    stage: u16,
    /// It is over for players with this percent or less.
    #[serde(default, skip_serializing_if = "is_none")]
    over: u16,
    /// Players for whom it was over before they had a larger percent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept_over: Vec<PlayerSlot>,
    /// The number of the statement that started or changed it last; marks change nothing.
    generation: u64,
    /// How long it had run when `left` was stated, milliseconds; only where speed earns points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ran: Option<u64>,
    /// When this process applied `left`.
    #[serde(skip)]
    at: Unstored,
}

/// The timers, by the time at which they were started.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Timers {
    /// How many statements of this game have started or changed a timer or a step of the autopilot.
    pub(crate) generation: u64,
    /// The host holds all of them.
    held: bool,
    pub(crate) running: Vec<Timer>,
    /// The questions that close soon, whatever their timers say.
    #[serde(default, skip_serializing_if = "Closings::are_none")]
    pub(crate) closings: Closings,
    /// None while the host releases the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) autopilot: Option<Autopilot>,
    /// The break between two rounds, while there is one.
    #[serde(rename = "break", default, skip_serializing_if = "Option::is_none")]
    pub(crate) pause: Option<Break>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(percent: &u16) -> bool {
    *percent == 0
}

impl Timer {
    /// The whole time of players with a percent, milliseconds.
    fn share(&self, percent: u16) -> u64 {
        share(self.of, percent)
    }

    /// The time left for players with a percent when it was last stated.
    fn stated_for(&self, percent: u16) -> u64 {
        self.left.ms.saturating_add(self.share(percent)).saturating_sub(self.share(self.counts_to))
    }

    /// Whether it is over for a player with this percent.
    pub fn is_over_for(&self, slot: PlayerSlot, percent: u16) -> bool {
        percent <= self.over || self.kept_over.contains(&slot)
    }

    /// It is over for players with this percent next. The timer then counts to a larger percent, so that nothing below zero is lost.
    fn set_stage(&mut self, stage: u16) {
        self.stage = stage;
        if stage > self.counts_to {
            (self.left.ms, self.counts_to) = (self.stated_for(stage), stage);
        }
    }

    /// Milliseconds left at a moment, while it runs.
    fn left_at(&self, at: Moment) -> u64 {
        self.left.ms.saturating_sub(at.0.saturating_sub(self.at.0.0))
    }

    /// How long it has run at a moment, while it runs.
    fn ran_at(&self, at: Moment) -> Option<u64> {
        self.ran.map(|ran| ran + self.left.ms - self.left_at(at))
    }

    /// When it closes its question or round.
    fn closes_at(&self) -> Moment {
        Moment(self.at.0.0.saturating_add(self.stated_for(self.stage)).saturating_add(GRACE))
    }

    /// When its time left has to be stated again; none if it ends before that.
    fn marked_at(&self) -> Option<Moment> {
        (self.left.ms > MARK_EVERY).then(|| Moment(self.at.0.0.saturating_add(MARK_EVERY)))
    }
}

impl Timers {
    /// Whether this game has had no timer so far. Such a game is stored as one of a version without timers.
    pub fn were_never_used(&self) -> bool {
        self.generation == 0
    }

    /// The percent of the players for whom a timer is over next.
    pub fn stage_of(&self, question: Option<QuestionId>) -> Option<u16> {
        self.running.iter().find(|timer| timer.left.question == question).map(|timer| timer.stage)
    }

    /// The whole time of a timer for players without extra time, milliseconds, and the percent that it counts to.
    pub fn length_of(&self, question: Option<QuestionId>) -> Option<(u64, u16)> {
        self.running.iter().find(|timer| timer.left.question == question).map(|timer| (timer.of, timer.counts_to))
    }

    /// The time that the timers accepted by `is_meant` have left for players with a percent.
    pub fn left_for(
        &self,
        percent: u16,
        at: Moment,
        is_meant: impl Fn(&Timer) -> bool,
    ) -> impl Iterator<Item = TimeLeft> {
        let left = move |timer: &Timer| {
            let passed = if self.held { 0 } else { at.0.saturating_sub(timer.at.0.0) };
            TimeLeft { ms: timer.stated_for(percent).saturating_sub(passed), ..timer.left }
        };
        self.running.iter().filter(move |timer| is_meant(timer)).map(left)
    }

    /// Whether a question has a timer.
    pub fn has(&self, question: QuestionId) -> bool {
        self.running.iter().any(|timer| timer.left.question == Some(question))
    }

    /// Moves the moment from which the last statement counts.
    fn count_from(&mut self, moment: impl Fn(Moment) -> Moment) {
        for timer in &mut self.running {
            timer.at = Unstored(moment(timer.at.0));
        }
        if let Some(autopilot) = &mut self.autopilot {
            autopilot.restart(&moment);
        }
        if let Some(pause) = &mut self.pause {
            pause.count_from(&moment);
        }
        self.closings.count_from(&moment);
    }

    fn unheld(&self) -> impl Iterator<Item = &Timer> {
        self.running.iter().filter(|_| !self.held)
    }

    /// The time that each timer of the round has left at a moment of this process, as the log states it; the oldest timer first.
    pub fn left(&self, at: Moment) -> impl Iterator<Item = TimeLeft> {
        let ms = move |timer: &Timer| if self.held { timer.left.ms } else { timer.left_at(at) };
        self.running.iter().map(move |timer| TimeLeft { ms: ms(timer), ..timer.left })
    }

    /// How long the timer of a question has run at a moment of this process, milliseconds; none where speed earns no points.
    pub fn ran(&self, question: QuestionId, at: Moment) -> Option<u64> {
        let timer = self.running.iter().find(|timer| timer.left.question == Some(question))?;
        if self.held { timer.ran } else { timer.ran_at(at) }
    }

    /// The time left of a timer that records how long it has run. It has to be stated before the host changes the timer.
    pub fn unstated(&self, question: Option<QuestionId>, at: Moment) -> Option<TimeLeft> {
        let timer = self.unheld().find(|timer| timer.left.question == question && timer.ran.is_some())?;
        Some(TimeLeft { ms: timer.left_at(at), ..timer.left })
    }

    /// Whether the host holds the timers, so that their time does not pass.
    pub fn are_held(&self) -> bool {
        self.held
    }

    /// Whether a timer is over for some players.
    pub fn is_any_over(&self) -> bool {
        self.running.iter().any(|timer| timer.over > 0)
    }

    /// Whether the time of a question or of its round is over for a player with this percent.
    pub fn is_over(&self, question: QuestionId, (slot, percent): (PlayerSlot, u16)) -> bool {
        let mut concerned = self.running.iter().filter(|timer| timer.left.question.is_none_or(|of| of == question));
        concerned.any(|timer| timer.is_over_for(slot, percent))
    }

    /// When each running timer closes its question or round (some time after it has run out), when other questions close, when the
    /// autopilot takes its next step, and when the break ends.
    pub fn expiries(&self) -> impl Iterator<Item = (Moment, Expiry)> {
        let expiry =
            |timer: &Timer| Expiry { question: timer.left.question, generation: timer.generation, is_step: false };
        let step = self.autopilot.as_ref().and_then(Autopilot::expiry);
        let timers = self.unheld().map(move |timer| (timer.closes_at(), expiry(timer)));
        timers.chain(self.closings.expiries()).chain(step).chain(self.pause.as_ref().map(Break::expiry))
    }

    /// Whether nothing has changed the timer or the next step since it ran out.
    pub fn is_valid(&self, expiry: Expiry) -> bool {
        self.expiries().any(|(_, current)| current == expiry)
    }

    /// When the time left has to be stated again ([`crate::Command::MarkTimers`]), calculated at a moment of this process. A
    /// timer that has run out by then has nothing left to state.
    pub fn next_mark(&self, at: Moment) -> Option<Moment> {
        let step = self.autopilot.as_ref().filter(|autopilot| autopilot.next(at).is_some_and(|(_, ms)| ms > 0));
        let pause = self.pause.as_ref().filter(|pause| pause.left(at) > 0);
        let running = self.unheld().filter(|timer| timer.left_at(at) > 0).filter_map(Timer::marked_at);
        running.chain(step.and_then(Autopilot::marked_at)).chain(pause.and_then(Break::marked_at)).min()
    }

    /// Lets the last statements count from this moment: for a state that was read, which has no moments of this process.
    pub fn restart(&mut self, at: Moment) {
        self.count_from(|_| at);
    }

    /// Leaves out `ms` milliseconds in which the process did not run.
    pub fn delay(&mut self, ms: u64) {
        self.count_from(|at| Moment(at.0.saturating_add(ms)));
    }
}
