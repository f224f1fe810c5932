//! The timers of a round: the last statement about each, and the closed questions.
//!
//! The oracle has no clock. Between two statements a timer may have any time left up to the stated one.

use std::collections::BTreeMap;

use quizhall_protocol::from_host::{AddTime, SetTimer};
use quizhall_protocol::to_all::QuestionClosed;
use quizhall_protocol::{ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::extra::Stages;
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase, Player, Viewer};

/// The least time that a running timer has left after a change of owner, milliseconds.
const LEAST_AFTER_CLAIM: u64 = 5_000;

/// The time left of a timer: the question that it closes (none for the round), and milliseconds.
pub type TimeLeft = (Option<Uuid>, u64);

/// The timers of the current round.
#[derive(Debug, Clone, Default)]
pub struct Timers {
    /// Whether the host holds them.
    pub held: bool,
    /// The time left of each when it was last stated, the oldest timer first.
    pub left: Vec<TimeLeft>,
    /// The questions that the host has closed and that still have their grace.
    pub closing: Vec<Uuid>,
    /// The questions that close soon because they wait for no one.
    pub(crate) answered: Vec<Uuid>,
    /// The questions that are closed, in order of closing.
    pub closed: Vec<Uuid>,
    /// The players for whom each is over before it closes for all.
    pub(crate) stages: BTreeMap<Option<Uuid>, Stages>,
}

impl Timers {
    /// The last statement about the timer of a question, or of the round.
    pub fn left_of(&self, question: Option<Uuid>) -> Option<u64> {
        self.left.iter().find(|(of, _)| *of == question).map(|(_, ms)| *ms)
    }

    pub(crate) fn set(&mut self, question: Option<Uuid>, ms: u64, length: u64) {
        self.left.retain(|(of, _)| *of != question);
        self.left.push((question, ms));
        self.stages.entry(question).and_modify(|stages| stages.length = length).or_insert_with(|| Stages::of(length));
    }

    pub(crate) fn state_anew(&mut self, left: &[TimeLeft]) {
        for (question, ms) in &mut self.left {
            *ms = left.iter().find(|(of, _)| of == question).map_or(*ms, |(_, ms)| *ms);
        }
    }

    pub(crate) fn change_owner(&mut self, stages: &[u16]) {
        let later: Vec<u64> = self.left.iter().map(|(of, _)| self.later(*of, stages)).collect();
        if !self.held {
            self.left.iter_mut().zip(later).for_each(|((_, ms), later)| *ms = (LEAST_AFTER_CLAIM + later).max(*ms));
        }
    }

    /// Whether a question closes within the grace.
    pub(crate) fn closes_soon(&self, question: Uuid) -> bool {
        self.closing.contains(&question) || self.answered.contains(&question)
    }

