//! When a client connects again: by the reason of a close, by a refusal, and by the bounds of its own delays.

use std::time::Duration;

use quizhall_client::{Backoff, Closed, ConnectError, Schedule};
use quizhall_protocol::{Advice, Close, CloseCode};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

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
fn the_window_is_read_from_the_reason() {
    let restart = closed(Close::with_retry(CloseCode::ServiceRestart, 2, 17));
    assert_eq!(restart.retry_window(), Some((Duration::from_secs(2), Duration::from_secs(17))));
    assert_eq!(restart.known(), Some(CloseCode::ServiceRestart));
    let detailed = Close { detail: Some("drain"), ..Close::with_retry(CloseCode::ServiceRestart, 0, 1) };
    assert_eq!(closed(detailed).retry_window(), Some((Duration::ZERO, Duration::from_secs(1))));
    let detailed = Close { detail: Some("reconnects"), ..Close::with_retry(CloseCode::RateLimited, 15, 30) };
    assert_eq!(closed(detailed).retry_window(), Some((Duration::from_secs(15), Duration::from_secs(30))));
}

#[test]
fn every_code_of_the_table_gives_its_advice() {
    for code in CloseCode::ALL {
        assert_eq!(closed(*code).advice(), code.advice(), "{code:?}");
    }
    assert_eq!(Closed::lost("reset").advice(), Advice::ReconnectAndResend);
}

#[test]
fn nonsense_is_no_window() {
    for reason in ["service_restart", "x; retry=5", "x; retry=9-2", "x; retry=-1-2", "x; retry=a-b", "retry"] {
        let closed = Closed { code: None, reason: reason.to_owned() };
        assert_eq!(closed.retry_window(), None, "{reason}");
    }
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
