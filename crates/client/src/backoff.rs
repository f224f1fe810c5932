//! When to come back: the reconnect rules as a pure function of what happened and a source of chance.
//!
//! First delay uniform (RFC 6455 §7.2.3), then full jitter with a doubling bound; the server's `retry=a-b` window and
//! `Retry-After` go before both. Never sleeps and never reads a clock.

use std::time::Duration;

use quizhall_protocol::Advice;
use rand::{Rng, RngExt as _};

use crate::closed::Closed;
use crate::socket::ConnectError;

/// The numbers behind the delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The first delay after a loss is uniform in zero to this.
    pub first: Duration,
    /// The bound of the second delay; it doubles from there.
    pub base: Duration,
    /// The bound never exceeds this.
    pub cap: Duration,
    /// A connection that lived this long starts the count anew.
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

/// How often it went wrong lately, and what follows from it.
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

    /// The delay after a connection that lived for `lived` ended; `None`: do not come back.
    pub fn after_close(&mut self, closed: &Closed, lived: Duration, chance: &mut impl Rng) -> Option<Duration> {
        if lived >= self.schedule.stable {
            self.failures = 0;
        }
        match closed.advice() {
            Advice::Stop => None,
            // At once, but only once: a server that keeps saying so must not be hammered.
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

    /// The delay after an attempt to connect failed; `None`: the answer would be the same again.
    pub fn after_refusal(&mut self, refusal: &ConnectError, chance: &mut impl Rng) -> Option<Duration> {
        if refusal.is_final() {
            return None;
        }
        let delay = self.next(chance);
        Some(match refusal.retry_after() {
            // Spread, or everybody who was told the same number comes back in the same instant.
            Some(wait) => wait + between(Duration::ZERO, wait.max(self.schedule.base), chance),
            None => delay,
        })
    }

    /// The next delay by count alone: uniform in `first`, then full jitter up to `base · 2ⁿ`, at most `cap`.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use quizhall_protocol::{Close, CloseCode};
    use rand::SeedableRng as _;
    use rand::rngs::SmallRng;

    use super::*;

    fn closed(close: impl Into<Close>) -> Closed {
        let close = close.into();
        Closed { code: Some(close.code.number()), reason: close.reason() }
    }

    /// The largest of many draws of the n-th delay: close to its bound, never over it.
    fn largest(n: usize) -> f64 {
        let mut chance = SmallRng::seed_from_u64(7);
        (0..2_000)
            .map(|_| {
                let mut backoff = Backoff::new(Schedule::default());
                (0..n).map(|_| backoff.next(&mut chance)).last().unwrap().as_secs_f64()
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn bounds_are_five_then_one_two_four_up_to_thirty_seconds() {
        for (n, bound) in [(1, 5.0), (2, 1.0), (3, 2.0), (4, 4.0), (6, 16.0), (7, 30.0), (40, 30.0)] {
            let largest = largest(n);
            assert!(largest <= bound && largest > bound * 0.99, "delay {n}: {largest} of {bound}");
        }
    }

    #[test]
    fn a_long_life_starts_anew_and_a_short_one_does_not() {
        let mut chance = SmallRng::seed_from_u64(1);
        let mut backoff = Backoff::new(Schedule { first: Duration::ZERO, ..Schedule::default() });
        let lost = Closed::lost("reset");
        let mut delay = |lived| backoff.after_close(&lost, Duration::from_secs(lived), &mut chance).unwrap();
        assert_eq!(delay(1), Duration::ZERO);
        assert_ne!(delay(59), Duration::ZERO);
        assert_eq!(delay(60), Duration::ZERO);
    }

    #[test]
    fn the_servers_window_is_kept() {
        let mut chance = SmallRng::seed_from_u64(2);
        let restart = closed(Close::with_retry(CloseCode::ServiceRestart, 3, 4));
        for _ in 0..500 {
            let delay = Backoff::new(Schedule::default()).after_close(&restart, Duration::ZERO, &mut chance).unwrap();
            assert!((3.0..=4.0).contains(&delay.as_secs_f64()), "{delay:?}");
        }
    }

    #[test]
    fn stop_means_stop_and_now_means_now_but_once() {
        let mut chance = SmallRng::seed_from_u64(3);
        for code in CloseCode::ALL {
            let delay = Backoff::new(Schedule::default()).after_close(&closed(*code), Duration::ZERO, &mut chance);
            assert_eq!(delay.is_none(), code.advice() == Advice::Stop, "{code:?}");
        }
        let mut backoff = Backoff::new(Schedule::default());
        let moved = closed(CloseCode::ResyncRequired);
        assert_eq!(backoff.after_close(&moved, Duration::ZERO, &mut chance), Some(Duration::ZERO));
        assert!(backoff.after_close(&moved, Duration::ZERO, &mut chance).unwrap() > Duration::ZERO);
    }

    #[test]
    fn retry_after_is_a_lower_bound() {
        let mut chance = SmallRng::seed_from_u64(4);
        let busy = ConnectError::Refused { status: 503, retry_after: Some(Duration::from_secs(7)) };
        for _ in 0..500 {
            let delay = Backoff::new(Schedule::default()).after_refusal(&busy, &mut chance).unwrap();
            assert!((7.0..=14.0).contains(&delay.as_secs_f64()), "{delay:?}");
        }
        for status in [400, 401, 403, 404, 410] {
            let gone = ConnectError::Refused { status, retry_after: None };
            assert_eq!(Backoff::new(Schedule::default()).after_refusal(&gone, &mut chance), None, "{status}");
        }
    }
}
