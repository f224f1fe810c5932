//! One allowance in eight bytes: the moment at which it is whole again, as the virtual-scheduling form of the leaky bucket.
//!
//! Used by every limit over time: for messages and control frames of each socket, for the connections of each participant, and, by
//! key, in [`Throttle`](super::Throttle). The script of the shared limits counts in the same way.

use std::time::Duration;

use crate::cluster::bus::Rate;
use crate::config::SocketRates;
use crate::moment::{Moment, micros};

/// How much of a rate has been used up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bucket {
    /// When the whole burst is there again, in microseconds.
    whole_at: u64,
}

impl Bucket {
    /// Whether one more may happen now; counts it if so.
    pub fn allow(&mut self, rate: SocketRates, now: Moment) -> bool {
        self.allow_every(Duration::from_micros(1_000_000 / u64::from(rate.per_second.max(1))), rate.burst, now)
    }

    /// The same for slow rates: one per `step` in the long run, `burst` at once.
    pub fn allow_every(&mut self, step: Duration, burst: u32, now: Moment) -> bool {
        self.take(Rate { cell: step, burst, most_debt: Duration::ZERO }, now).is_ok()
    }

    /// Whether one more may happen now; counts nothing.
    ///
    /// # Errors
    /// How long to wait.
    pub fn ready(self, rate: Rate, now: Moment) -> Result<(), Duration> {
        let slack = micros(rate.cell).saturating_mul(u64::from(rate.burst.max(1) - 1));
        match self.whole_at.saturating_sub(now.micros().saturating_add(slack)) {
            0 => Ok(()),
            wait => Err(Duration::from_micros(wait)),
        }
    }

    /// Counts one if it may happen now.
    ///
    /// # Errors
    /// How long to wait; nothing was counted.
    pub fn take(&mut self, rate: Rate, now: Moment) -> Result<(), Duration> {
        self.ready(rate, now)?;
        self.charge(rate, now);
        Ok(())
    }

    /// Counts one in any case. An event that has already happened may push the allowance into debt.
    pub fn charge(&mut self, rate: Rate, now: Moment) {
        let (cell, now) = (micros(rate.cell), now.micros());
        let whole = cell.saturating_mul(u64::from(rate.burst.max(1)));
        let latest = now.saturating_add(whole).saturating_add(micros(rate.most_debt));
        self.whole_at = self.whole_at.max(now).saturating_add(cell).min(latest);
    }

    /// Takes one event back that [`Bucket::allow_every`] counted with this `step`.
    pub fn give_back(&mut self, step: Duration) {
        self.whole_at = self.whole_at.saturating_sub(micros(step));
    }

    /// Whether the whole burst is there again.
    pub fn is_whole(self, now: Moment) -> bool {
        self.whole_at <= now.micros()
    }
}
