//! Unit tests of `cluster::members::busy`.

use super::*;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn a_steady_load_is_its_average() {
    let mut busy = Busy::default();
    let last = (1..=100).map(|reading| busy.read(ms(400 * reading), ms(600 * reading))).last();
    assert_eq!(last, Some(1_500), "600 ms of CPU in 400 ms");
}

#[test]
fn a_change_shows_within_the_window_and_a_spike_does_not_stay() {
    let mut busy = Busy::default();
    assert_eq!(busy.read(ms(60_000), ms(0)), 0);
    let spike = busy.read(ms(60_400), ms(800));
    assert!((200..300).contains(&spike), "two cores for 400 ms are no load of two cores: {spike}");
    let after = busy.read(ms(66_400), ms(800));
    assert!(after < 50, "{after}");
    let steady = busy.read(ms(72_400), ms(6_800));
    assert!((800..=1_000).contains(&steady), "one core for two windows: {steady}");
}

#[test]
fn two_readings_at_one_moment_change_nothing() {
    let mut busy = Busy::default();
    let first = busy.read(ms(3_000), ms(3_000));
    assert_eq!(busy.read(ms(3_000), ms(9_000)), first);
}
