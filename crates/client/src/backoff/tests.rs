//! Unit tests of `backoff`.

#![allow(clippy::unwrap_used)]
use quizhall_protocol::{Close, CloseCode};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::*;

fn closed(close: impl Into<Close>) -> Closed {
    let close = close.into();
    Closed { code: Some(close.code.number()), reason: close.reason() }
}

/// The largest of many draws of the n-th delay: close to its bound, never above it.
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
