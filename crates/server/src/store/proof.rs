//! The last commit that succeeded: while it is recent, the probe need not make one of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::clock;

/// How long a commit counts as proof that the next one would work.
const VALID: Duration = Duration::from_secs(1);

/// The statement that the probe commits.
pub(super) const WRITE: &str = "UPDATE probe SET count = count + 1, at_ms = $1 WHERE id = 1";

/// When an append or a probe was committed last.
#[derive(Debug, Default)]
pub(super) struct Proof(Mutex<Option<Instant>>);

impl Proof {
    /// Records the outcome of a commit. After a failed one the next probe commits at once.
    pub(super) fn note(&self, committed: bool) {
        *self.last() = committed.then(clock::now);
    }

    /// Whether a commit worked within the last second.
    pub(super) fn is_recent(&self) -> bool {
        self.last().is_some_and(|at| clock::since(at) < VALID)
    }

    fn last(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
