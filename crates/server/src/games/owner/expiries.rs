//! Expiries of timers, held until the owner has taken every frame that arrived before them.
//!
//! Used by the owner's task. The inbox holds only frames, so the place of an expiry among them is counted.

use std::collections::VecDeque;

use quizhall_rules::Expiry;

/// The expiries of one game, the oldest first.
#[derive(Debug, Default)]
pub struct Expiries {
    /// Frames taken from the inbox so far.
    taken: u64,
    /// Each expiry with the number of frames before it.
    waiting: VecDeque<(u64, Expiry)>,
}

impl Expiries {
    /// Records that this many frames were taken from the inbox.
    pub fn note_taken(&mut self, frames: usize) {
        self.taken += frames as u64;
    }

    /// Queues an expiry after the frames that are in the inbox now.
    pub fn queue(&mut self, expiry: Expiry, in_inbox: usize) {
        self.waiting.push_back((self.taken + in_inbox as u64, expiry));
    }

    /// Whether an expiry is next.
    pub(in crate::games) fn is_next_due(&self) -> bool {
        self.waiting.front().is_some_and(|(before, _)| *before <= self.taken)
    }

    /// Takes the next expiry, if it is due.
    pub fn next_due(&mut self) -> Option<Expiry> {
        if self.is_next_due() { self.waiting.pop_front().map(|(_, expiry)| expiry) } else { None }
    }
}
