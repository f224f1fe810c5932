//! Unit tests of `pace`.

#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn the_sixth_socket_of_a_seat_waits_and_another_seat_does_not() {
    let opened = Mutex::default();
    let begun = Instant::now();
    let after = |token: &str| turn(&opened, &Knock::bearer("AAAAAA", token), begun) - begun;
    for _ in 0..PER_SEAT {
        assert_eq!(after("one"), Duration::ZERO);
    }
    for _ in 0..PER_SEAT {
        assert_eq!(after("one"), WINDOW);
    }
    assert_eq!(after("one"), 2 * WINDOW);
    assert_eq!(after("another"), Duration::ZERO);
}
