//! Questions that close soon, before their timers: because the host closes them, or because every player who is here has answered.
//!
//! Part of the timers: built from the log only, except for the moment at which a process applied an event. Each closes with the
//! grace of a timer. After a claim the grace begins again, so a new owner closes what the earlier one did not.

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::{Moment, is_false};
use crate::clock::span::{Expiry, GRACE, Unstored};

/// A question that closes when the grace is over.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Closing {
    #[serde(rename = "q")]
    pub question: QuestionId,
    /// Whether the host closes it, so that no player is waited for.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_host: bool,
    /// The number of the statement that began it.
    pub generation: u64,
    /// When this process applied that statement.
    #[serde(skip)]
    pub at: Unstored,
}

/// The questions that close soon, each once.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Closings(Vec<Closing>);

impl Closing {
    fn expiry(&self) -> (Moment, Expiry) {
        let expiry = Expiry { question: Some(self.question), generation: self.generation, is_step: false };
        (Moment(self.at.0.0.saturating_add(GRACE)), expiry)
    }
}

impl Closings {
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// When each question closes.
    pub fn expiries(&self) -> impl Iterator<Item = (Moment, Expiry)> {
        self.0.iter().map(Closing::expiry)
    }

    /// Whether the host has closed a question that still has its grace.
    pub fn has_hosts(&self, question: QuestionId) -> bool {
        self.0.iter().any(|closing| closing.question == question && closing.by_host)
    }

    /// Whether a question has its grace.
    pub fn has(&self, question: QuestionId) -> bool {
        self.0.iter().any(|closing| closing.question == question)
    }

    /// Begins to close a question; whether that is new. One that is closing already keeps its moment.
    pub fn begin(&mut self, closing: Closing) -> bool {
        if let Some(before) = self.0.iter_mut().find(|before| before.question == closing.question) {
            before.by_host |= closing.by_host;
            return false;
        }
        self.0.push(closing);
        true
    }

    /// A question that only its answers would close stays open; all of them without a question.
    pub fn keep_open(&mut self, question: Option<QuestionId>) {
        self.0.retain(|closing| closing.by_host || question.is_some_and(|question| closing.question != question));
    }

    /// The question is closed.
    pub fn end(&mut self, question: QuestionId) {
        self.0.retain(|closing| closing.question != question);
    }

    pub fn end_all(&mut self) {
        self.0.clear();
    }

    /// Moves the moment from which the grace counts.
    pub fn count_from(&mut self, moment: impl Fn(Moment) -> Moment) {
        for closing in &mut self.0 {
            closing.at = Unstored(moment(closing.at.0));
        }
    }
}
