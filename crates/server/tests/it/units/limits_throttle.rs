//! Rates per key, and bounded memories of keys.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::limits::{Keyed, Known, Throttle};
use quizhall::moment::Moment;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
/// Keys of a throttle.
const MOST: usize = 100_000;

#[test]
fn a_burst_passes_and_then_the_rate() {
    let start = Instant::now();
    let throttle = Throttle::new(10, MINUTE, 10, start);
    let taken = |now| (0..100).filter(|_| throttle.take("a", now).is_ok()).count();
    assert_eq!(taken(start), 10);
    assert_eq!((throttle.take("a", start), throttle.take("b", start)), (Err(6 * SECOND), Ok(())));
    assert_eq!(taken(start + 6 * SECOND), 1);
    assert_eq!(taken(start + 20 * MINUTE), 10, "rest refills the burst, no more");
}

#[test]
fn attempts_that_are_counted_afterwards_are_paid_for_within_ten_minutes() {
    let start = Instant::now();
    let throttle = Throttle::new(10, MINUTE, 10, start);
    (0..30).for_each(|_| throttle.charge("a", start));
    assert!(throttle.ready(&"a", start + MINUTE).is_err());
    assert!(throttle.ready(&"a", start + 2 * MINUTE + 6 * SECOND).is_ok());
    (0..100_000).for_each(|_| throttle.charge("a", start));
    assert!(throttle.ready(&"a", start + 11 * MINUTE).is_ok());
}

#[test]
fn the_keys_of_a_throttle_are_bounded_and_forgotten() {
    let (start, held) = (Instant::now(), Arc::new(()));
    let throttle = Throttle::new(1, MINUTE, 1, start);
    let charge = |key: usize, now| throttle.charge((key, Arc::clone(&held)), now);
    (0..MOST + 10).for_each(|key| charge(key, start));
    assert_eq!(Arc::strong_count(&held) - 1, MOST);
    charge(0, start + 30 * MINUTE);
    assert!(Arc::strong_count(&held) < 10);
}

#[test]
fn a_full_map_looks_for_keys_to_forget_once_a_second_at_most() {
    let at = |milliseconds| Moment::NEVER.plus(100 * SECOND).plus(Duration::from_millis(milliseconds));
    let (mut map, looked_at) = (Keyed::<usize, bool>::new(16, 1_000), Cell::new(0));
    for key in 0..1_000 {
        map.entry(key, at(0), |_| false).unwrap();
    }
    for (milliseconds, searches) in [(2_000, 1), (2_500, 1), (2_999, 1), (3_000, 2)] {
        let entry = map.entry(1_000, at(milliseconds), |_| {
            looked_at.set(looked_at.get() + 1);
            false
        });
        assert_eq!((entry, looked_at.get()), (None, searches * 1_000), "{milliseconds} ms");
    }
}

#[test]
fn the_oldest_are_forgotten() {
    let (known, held) = (Known::new(10), Arc::new(()));
    let key = |number: u32| (number, Arc::clone(&held));
    (0..25).for_each(|number| known.insert(key(number)));
    assert_eq!(Arc::strong_count(&held) - 1, 10);
    assert!((0..25).all(|number| known.contains(&key(number)) == (number >= 15)));
}
