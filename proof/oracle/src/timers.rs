//! The timers of a round: what was stated of each last, and which questions are closed.
//!
//! The oracle has no clock. Between two statements a timer may have any time left up to the one stated.

use quizhall_protocol::from_host::{AddTime, SetTimer};
use quizhall_protocol::to_all::{QuestionClosed, TimerUpdate};
use quizhall_protocol::{ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

/// What a running timer has left at least after a change of owner, milliseconds.
const LEAST_AFTER_CLAIM: u64 = 5_000;

/// What a timer has left: the question that it closes, none for the round, and milliseconds.
pub type TimeLeft = (Option<Uuid>, u64);

/// The timers of the current round.
#[derive(Debug, Clone, Default)]
pub struct Timers {
    /// Whether the host holds them.
    pub held: bool,
    /// What each had left when that was stated last, the oldest first.
    pub left: Vec<TimeLeft>,
    /// The questions that are closed, in order of closing.
    pub closed: Vec<Uuid>,
}

impl Timers {
    /// What was stated last of the timer of a question, or of the round.
    pub fn left_of(&self, question: Option<Uuid>) -> Option<u64> {
        self.left.iter().find(|(of, _)| *of == question).map(|(_, ms)| *ms)
    }

    pub(crate) fn set(&mut self, question: Option<Uuid>, ms: u64) {
        self.left.retain(|(of, _)| *of != question);
        self.left.push((question, ms));
    }

    pub(crate) fn state_anew(&mut self, left: &[TimeLeft]) {
        for (question, ms) in &mut self.left {
            *ms = left.iter().find(|(of, _)| of == question).map_or(*ms, |(_, ms)| *ms);
        }
    }

    pub(crate) fn change_owner(&mut self) {
        if !self.held {
            self.left.iter_mut().for_each(|(_, ms)| *ms = LEAST_AFTER_CLAIM.max(*ms));
        }
    }

    pub(crate) fn close(&mut self, question: Uuid) {
        self.closed.push(question);
        self.left.retain(|(of, _)| *of != Some(question));
    }
}

/// `question_closed`
pub fn question_closed(question: Uuid) -> ServerMessage {
    ServerMessage::All(ToAll::QuestionClosed(QuestionClosed { question_id: question }))
}

impl Game {
    /// Whether a question of the round takes answers.
    pub fn is_open(&self, question: Uuid) -> bool {
        self.phase == Phase::Question && self.released.contains(&question) && !self.timers.closed.contains(&question)
    }

    /// `timer_update` with all the time that was stated: what is received may have less.
    ///
    /// # Panics
    /// When there is more time than a message can hold.
    pub fn timer_update(&self, (question_id, ms): TimeLeft) -> ServerMessage {
        let remaining_ms = u32::try_from(ms).expect("an hour at most");
        let running = !self.timers.held;
        ServerMessage::All(ToAll::TimerUpdate(TimerUpdate { question_id, remaining_ms, running }))
    }

    /// Whether a fact about timers can happen in the question phase.
    pub(crate) fn check_timers(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::QuestionClosed(question) => {
                let has_timer = self.timers.left_of(Some(*question)).is_some() && !self.timers.held;
                require(self.is_open(*question) && has_timer, "not an open question with a running timer")
            }
            Fact::TimerSet(question, _) => {
                require(question.is_none_or(|question| self.is_open(question)), "not an open question")
            }
            Fact::TimersHeld(held, left) => {
                let all = left.len() == self.timers.left.len() && !left.is_empty();
                require(self.timers.held != *held && all, "the timers are so already, or there are none")?;
                self.does_not_rise(left)
            }
            Fact::TimersMarked(left, step) => {
                require(!self.timers.held || left.is_empty(), "no timer runs")?;
                require(!left.is_empty() || step.is_some(), "nothing is stated")?;
                self.check_step(*step)?;
                self.does_not_rise(left)
            }
            _ => Ok(()),
        }
    }

    /// Time left that is stated anew is at most what was stated before.
    fn does_not_rise(&self, left: &[TimeLeft]) -> Result<(), Illegal> {
        let is_less = |(of, ms): &TimeLeft| self.timers.left_of(*of).is_some_and(|before| *ms <= before);
        require(left.iter().all(is_less), "time left has risen, or there is no such timer")
    }

    /// What a socket of the extension is sent of timers on connecting.
    pub(crate) fn sync_of_timers(&self) -> Vec<ServerMessage> {
        let closed = self.released.iter().filter(|question| self.timers.closed.contains(question));
        let closed = closed.map(|question| question_closed(*question));
        closed.chain(self.timers.left.iter().map(|left| self.timer_update(*left))).collect()
    }

    /// Whether the message may say this of a timer here.
    pub(crate) fn may_say(&self, update: &TimerUpdate) -> bool {
        let stated = self.timers.left_of(update.question_id);
        let is_counted = stated.is_some_and(|stated| u64::from(update.remaining_ms) <= stated);
        is_counted && update.running != self.timers.held
    }

    /// The timer that a fact has started, for everyone.
    pub(crate) fn with_timer(&self, effects: Effects, question: Option<Uuid>) -> Effects {
        let left = self.timers.left_of(question).map(|ms| (question, ms));
        left.into_iter().fold(effects, |effects, left| effects.and(To::All, self.timer_update(left)))
    }

    pub(crate) fn set_timer(&mut self, command: &SetTimer) -> Result<Effects, Illegal> {
        let SetTimer { question_id, seconds } = *command;
        self.is_released_or_round(question_id)?;
        if question_id.is_some_and(|question| !self.is_open(question)) {
            return Ok(self.timers_to_host());
        }
        self.apply(&Fact::TimerSet(question_id, u64::from(seconds) * 1_000))?;
        Ok(self.with_timer(Effects::default(), question_id))
    }

    pub(crate) fn add_time(&mut self, command: &AddTime) -> Result<Effects, Illegal> {
        let AddTime { question_id, seconds } = *command;
        self.is_released_or_round(question_id)?;
        let Some(left) = self.timers.left_of(question_id) else { return Ok(self.timers_to_host()) };
        self.apply(&Fact::TimerSet(question_id, left + u64::from(seconds) * 1_000))?;
        Ok(self.with_timer(Effects::default(), question_id))
    }

    pub(crate) fn hold_timers(&mut self, held: bool) -> Result<Effects, Illegal> {
        self.is_released_or_round(None)?;
        if self.timers.left.is_empty() || self.timers.held == held {
            return Ok(self.timers_to_host());
        }
        self.apply(&Fact::TimersHeld(held, self.timers.left.clone()))?;
        let all = self.timers.left.iter().map(|left| self.timer_update(*left));
        Ok(all.fold(Effects::default(), |effects, update| effects.and(To::All, update)))
    }

    fn timers_to_host(&self) -> Effects {
        let all = self.timers.left.iter().map(|left| self.timer_update(*left));
        all.fold(Effects::default(), |effects, update| effects.and(To::Host, update))
    }
}
