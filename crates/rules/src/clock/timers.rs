//! The timers of the current round: how much time each had left when it was last stated, and whether the host holds them.
//!
//! They are part of the state, built from the log only, with one exception: with each statement a process keeps the moment of its
//! own clock at which it applied it. That moment is neither stored nor compared, so time passes only where a process holds the
//! state. Called by `apply` and where commands are decided; decides nothing.

mod changes;

use serde::{Deserialize, Serialize};

use crate::State;
use crate::base::roster::PlayerSlot;
use crate::clock::autopilot::Autopilot;
use crate::clock::breaks::Break;
use crate::{Moment, QuestionId};

/// The percent of a timer that players without extra time have.
pub(crate) const NOMINAL: u16 = 100;
/// How long after its deadline a timer closes its question or round, in milliseconds: answers that were sent in time can still be
/// in transit.
const GRACE: u64 = 1_000;
/// How long after a statement the next one is due, in milliseconds. When an owner dies, at most this much time is lost.
pub(crate) const MARK_EVERY: u64 = 5_000;
/// The least time that a running timer has left when the game gets a new owner, in milliseconds.
pub(crate) const LEAST_AFTER_CLAIM: u64 = 5_000;

/// How much time a timer has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLeft {
    /// The question that the timer closes; none for the timer of the round.
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionId>,
    /// Milliseconds.
    pub ms: u64,
}

/// How much time a timer has left, and its whole time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimerLength {
    /// The time left.
    #[serde(flatten)]
    pub left: TimeLeft,
    /// Its whole time for players without extra time, milliseconds; none when it equals the time left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
}

impl TimerLength {
    /// With this whole time.
    pub(crate) fn of(left: TimeLeft, of: u64) -> Self {
        Self { left, of: (of != left.ms).then_some(of) }
    }
}

impl From<TimeLeft> for TimerLength {
    fn from(left: TimeLeft) -> Self {
        Self { left, of: None }
    }
}

/// A timer whose time is over, as the owner found it. It is void once the host has changed the timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expiry {
    /// The question that it closes; none for the timer of the round, and none for a break, during which no other timer runs.
    pub question: Option<QuestionId>,
    /// The number of the statement under which the timer ran out.
    pub generation: u64,
    /// Whether this is the time until the next step of the autopilot, not a timer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_step: bool,
}

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

/// A moment of this process. All of them compare as equal, because states of two processes are compared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unstored(pub Moment);

/// The timers, by the time at which they were started.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Timers {
    /// How many statements of this game have started or changed a timer or a step of the autopilot.
    pub(crate) generation: u64,
    /// The host holds all of them.
    held: bool,
    pub(crate) running: Vec<Timer>,
    /// None while the host releases the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) autopilot: Option<Autopilot>,
    /// The break between two rounds, while there is one.
    #[serde(rename = "break", default, skip_serializing_if = "Option::is_none")]
    pub(crate) pause: Option<Break>,
}

impl PartialEq for Unstored {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A percent of a time in milliseconds.
pub(crate) fn share(ms: u64, percent: u16) -> u64 {
    ms.saturating_mul(percent.into()) / u64::from(NOMINAL)
}

pub(crate) fn nominal() -> u16 {
    NOMINAL
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_nominal(percent: &u16) -> bool {
    *percent == NOMINAL
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

    pub fn is_over_for_some(&self) -> bool {
        self.over > 0
    }

    /// Makes this percent the next stage. The timer continues to count to a larger percent, so that no time below zero is lost.
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

    /// Moves the moments from which the last statements count.
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
    }

    fn unheld(&self) -> impl Iterator<Item = &Timer> {
        self.running.iter().filter(|_| !self.held)
    }
}

impl State {
    /// The time that each timer of the round has left at a moment of this process, as the log states it; the oldest timer first.
    pub fn timers(&self, at: Moment) -> impl Iterator<Item = TimeLeft> {
        let Timers { running, held, .. } = &self.timers;
        running
            .iter()
            .map(move |timer| TimeLeft { ms: if *held { timer.left.ms } else { timer.left_at(at) }, ..timer.left })
    }

    /// How long the timer of a question has run at a moment of this process, milliseconds; none where speed earns no points.
    pub(crate) fn ran(&self, question: QuestionId, at: Moment) -> Option<u64> {
        let timer = self.timers.running.iter().find(|timer| timer.left.question == Some(question))?;
        if self.timers.held { timer.ran } else { timer.ran_at(at) }
    }

    /// The time left of a timer that records how long it has run. It has to be stated before the host changes the timer.
    pub fn unstated(&self, question: Option<QuestionId>, at: Moment) -> Option<TimeLeft> {
        let timer = self.timers.unheld().find(|timer| timer.left.question == question && timer.ran.is_some())?;
        Some(TimeLeft { ms: timer.left_at(at), ..timer.left })
    }

    /// Whether the host holds the timers, so that their time does not pass.
    pub fn are_timers_held(&self) -> bool {
        self.timers.held
    }

    /// When each running timer closes its question or round (some time after it has run out), when the autopilot takes its next
    /// step, and when the break ends.
    pub fn expiries(&self) -> impl Iterator<Item = (Moment, Expiry)> {
        let expiry =
            |timer: &Timer| Expiry { question: timer.left.question, generation: timer.generation, is_step: false };
        let step = self.timers.autopilot.as_ref().and_then(Autopilot::expiry);
        self.timers
            .unheld()
            .map(move |timer| (timer.closes_at(), expiry(timer)))
            .chain(step)
            .chain(self.timers.pause.as_ref().map(Break::expiry))
    }

    /// When the time left has to be stated again ([`crate::Command::MarkTimers`]), calculated at a moment of this process. A
    /// timer that has run out by then has nothing left to state.
    pub fn next_mark(&self, at: Moment) -> Option<Moment> {
        let step = self.timers.autopilot.as_ref().and_then(Autopilot::marked_at);
        let step = step.filter(|_| self.next_step(at).is_some_and(|(_, ms)| ms > 0));
        let pause = self.timers.pause.as_ref().and_then(Break::marked_at);
        let pause = pause.filter(|_| self.break_left(at).is_some_and(|(ms, _)| ms > 0));
        let running = self.timers.unheld().filter(|timer| timer.left_at(at) > 0);
        running.filter_map(Timer::marked_at).chain(step).chain(pause).min()
    }

    /// Lets the last statements count from this moment: for a state that was read, which has no moments of this process.
    pub fn restart_timers(&mut self, at: Moment) {
        self.timers.count_from(|_| at);
    }

    /// Leaves out this many milliseconds, during which the process did not run.
    pub fn delay_timers(&mut self, ms: u64) {
        self.timers.count_from(|at| Moment(at.0.saturating_add(ms)));
    }

    /// Whether nothing has changed the timer or the next step since it ran out.
    pub(crate) fn is_valid(&self, expiry: Expiry) -> bool {
        self.expiries().any(|(_, current)| current == expiry)
    }
}
