//! The messages that a node writes to itself: which are under way, how long they took, and when that is too long.
//!
//! Used by `inbox`; touches neither the clock nor the connection, so time is an argument.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// When a written beat has not arrived after this time, the connection is broken.
pub(super) const SILENCE: Duration = Duration::from_millis(1_500);

/// The same while other entries are read: an inbox with a backlog is late, and works. A reader that is connected to another server
/// than the writers may read entries too, so this time has an end.
const LATE: Duration = Duration::from_secs(6);

/// Most beats remembered: those of 16 s.
const MOST: usize = 32;

/// The beats of one inbox.
#[derive(Debug, Default)]
pub struct Pulse {
    next: u64,
    under_way: VecDeque<Beat>,
    arrived: Option<Arrival>,
    quiet_since: Option<Instant>,
    /// When the last entry was read.
    read: Option<Instant>,
}

#[derive(Debug)]
struct Beat {
    number: u64,
    sent: Instant,
    /// When the store confirmed the beat.
    written: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Arrival {
    at: Instant,
    took: Duration,
}

impl Pulse {
    /// Begins a beat that is about to be written; returns its number.
    pub fn begin(&mut self, now: Instant) -> u64 {
        self.next += 1;
        if self.under_way.len() == MOST {
            self.under_way.pop_front();
        }
        self.under_way.push_back(Beat { number: self.next, sent: now, written: None });
        self.next
    }

    /// The store has confirmed the beat.
    pub fn written(&mut self, number: u64, now: Instant) {
        if let Some(beat) = self.under_way.iter_mut().find(|beat| beat.number == number) {
            beat.written = Some(now);
            self.quiet_since.get_or_insert(now);
        }
    }

    /// The beat has arrived: returns how long it took, unless that was recorded before.
    pub fn arrived(&mut self, number: u64, now: Instant) -> Option<Duration> {
        let place = self.under_way.iter().position(|beat| beat.number == number)?;
        let beat = self.under_way.remove(place)?;
        let took = now.saturating_duration_since(beat.sent);
        self.arrived = Some(Arrival { at: now, took });
        self.quiet_since = self.under_way.iter().find_map(|beat| beat.written).map(|_| now);
        Some(took)
    }

    /// An entry of the inbox was read.
    pub fn read(&mut self, now: Instant) {
        self.read = Some(now);
    }

    /// How long the last beat took, unless that was too long ago.
    pub fn lag(&self, now: Instant) -> Option<Duration> {
        self.arrived.filter(|last| now.saturating_duration_since(last.at) <= SILENCE).map(|last| last.took)
    }

    /// A message that arrives now, after the last arrived beat, was not sent before this moment, because the store
    /// keeps the order.
    pub fn sent_after(&self) -> Option<Instant> {
        self.arrived.and_then(|last| last.at.checked_sub(last.took))
    }

    /// Whether written beats do not arrive. Reported once; the beats under way are then forgotten.
    pub fn is_broken(&mut self, now: Instant) -> bool {
        let reads = self.read.is_some_and(|read| now.saturating_duration_since(read) < SILENCE);
        let most = if reads { LATE } else { SILENCE };
        let broken = self.quiet_since.is_some_and(|since| now.saturating_duration_since(since) >= most);
        if broken {
            self.under_way.clear();
            self.quiet_since = None;
        }
        broken
    }
}
