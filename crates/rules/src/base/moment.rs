//! Time as the rules see it: an argument, never read from a clock.

use std::time::Duration;

/// A moment on the monotonic clock of the process that holds the state, in milliseconds since some fixed moment of that
/// process. Means nothing to another process: never stored, never sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl From<Duration> for Moment {
    /// The moment so long after the fixed one.
    fn from(since: Duration) -> Self {
        Self(since.as_secs().saturating_mul(1_000).saturating_add(u64::from(since.subsec_millis())))
    }
}

impl From<Moment> for Duration {
    /// How long after the fixed moment it is.
    fn from(moment: Moment) -> Self {
        Self::from_millis(moment.0)
    }
}
