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

/// The CPU time that this process has used, in all threads.
pub fn cpu_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec.unsigned_abs(), u32::try_from(used.tv_nsec).unwrap_or(0))
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
