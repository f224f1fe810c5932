//! The break between two rounds: the time left when it was last stated, and the text shown with it. There is no break while
//! questions are asked.
//!
//! It is part of the timers. Like them it is built from the log only, except for the moment at which a process applied a
//! statement.

use serde::{Deserialize, Serialize};

use crate::base::Moment;
use crate::clock::span::{Expiry, LEAST_AFTER_CLAIM, MARK_EVERY, Unstored};

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
    /// A break that begins at a moment and takes `ms` milliseconds.
    pub fn new(ms: u64, text: Option<&str>, generation: u64, at: Moment) -> Self {
        Self { text: text.map(str::to_owned), ms, generation, at: Unstored(at) }
    }

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

    /// The time left at a moment of this process, milliseconds.
    pub fn left(&self, at: Moment) -> u64 {
        self.ms.saturating_sub(at.0.saturating_sub(self.at.0.0))
    }

    /// The text shown with it.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// States what it has left.
    pub fn mark(&mut self, ms: u64, at: Moment) {
        (self.ms, self.at) = (ms, Unstored(at));
    }
}
