//! The clock of measurements: nanoseconds that mean the same in every process of this machine.

use nix::time::{ClockId, clock_gettime};

/// Now, in nanoseconds since some moment that all processes of this machine share; never goes back.
pub fn now() -> u64 {
    nanoseconds(ClockId::CLOCK_MONOTONIC)
}

/// What a clock shows, in nanoseconds; 0 when it cannot be read.
pub fn nanoseconds(clock: ClockId) -> u64 {
    let Ok(time) = clock_gettime(clock) else { return 0 };
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    part(time.tv_sec()) * 1_000_000_000 + part(time.tv_nsec())
}