    pub(crate) fn close(&mut self, question: Uuid) {
        self.closed.push(question);
        self.left.retain(|(of, _)| *of != Some(question));
        self.stages.remove(&Some(question));
        self.closing.retain(|of| *of != question);
        self.answered.retain(|of| *of != question);
        self.held &= !self.left.is_empty();
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

    /// Whether a timer can change: that of the round, or of a question that is open and does not close within the grace.
    fn can_run(&self, question: Option<Uuid>) -> bool {
        question.is_none_or(|question| self.is_open(question) && !self.timers.closes_soon(question))
    }

    fn can_hold(&self, held: bool) -> bool {
        self.timers.left.iter().any(|(of, _)| !held || self.can_run(*of))
    }

    /// After each fact: an open question closes soon once every player who is here has answered it or can no longer do so. It stays so
    /// when all of them leave, and until a player comes for whom it waits.
    pub(crate) fn fold_answered(&mut self) {
        let open = self
            .released
            .iter()
            .copied()
            .filter(|question| self.options.close_when_answered && self.is_open(*question));
        let is_here = self.players.iter().any(|player| player.connected);
        let closes = |question: &Uuid| {
            let waits = |player: &Player| {
                player.connected
                    && self.answer(player.id, *question).is_none()
                    && self.is_open_for(*question, player.id)
            };
            (is_here || self.timers.answered.contains(question)) && !self.players.iter().any(waits)
        };
        self.timers.answered = open.filter(closes).collect();
    }

    /// Carries out `close_question`: the message to all follows with the grace.
    pub(crate) fn close_question(&mut self, question: Uuid) -> Result<Effects, Illegal> {
        self.is_released_or_round(Some(question))?;
        if !self.is_open(question) {
            return Ok(Effects::default().and(To::Host, question_closed(question)));
        }
        if !self.timers.closing.contains(&question) {
            self.apply(&Fact::QuestionClosing(question))?;
        }
        Ok(Effects::default())
    }

    /// Whether a fact about timers can happen in the question phase.
    pub(crate) fn check_timers(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::QuestionClosed(question) => {
                require(self.is_open(*question), "not an open question")?;
                let has_timer = self.timers.left_of(Some(*question)).is_some() && !self.timers.held;
                let is_over = has_timer && self.is_at_last_stage(Some(*question));
                require(is_over || self.timers.closes_soon(*question), "no timer is over, nor is it closed or answered")
            }
            Fact::QuestionClosing(question) => {
                let is_new = self.is_open(*question) && !self.timers.closing.contains(question);
                require(is_new, "not an open question, or closed before")
            }
            Fact::TimerSet(question, ..) => require(self.can_run(*question), "not open, or it closes"),
            Fact::TimersHeld(held, left) => {
                let all = left.len() == self.timers.left.len() && self.can_hold(*held);
                require(self.timers.held != *held && all, "the timers are so already, or there are none to change")?;
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

    /// A new statement of the time left is at most the previous one.
    fn does_not_rise(&self, left: &[TimeLeft]) -> Result<(), Illegal> {
        let is_less = |(of, ms): &TimeLeft| self.timers.left_of(*of).is_some_and(|before| *ms <= before);
        require(left.iter().all(is_less), "time left has risen, or there is no such timer")
    }

    /// The messages about timers that a socket of the extension receives on connecting.
    pub(crate) fn sync_of_timers(&self, viewer: Viewer) -> Vec<ServerMessage> {
        let is_running = self.phase == Phase::Question;
        let closed = self.released.iter().filter(|question| is_running && self.is_closed_for(**question, viewer));
        let closed = closed.map(|question| question_closed(*question));
        closed.chain(self.timers.left.iter().filter_map(|(of, _)| self.timer_update_for(*of, viewer))).collect()
    }

    /// The timer that a fact has started, for everyone.
    pub(crate) fn with_timer(&self, effects: Effects, question: Option<Uuid>) -> Effects {
        if self.timers.left_of(question).is_some() { self.to_each(effects, question) } else { effects }
    }

    /// Every timer, for everyone.
    pub(crate) fn all_timers(&self, effects: Effects) -> Effects {
        self.timers.left.iter().fold(effects, |effects, (of, _)| self.to_each(effects, *of))
    }

    pub(crate) fn set_timer(&mut self, command: &SetTimer) -> Result<Effects, Illegal> {
        let SetTimer { question_id, seconds } = *command;
        self.is_released_or_round(question_id)?;
        if !self.can_run(question_id) {
            return Ok(self.timers_to_host());
        }
        let of = u64::from(seconds) * 1_000;
        let (ms, _) = self.longer(question_id, 0, of);
        self.apply(&Fact::TimerSet(question_id, ms, of))?;
        Ok(self.with_timer(Effects::default(), question_id))
    }

    pub(crate) fn add_time(&mut self, command: &AddTime) -> Result<Effects, Illegal> {
        let AddTime { question_id, seconds } = *command;
        self.is_released_or_round(question_id)?;
        let left = self.timers.left_of(question_id).filter(|_| self.can_run(question_id));
        let Some(left) = left else { return Ok(self.timers_to_host()) };
        let before = self.timers.stages.get(&question_id).map_or(left, |stages| stages.length);
        let (more, of) = self.longer(question_id, before, u64::from(seconds) * 1_000);
        self.apply(&Fact::TimerSet(question_id, left + more, of))?;
        Ok(self.with_timer(Effects::default(), question_id))
    }

    pub(crate) fn hold_timers(&mut self, held: bool) -> Result<Effects, Illegal> {
        self.is_released_or_round(None)?;
        if self.timers.held == held || !self.can_hold(held) {
            return Ok(self.timers_to_host());
        }
        self.apply(&Fact::TimersHeld(held, self.timers.left.clone()))?;
        Ok(self.all_timers(Effects::default()))
    }

    fn timers_to_host(&self) -> Effects {
        let all = self.timers.left.iter().filter_map(|(of, _)| self.timer_update_for(*of, Viewer::Host));
        Effects::default().and_all(To::Host, all)
    }
}
