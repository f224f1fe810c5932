//! Log lines about repeated failures: one a minute for each place in the code, with a count of the others.
//!
//! Used for work that is tried again in a loop, or done by every request. Metrics count each failure; a full disk must
//! not be filled with lines.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::clock;

/// The least time between two lines of one place.
const EVERY: Duration = Duration::from_mins(1);

/// What one place has logged, and how often it has failed since.
pub struct Recurring(Mutex<Said>);

struct Said {
    at: Option<Instant>,
    unsaid: u64,
}

impl Recurring {
    /// Nothing has been logged yet.
    #[allow(clippy::new_without_default, reason = "for statics")]
    pub const fn new() -> Self {
        Self(Mutex::new(Said { at: None, unsaid: 0 }))
    }

    /// Counts a failure. `Some` when it must be logged: how many were not logged since the last line.
    pub fn due(&self) -> Option<u64> {
        self.due_at(clock::now())
    }

    /// The same for a failure at this moment.
    pub fn due_at(&self, now: Instant) -> Option<u64> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.at.is_some_and(|at| now.saturating_duration_since(at) < EVERY) {
            said.unsaid += 1;
            return None;
        }
        said.at = Some(now);
        Some(std::mem::take(&mut said.unsaid))
    }
}
