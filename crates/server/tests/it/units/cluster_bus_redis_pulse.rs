//! The beats that a node writes to itself.

use std::time::{Duration, Instant};

use quizhall::cluster::bus::redis::pulse::Pulse;

const MS: Duration = Duration::from_millis(1);
/// The time after which a written beat is missed, and the same while other entries are read.
const SILENCE: Duration = Duration::from_millis(1_500);
const LATE: Duration = Duration::from_secs(6);

/// A pulse with a beat that was written at this moment, and the number of the beat.
fn beating(start: Instant) -> (Pulse, u64) {
    let mut pulse = Pulse::default();
    let number = pulse.begin(start);
    pulse.written(number, start);
    (pulse, number)
}

#[test]
fn lag_is_known_while_beats_arrive() {
    let start = Instant::now();
    assert_eq!(Pulse::default().lag(start), None);
    let (mut pulse, number) = beating(start);
    assert_eq!(pulse.arrived(number, start + 3 * MS), Some(3 * MS));
    assert_eq!(pulse.arrived(number, start + 4 * MS), None, "a repeat changes nothing");
    assert_eq!(pulse.lag(start + 3 * MS + SILENCE), Some(3 * MS));
    assert_eq!(pulse.lag(start + 4 * MS + SILENCE), None);
}

#[test]
fn broken_is_a_pulse_whose_beats_are_written_and_do_not_arrive() {
    let start = Instant::now();
    let mut pulse = Pulse::default();
    pulse.begin(start);
    assert!(!pulse.is_broken(start + 10 * SILENCE), "it was never written: that is another matter");
    let number = pulse.begin(start);
    pulse.written(number, start);
    assert!(!pulse.is_broken(start + 1_499 * MS));
    let next = pulse.begin(start + 500 * MS);
    pulse.written(next, start + 500 * MS);
    assert!(pulse.is_broken(start + SILENCE));
    assert!(!pulse.is_broken(start + SILENCE), "said once");
    assert_eq!(pulse.arrived(number, start + 2 * SILENCE), None, "forgotten");
}

#[test]
fn a_late_beat_is_still_a_sign_of_life() {
    let start = Instant::now();
    let (mut pulse, first) = beating(start);
    let second = pulse.begin(start + 500 * MS);
    pulse.written(second, start + 500 * MS);
    assert_eq!(pulse.arrived(first, start + 1_400 * MS), Some(1_400 * MS));
    assert!(!pulse.is_broken(start + 1_600 * MS));
    assert!(pulse.is_broken(start + 2_900 * MS));
}

#[test]
fn an_inbox_with_a_backlog_is_late_and_not_broken() {
    let start = Instant::now();
    let (mut pulse, _) = beating(start);
    pulse.read(start + SILENCE);
    for since in [SILENCE, SILENCE + 1_499 * MS] {
        assert!(!pulse.is_broken(start + since), "its entries are read");
    }
    assert!(pulse.is_broken(start + 2 * SILENCE), "nothing is read any more");
    let (mut pulse, _) = beating(start);
    pulse.read(start + LATE);
    assert!(pulse.is_broken(start + LATE), "the entries may come from another server than the beats are written to");
}

#[test]
fn entries_behind_a_beat_were_sent_after_it() {
    let start = Instant::now();
    let (mut pulse, number) = beating(start + MS);
    assert_eq!(pulse.sent_after(), None, "it is under way, as what was sent before it may be");
    pulse.arrived(number, start + 9_000 * MS);
    assert_eq!(pulse.sent_after(), Some(start + MS), "however late it arrived");
}

#[test]
fn memory_is_bounded() {
    let (start, mut pulse) = (Instant::now(), Pulse::default());
    let all: Vec<_> = (0..1_000).map(|_| pulse.begin(start)).collect();
    assert_eq!(all.into_iter().filter(|number| pulse.arrived(*number, start).is_some()).count(), 32);
}
