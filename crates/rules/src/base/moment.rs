//! Time for the rules: an argument, never read from a clock.

use std::time::Duration;

/// A moment on the monotonic clock of the process that holds the state, in milliseconds since a fixed moment of that process. It
/// has no meaning in another process, so it is never stored or sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl From<Duration> for Moment {
    /// The moment this long after the fixed moment.
    fn from(since: Duration) -> Self {
        Self(since.as_secs().saturating_mul(1_000).saturating_add(u64::from(since.subsec_millis())))
    }
}

impl From<Moment> for Duration {
    /// How long after the fixed moment this moment is.
    fn from(moment: Moment) -> Self {
        Self::from_millis(moment.0)
    }
}
