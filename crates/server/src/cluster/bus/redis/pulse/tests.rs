//! Unit tests of `cluster::bus::redis::pulse`.

use super::*;
use crate::clock;

const MS: Duration = Duration::from_millis(1);

#[test]
fn lag_is_known_while_beats_arrive() {
    let start = clock::now();
    let mut pulse = Pulse::default();
    assert_eq!(pulse.lag(start), None);
    let number = pulse.begin(start);
    pulse.written(number, start + MS);
    assert_eq!(pulse.arrived(number, start + 3 * MS), Some(3 * MS));
    assert_eq!(pulse.arrived(number, start + 4 * MS), None, "a repeat changes nothing");
    assert_eq!(pulse.lag(start + 3 * MS + SILENCE), Some(3 * MS));
    assert_eq!(pulse.lag(start + 4 * MS + SILENCE), None);
}

#[test]
fn broken_is_what_is_written_and_does_not_arrive() {
    let start = clock::now();
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
    let start = clock::now();
    let mut pulse = Pulse::default();
    let (first, second) = (pulse.begin(start), pulse.begin(start + 500 * MS));
    pulse.written(first, start);
    pulse.written(second, start + 500 * MS);
    assert_eq!(pulse.arrived(first, start + 1_400 * MS), Some(1_400 * MS));
    assert!(!pulse.is_broken(start + 1_600 * MS));
    assert!(pulse.is_broken(start + 2_900 * MS));
}

#[test]
fn an_inbox_with_a_backlog_is_late_and_not_broken() {
    let start = clock::now();
    let mut pulse = Pulse::default();
    let number = pulse.begin(start);
    pulse.written(number, start);
    pulse.read(start + SILENCE);
    assert!(!pulse.is_broken(start + SILENCE), "its entries are read");
    assert!(!pulse.is_broken(start + SILENCE + 1_499 * MS));
    assert!(pulse.is_broken(start + 2 * SILENCE), "nothing is read any more");

    let number = pulse.begin(start);
    pulse.written(number, start);
    pulse.read(start + LATE);
    assert!(
        pulse.is_broken(start + LATE),
        "entries are read, perhaps from another server than the beats are written to"
    );
}

#[test]
fn what_follows_a_beat_was_sent_after_it() {
    let start = clock::now();
    let mut pulse = Pulse::default();
    assert_eq!(pulse.sent_after(), None);
    let number = pulse.begin(start + MS);
    assert_eq!(pulse.sent_after(), None, "it is under way, as what was sent before it may be");
    pulse.arrived(number, start + 9_000 * MS);
    assert_eq!(pulse.sent_after(), Some(start + MS), "however late it arrived");
}

#[test]
fn memory_is_bounded() {
    let start = clock::now();
    let mut pulse = Pulse::default();
    for _ in 0..1_000 {
        pulse.begin(start);
    }
    assert_eq!(pulse.under_way.len(), MOST);
}
