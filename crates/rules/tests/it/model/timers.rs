//! The timers of the model: each a number that falls with every step of the clock.

use super::Model;

/// What a timer has left at most.
const AN_HOUR: u64 = 3_600_000;

#[derive(Clone, Default)]
pub struct Timers {
    pub held: bool,
    /// Of a question or of the round, with milliseconds left; the newest last.
    pub left: Vec<(Option<u8>, u64)>,
    /// Questions that take no answers any more.
    pub closed: Vec<u8>,
}

impl Model {
    /// Time passes.
    pub fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.pause = self.pause.map(|left| left.saturating_sub(ms));
        if !self.timers.held {
            self.timers.left.iter_mut().for_each(|(_, left)| *left = left.saturating_sub(ms));
        }
    }

    pub(super) fn set_timer(&mut self, question: Option<u8>, ms: u64) -> Result<bool, &'static str> {
        let can_run = self.can_have_timer(question)?;
        if can_run {
            self.timers.left.retain(|(of, _)| *of != question);
            self.timers.left.push((question, ms));
        }
        Ok(can_run)
    }

    pub(super) fn add_time(&mut self, question: Option<u8>, more: u64) -> Result<bool, &'static str> {
        self.can_have_timer(question)?;
        let Some((_, left)) = self.timers.left.iter().find(|(of, _)| *of == question).copied() else {
            return Ok(false);
        };
        let ms = (left + more).min(AN_HOUR);
        Ok(ms > left && self.set_timer(question, ms)?)
    }

    pub(super) fn hold(&mut self, held: bool) -> bool {
        let changes = self.timers.held != held && !self.timers.left.is_empty();
        self.timers.held ^= changes;
        changes
    }

    /// The service finds the timer over.
    pub(super) fn time_over(&mut self, question: Option<u8>) -> bool {
        if question.is_none() && self.pause.take().is_some() {
            return true;
        }
        let is_over = !self.timers.held && self.timers.left.iter().any(|(of, _)| *of == question);
        match question {
            _ if !is_over => {}
            None => {
                self.phase = "round_review";
                self.end_timers();
            }
            Some(question) => {
                self.timers.closed.push(question);
                self.timers.left.retain(|(of, _)| *of != Some(question));
            }
        }
        is_over
    }

    /// The round is over, or the game.
    pub(super) fn end_timers(&mut self) {
        (self.timers.held, self.timers.left) = (false, Vec::new());
    }

    /// Whether a question takes answers.
    pub fn takes_answers(&self, question: u8) -> bool {
        self.is_open(question) && !self.timers.closed.contains(&question)
    }

    fn can_have_timer(&self, question: Option<u8>) -> Result<bool, &'static str> {
        match question {
            Some(question) if !self.is_open(question) => Err("UnknownQuestion"),
            question => Ok(question.is_none_or(|question| self.takes_answers(question))),
        }
    }
}
