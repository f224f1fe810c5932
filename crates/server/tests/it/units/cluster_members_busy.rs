//! How many cores a process used lately.

use std::time::Duration;

use quizhall::cluster::members::busy::Busy;

/// Takes a reading `up` milliseconds after the start, of `used` milliseconds of CPU time.
fn read(busy: &mut Busy, up: u64, used: u64) -> u32 {
    busy.read(Duration::from_millis(up), Duration::from_millis(used))
}

#[test]
fn a_steady_load_is_its_average() {
    let mut busy = Busy::default();
    let last = (1..=100).map(|reading| read(&mut busy, 400 * reading, 600 * reading)).last();
    assert_eq!(last, Some(1_500), "600 ms of CPU in 400 ms");
    assert_eq!(read(&mut busy, 40_000, 99_000), 1_500, "two readings at one moment change nothing");
}

#[test]
fn a_change_shows_within_the_window_and_a_spike_does_not_stay() {
    let mut busy = Busy::default();
    for (up, used, expected, why) in [
        (60_000, 0, 0..1, "no load"),
        (60_400, 800, 200..300, "two cores for 400 ms are no load of two cores"),
        (66_400, 800, 0..50, "the spike is over"),
        (72_400, 6_800, 800..1_001, "one core for two windows"),
    ] {
        let busy = read(&mut busy, up, used);
        assert!(expected.contains(&busy), "{why}: {busy}");
    }
}
