//! The break between two rounds: the time left when it was last stated, and the text shown with it. There is no break while
//! questions are asked.
//!
//! It is part of the timers. Like them it is built from the log only, except for the moment at which this process applied a
//! statement. Called by `apply` and where commands are decided; decides nothing.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::clock::timers::{LEAST_AFTER_CLAIM, MARK_EVERY, Timers, Unstored};
use crate::{Expiry, Moment};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Break {
    /// The text shown with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The time left when it was last stated, milliseconds.
    ms: u64,
    /// The number of the statement that started it.
    generation: u64,
    /// When this process applied `ms`.
    #[serde(skip)]
    at: Unstored,
}

impl Break {
    /// Continues under a new owner, as timers do.
    pub fn continue_at(&mut self, at: Moment) {
        (self.ms, self.at) = (self.ms.max(LEAST_AFTER_CLAIM), Unstored(at));
    }

    /// Moves the moment from which the last statement counts.
    pub fn count_from(&mut self, moment: impl Fn(Moment) -> Moment) {
        self.at = Unstored(moment(self.at.0));
    }

    /// When it ends. It has no grace: no player has to arrive before it.
    pub fn expiry(&self) -> (Moment, Expiry) {
        let expiry = Expiry { question: None, generation: self.generation, is_step: false };
        (Moment(self.at.0.0.saturating_add(self.ms)), expiry)
    }

    /// When its time left has to be stated again; none if it ends before that.
    pub fn marked_at(&self) -> Option<Moment> {
        (self.ms > MARK_EVERY).then(|| Moment(self.at.0.0.saturating_add(MARK_EVERY)))
    }
}

impl Timers {
    /// Begins a break and replaces the current one, if any.
    pub fn start_break(&mut self, ms: u64, text: Option<&str>, at: Moment) {
        self.generation += 1;
        let text = text.map(str::to_owned);
        self.pause = Some(Break { text, ms, generation: self.generation, at: Unstored(at) });
    }

    /// States how much time the break has left.
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

    /// How much time the break has left at a moment of this process, in milliseconds, and the text shown with it.
    pub fn break_left(&self, at: Moment) -> Option<(u64, Option<&str>)> {
        let pause = self.timers.pause.as_ref()?;
        let left = pause.ms.saturating_sub(at.0.saturating_sub(pause.at.0.0));
        Some((left, pause.text.as_deref()))
    }
}
