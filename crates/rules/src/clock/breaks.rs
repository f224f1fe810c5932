//! The break between two rounds: what time it had left when that was stated last, and what is shown with it.
//!
//! Part of the timers, and like them made by the log alone but for the moment at which a process applied a statement. Called by
//! `apply` and by the judging of commands; decides nothing. There is none while questions are asked.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::clock::timers::{LEAST_AFTER_CLAIM, MARK_EVERY, Timers, Unstored};
use crate::{Expiry, Moment};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Break {
    /// What is shown with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What was left of it when that was stated last, milliseconds.
    ms: u64,
    /// The number of the statement that started it.
    generation: u64,
    /// When this process applied `ms`.
    #[serde(skip)]
    at: Unstored,
}

impl Break {
    /// Goes on under a new owner, as timers do.
    pub fn continue_at(&mut self, at: Moment) {
        (self.ms, self.at) = (self.ms.max(LEAST_AFTER_CLAIM), Unstored(at));
    }

    /// What was stated last counts from another moment.
    pub fn count_from(&mut self, moment: impl Fn(Moment) -> Moment) {
        self.at = Unstored(moment(self.at.0));
    }

    /// When it ends. It has no grace: no player has to arrive before it.
    pub fn expiry(&self) -> (Moment, Expiry) {
        let expiry = Expiry { question: None, generation: self.generation, is_step: false };
        (Moment(self.at.0.0.saturating_add(self.ms)), expiry)
    }

    /// When its time left is to be stated again, unless it ends before.
    pub fn marked_at(&self) -> Option<Moment> {
        (self.ms > MARK_EVERY).then(|| Moment(self.at.0.0.saturating_add(MARK_EVERY)))
    }
}

impl Timers {
    /// Begins a break, in place of the one that there is.
    pub fn start_break(&mut self, ms: u64, text: Option<&str>, at: Moment) {
        self.generation += 1;
        let text = text.map(str::to_owned);
        self.pause = Some(Break { text, ms, generation: self.generation, at: Unstored(at) });
    }

    /// States what time the break has left.
    pub fn mark_break(&mut self, ms: u64, at: Moment) {
        if let Some(pause) = &mut self.pause {
            (pause.ms, pause.at) = (ms, Unstored(at));
        }
    }
}

impl State {
    /// Whether there is a break.
    pub fn has_break(&self) -> bool {
        self.timers.pause.is_some()
    }

    /// What the break has left at a moment of this process, in milliseconds, and what is shown with it.
    pub fn break_left(&self, at: Moment) -> Option<(u64, Option<&str>)> {
        let pause = self.timers.pause.as_ref()?;
        let left = pause.ms.saturating_sub(at.0.saturating_sub(pause.at.0.0));
        Some((left, pause.text.as_deref()))
    }
}
