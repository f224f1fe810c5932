//! The only file that reads a clock. Timeouts use the monotonic clock; the wall clock only labels things for people.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The monotonic clock, for every timeout (promise 25).
pub fn now() -> Instant {
    Instant::now()
}

/// The time since `then`, by the monotonic clock.
pub fn since(then: Instant) -> Duration {
    then.elapsed()
}

/// Wall-clock milliseconds since 1970, for times that people read and for expiry after hours.
pub fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Epoch milliseconds as RFC 3339 in UTC.
pub fn rfc3339(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_string()
}
