//! The timers of a full game as seen from outside: when a question may close at the earliest, and what time it can have left.
//!
//! The director, who starts, holds and extends timers, and the host, who sees questions close, fill them; the checks of
//! all participants read them. All bounds hold however slow the machine is: they count from the moment before a command
//! is sent, or after its confirmation.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quizhall_protocol::to_all::TimerUpdate;
use tokio::time::Instant;
use uuid::Uuid;

/// How long a question stays open after its time.
pub const GRACE: Duration = Duration::from_secs(1);
/// The service counts in milliseconds, from several readings of its clock.
const ROUNDING: Duration = Duration::from_millis(50);

/// The timer of one question.
#[derive(Debug, Clone, Copy)]
struct Clock {
    /// Before the release was sent.
    begun: Instant,
    limit: Duration,
    /// What the host has added, or is about to.
    added: Duration,
    /// How long it was held at least.
    held: Duration,
}

/// All timers.
#[derive(Debug, Default)]
pub struct Clocks {
    of: Mutex<HashMap<Uuid, Clock>>,
    closed: Mutex<Vec<Uuid>>,
}

impl Clocks {
    /// The host releases a question with a limit of `seconds`, not before this moment.
    pub fn begin(&self, question: Uuid, begun: Instant, seconds: u16) {
        let limit = Duration::from_secs(seconds.into());
        let clock = Clock { begun, limit, added: Duration::ZERO, held: Duration::ZERO };
        self.of().insert(question, clock);
    }

    /// The host is about to add time.
    pub fn add(&self, question: Uuid, more: Duration) {
        self.of().entry(question).and_modify(|clock| clock.added += more);
    }

    /// All timers were held for so long at least.
    pub fn held(&self, time: Duration) {
        self.of().values_mut().for_each(|clock| clock.held += time);
    }

    /// Whether the question may be closed by now.
    pub fn may_be_closed(&self, question: Uuid) -> bool {
        let clock = self.of().get(&question).copied();
        clock.is_some_and(|Clock { begun, limit, added, held }| {
            begun.elapsed() + ROUNDING >= limit + added + held + GRACE
        })
    }

    /// Whether the message may say this of a timer. While `unsure` it may have more time: a command may have been carried out twice.
    pub fn may_say(&self, update: &TimerUpdate, unsure: bool) -> bool {
        let clock = update.question_id.and_then(|question| self.of().get(&question).copied());
        let left = Duration::from_millis(update.remaining_ms.into());
        clock.is_some_and(|Clock { begun, limit, added, .. }| {
            (unsure || left <= limit + added) && left + begun.elapsed() + ROUNDING >= limit
        })
    }

    /// The host has seen a question close.
    pub fn close(&self, question: Uuid) {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if !closed.contains(&question) {
            closed.push(question);
        }
    }

    /// The questions that the host has seen close, in that order.
    pub fn closed(&self) -> Vec<Uuid> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn of(&self) -> MutexGuard<'_, HashMap<Uuid, Clock>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
