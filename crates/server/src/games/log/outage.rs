//! Recognizes the first failure of a series and its end, so that a task that retries several times a second logs only
//! these two, instead of hundreds of lines a minute for each game.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a repeated operation works at present.
#[derive(Debug, Default)]
pub struct Outage {
    away: AtomicBool,
}

impl Outage {
    /// Records whether an attempt failed; returns whether an outage begins or ends with it.
    pub fn note(&self, away: bool) -> bool {
        // Usually nothing changes, and many tasks check at once: then none of them writes.
        self.away.load(Ordering::Relaxed) != away && self.away.swap(away, Ordering::Relaxed) != away
    }
}
