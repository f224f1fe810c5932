//! Moments as numbers: microseconds since their owner was made, so that they fit into atomics.
//!
//! Used only in this folder. Monotonic (promise 25).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::clock;

/// A point in time; zero means "never".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment(u64);

impl Moment {
    /// No moment at all.
    pub const NEVER: Self = Self(0);

    /// Later than everything.
    pub const END: Self = Self(u64::MAX);

    /// This moment plus a duration.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// The time since `earlier`; zero when that is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }

    /// Whether this is [`Moment::NEVER`].
    pub fn is_never(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn micros(self) -> u64 {
        self.0
    }
}

/// The moment from which moments are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Epoch(Instant);

impl Epoch {
    pub(crate) fn start() -> Self {
        Self(clock::now())
    }

    pub(crate) fn at(start: Instant) -> Self {
        Self(start)
    }

    pub(crate) fn now(&self) -> Moment {
        self.moment(clock::now())
    }

    /// Never zero, which is [`Moment::NEVER`].
    pub(crate) fn moment(&self, at: Instant) -> Moment {
        Moment(micros(at.saturating_duration_since(self.0)).saturating_add(1))
    }
}

/// A moment that several threads read and write.
#[derive(Debug, Default)]
pub(crate) struct SharedMoment(AtomicU64);

impl SharedMoment {
    pub(crate) fn at(moment: Moment) -> Self {
        Self(AtomicU64::new(moment.0))
    }

    pub(crate) fn get(&self) -> Moment {
        Moment(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn set(&self, moment: Moment) {
        self.0.store(moment.0, Ordering::Relaxed);
    }
}

/// Whole microseconds.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
