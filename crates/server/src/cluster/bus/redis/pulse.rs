//! The messages that a node writes to itself: which are on their way, how long they took, and when that is too long.
//!
//! Used by `inbox`; touches neither the clock nor the connection, so time is an argument.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A beat that was written and has not arrived for so long means that the way is broken.
pub(super) const SILENCE: Duration = Duration::from_millis(1_500);

/// Beats remembered: those of 16 s.
const MOST: usize = 32;

/// What is known of the beats.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    next: u64,
    under_way: VecDeque<Beat>,
    arrived: Option<Arrival>,
    quiet_since: Option<Instant>,
}

#[derive(Debug)]
struct Beat {
    number: u64,
    sent: Instant,
    /// When the store said that it has it.
    written: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Arrival {
    at: Instant,
    took: Duration,
}

impl Pulse {
    /// A beat is about to be written; returns its number.
    pub(super) fn begin(&mut self, now: Instant) -> u64 {
        self.next += 1;
        if self.under_way.len() == MOST {
            self.under_way.pop_front();
        }
        self.under_way.push_back(Beat { number: self.next, sent: now, written: None });
        self.next
    }

    /// The store has the beat.
    pub(super) fn written(&mut self, number: u64, now: Instant) {
        if let Some(beat) = self.under_way.iter_mut().find(|beat| beat.number == number) {
            beat.written = Some(now);
            self.quiet_since.get_or_insert(now);
        }
    }

    /// The beat came back: how long it took, unless it was heard of before.
    pub(super) fn arrived(&mut self, number: u64, now: Instant) -> Option<Duration> {
        let place = self.under_way.iter().position(|beat| beat.number == number)?;
        let beat = self.under_way.remove(place)?;
        let took = now.saturating_duration_since(beat.sent);
        self.arrived = Some(Arrival { at: now, took });
        self.quiet_since = self.under_way.iter().find_map(|beat| beat.written).map(|_| now);
        Some(took)
    }

    /// How long the last one took, if it is not too long ago.
    pub(super) fn lag(&self, now: Instant) -> Option<Duration> {
        self.arrived.filter(|last| now.saturating_duration_since(last.at) <= SILENCE).map(|last| last.took)
    }

    /// What arrives now, behind the last beat that arrived, was not sent before this moment: the store keeps the order.
    pub(super) fn sent_after(&self) -> Option<Instant> {
        self.arrived.and_then(|last| last.at.checked_sub(last.took))
    }

    /// Whether what was written does not arrive. Said once; what is under way is then forgotten.
    pub(super) fn is_broken(&mut self, now: Instant) -> bool {
        let broken = self.quiet_since.is_some_and(|since| now.saturating_duration_since(since) >= SILENCE);
        if broken {
            self.under_way.clear();
            self.quiet_since = None;
        }
        broken
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(pulse.arrived(number, start + 4 * MS), None, "a repeat is no news");
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
}
