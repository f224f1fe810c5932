//! Unit tests of `limits::throttle`.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::clock;

const MINUTE: Duration = Duration::from_mins(1);

#[test]
fn burst_then_rate() {
    let start = clock::now();
    let throttle = Throttle::new(10, MINUTE, 10, start);
    for _ in 0..10 {
        throttle.take("a", start).unwrap();
    }
    assert_eq!(throttle.take("a", start), Err(Duration::from_secs(6)));
    assert_eq!(throttle.take("b", start), Ok(()));
    assert_eq!(throttle.take("a", start + Duration::from_secs(6)), Ok(()));
    assert!(throttle.take("a", start + Duration::from_secs(6)).is_err());
    assert_eq!(throttle.take("a", start + 20 * MINUTE), Ok(()));
}

#[test]
fn what_is_counted_afterwards_is_paid_for() {
    let start = clock::now();
    let throttle = Throttle::new(10, MINUTE, 10, start);
    for _ in 0..30 {
        throttle.charge("a", start);
    }
    assert!(throttle.ready(&"a", start + MINUTE).is_err());
    assert!(throttle.ready(&"a", start + 2 * MINUTE + Duration::from_secs(6)).is_ok());
    for _ in 0..100_000 {
        throttle.charge("a", start);
    }
    assert!(throttle.ready(&"a", start + MAX_DEBT + MINUTE).is_ok());
}

#[test]
fn memory_is_bounded() {
    let start = clock::now();
    let throttle = Throttle::new(1, MINUTE, 1, start);
    for key in 0..MAX_KEYS + 10 {
        throttle.charge(key, start);
    }
    assert_eq!(throttle.keys().len(), MAX_KEYS);
    throttle.charge(0, start + 30 * MINUTE);
    assert!(throttle.keys().len() < 10);
}

#[test]
fn one_address_is_a_v4_or_a_v6_network() {
    let key = |text: &str| AddressKey::from(text.parse::<IpAddr>().unwrap());
    assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
    assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
    assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
}
