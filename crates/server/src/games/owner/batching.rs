//! The batching delay: how long the next row of a game waits for more events after a large row.
//!
//! Without it a row holds the events that arrived while the previous row was written, which is right for a few players: they wait
//! for no timer. With many players, rows of hundreds of events cost a commit each; a few milliseconds merge two of them. Used by
//! the owner's task; depends on counts and times only.

use std::time::Duration;

use quizhall_engine::Time;

/// A row with at least this many events is followed by a delay.
const LARGE_ROW: usize = 64;
/// The delay after the commit of such a row.
const DELAY: Duration = Duration::from_millis(8);
/// A pending row with this many events is written without further delay.
const ENOUGH: usize = 1_024;

/// The delay of one game, from the size of its last row.
#[derive(Debug, Default)]
pub(in crate::games) struct BatchingDelay {
    is_large: bool,
    until: Option<Time>,
}

impl BatchingDelay {
    /// Notes that a row with so many events was given to the store.
    pub(in crate::games) fn append_started(&mut self, events: usize) {
        *self = Self { is_large: events >= LARGE_ROW, until: None };
    }

    /// Notes that the store has answered; starts the delay after a large row.
    pub(in crate::games) fn append_ended(&mut self, now: Time) {
        self.until = self.is_large.then(|| now + DELAY);
    }

    /// Whether the next row, with so many events in it, should wait.
    pub(in crate::games) fn should_wait(&mut self, now: Time, events: usize) -> bool {
        let waits = events < ENOUGH && self.until.is_some_and(|until| now < until);
        if !waits {
            self.until = None;
        }
        waits
    }

    /// When the delay ends, if one is running.
    pub(in crate::games) fn deadline(&self) -> Option<Time> {
        self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Duration::from_secs(9);

    #[test]
    fn a_small_row_is_followed_by_no_delay() {
        let mut batching = BatchingDelay::default();
        assert!(!batching.should_wait(NOW, 1), "before the first row");
        batching.append_started(LARGE_ROW - 1);
        batching.append_ended(NOW);
        assert!(!batching.should_wait(NOW, 1));
        assert_eq!(batching.deadline(), None);
    }

    #[test]
    fn after_a_large_row_the_next_row_waits_until_it_is_large_or_time_is_up() {
        let mut batching = BatchingDelay::default();
        batching.append_started(LARGE_ROW);
        batching.append_ended(NOW);
        assert_eq!(batching.deadline(), Some(NOW + DELAY));
        assert!(batching.should_wait(NOW, ENOUGH - 1) && batching.should_wait(NOW + DELAY / 2, 1));
        assert!(!batching.should_wait(NOW + DELAY / 2, ENOUGH), "large enough");
        assert!(!batching.should_wait(NOW + DELAY / 2, 1), "once it is over, it is over");
        batching.append_started(LARGE_ROW);
        batching.append_ended(NOW);
        assert!(!batching.should_wait(NOW + DELAY, 1), "time is up");
        assert_eq!(batching.deadline(), None);
    }
}
