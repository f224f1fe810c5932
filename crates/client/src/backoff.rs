//! When to reconnect: the rules as a pure function of the events and a source of randomness.
//!
//! The first delay is uniform (RFC 6455 §7.2.3), then there is full jitter with a doubling bound; the server's
//! `retry=a-b` window and `Retry-After` take precedence over both. Never sleeps and never reads a clock.

use std::time::Duration;

use quizhall_protocol::Advice;
use rand::{Rng, RngExt as _};

use crate::closed::Closed;
use crate::socket::ConnectError;

/// The parameters of the delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The first delay after a loss is uniform in zero to this.
    pub first: Duration,
    /// The bound of the second delay; it doubles from there.
    pub base: Duration,
    /// The bound never exceeds this.
    pub cap: Duration,
    /// A connection that lived this long resets the count.
    pub stable: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(5),
            base: Duration::from_secs(1),
            cap: Duration::from_secs(30),
            stable: Duration::from_mins(1),
        }
    }
}

/// The recent failures, and the delays that follow from them.
#[derive(Debug, Clone)]
pub struct Backoff {
    schedule: Schedule,
    failures: u32,
}

impl Backoff {
    /// Starts with no failure.
    pub fn new(schedule: Schedule) -> Self {
        Self { schedule, failures: 0 }
    }

    /// The delay after a connection that lived for `lived` ended; `None`: do not reconnect.
    pub fn after_close(&mut self, closed: &Closed, lived: Duration, chance: &mut impl Rng) -> Option<Duration> {
        if lived >= self.schedule.stable {
            self.failures = 0;
        }
        match closed.advice() {
            Advice::Stop => None,
            // At once, but only the first time: a server that repeats it must not be flooded.
            Advice::ReconnectNow if self.failures == 0 => {
                self.failures = 1;
                Some(Duration::ZERO)
            }
            _ => Some(match closed.retry_window() {
                Some((from, to)) => {
                    self.failures = self.failures.max(1);
                    between(from, to, chance)
                }
                None => self.next(chance),
            }),
        }
    }

    /// The delay after a failed attempt to connect; `None`: the answer would be the same again.
    pub fn after_refusal(&mut self, refusal: &ConnectError, chance: &mut impl Rng) -> Option<Duration> {
        if refusal.is_final() {
            return None;
        }
        let delay = self.next(chance);
        Some(match refusal.retry_after() {
            // Spread out; otherwise all clients with the same number would reconnect at the same instant.
            Some(wait) => wait + between(Duration::ZERO, wait.max(self.schedule.base), chance),
            None => delay,
        })
    }

    /// The next delay, by the count only: uniform in `first`, then full jitter up to `base · 2ⁿ`, at most `cap`.
    pub fn next(&mut self, chance: &mut impl Rng) -> Duration {
        let bound = match self.failures {
            0 => self.schedule.first,
            failures => {
                let factor = 1_u32.checked_shl(failures - 1).unwrap_or(u32::MAX);
                self.schedule.base.saturating_mul(factor).min(self.schedule.cap)
            }
        };
        self.failures = self.failures.saturating_add(1);
        between(Duration::ZERO, bound, chance)
    }
}

fn between(from: Duration, to: Duration, chance: &mut impl Rng) -> Duration {
    from + to.saturating_sub(from).mul_f64(chance.random::<f64>())
}
