//! A rate limit in eight bytes: the virtual-scheduling form of the leaky bucket.
//!
//! Used for messages and control frames of each socket, for the connections of each participant, and for upgrades of the whole
//! process.

use std::time::Duration;

use crate::config::SocketRates;

use super::timing::Moment;

/// The used part of a rate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bucket {
    /// When the next event would be due if events came evenly, in microseconds.
    due: u64,
}

impl Bucket {
    /// Whether one more may happen now; counts it if so.
    pub fn allow(&mut self, rate: SocketRates, now: Moment) -> bool {
        self.allow_every(Duration::from_micros(1_000_000 / u64::from(rate.per_second.max(1))), rate.burst, now)
    }

    /// The same for slow rates: one per `step` in the long run, `burst` at once.
    pub fn allow_every(&mut self, step: Duration, burst: u32, now: Moment) -> bool {
        let step = u64::try_from(step.as_micros()).unwrap_or(u64::MAX);
        let slack = step.saturating_mul(u64::from(burst.max(1) - 1));
        let due = self.due.max(now.micros());
        if due - now.micros() > slack {
            return false;
        }
        self.due = due.saturating_add(step);
        true
    }

    /// Takes back one event that [`Bucket::allow_every`] counted with this `step`.
    pub fn give_back(&mut self, step: Duration) {
        self.due = self.due.saturating_sub(u64::try_from(step.as_micros()).unwrap_or(u64::MAX));
    }

    /// Whether the whole burst is available again.
    pub fn is_whole(&self, now: Moment) -> bool {
        self.due <= now.micros()
    }
}

#[cfg(test)]
mod tests;
