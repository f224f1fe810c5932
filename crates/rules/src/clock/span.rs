//! The time left as the log states it: the common part of timers, steps of the autopilot and breaks.

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::Moment;

/// How long after a statement the next one is due, in milliseconds. When an owner dies, at most this much time is lost.
pub(crate) const MARK_EVERY: u64 = 5_000;
/// How long after its deadline a timer closes its question or round, in milliseconds: answers that were sent in time can still be
/// in transit.
pub(crate) const GRACE: u64 = 1_000;
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

/// The percent whose time is over, and the percent whose time is over next.
pub(crate) struct Passed {
    pub up: u16,
    pub next: u16,
}

/// A time limit of the quiz, of a question or of a whole round.
pub(crate) struct Limit {
    /// None for the round.
    pub question: Option<QuestionId>,
    /// None where the quiz sets none.
    pub seconds: Option<u16>,
}

/// A moment of this process. All of them compare as equal, because states of two processes are compared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unstored(pub Moment);

impl PartialEq for Unstored {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
