//! The batching delay: how long the next row of a game waits for more events after a large row.
//!
//! Without it a row holds the events that arrived while the previous row was written. That is right for a few players,
//! who then wait for no timer. With many players, rows of hundreds of events cost a commit each; a few milliseconds
//! merge two of them. Used by the owner's task; depends only on counts and times.

use std::time::Duration;

use quizhall_engine::Time;

/// A row with at least this many commands is followed by a delay.
const LARGE_ROW: u64 = 64;
/// The delay after the commit of such a row.
const DELAY: Duration = Duration::from_millis(8);
/// A pending row with this many commands is written without further delay.
const ENOUGH: u64 = 1_024;

/// The delay of one game, from the size of its last row.
#[derive(Debug, Default)]
pub struct BatchingDelay {
    is_large: bool,
    until: Option<Time>,
}

impl BatchingDelay {
    /// Notes that a row with this many commands was given to the store.
    pub fn append_started(&mut self, events: u64) {
        *self = Self { is_large: events >= LARGE_ROW, until: None };
    }

    /// Notes that the store has answered; starts the delay after a large row.
    pub fn append_ended(&mut self, now: Time) {
        self.until = self.is_large.then(|| now + DELAY);
    }

    /// Whether the next row, with this many commands, should wait.
    pub fn should_wait(&mut self, now: Time, events: u64) -> bool {
        let waits = events < ENOUGH && self.until.is_some_and(|until| now < until);
        if !waits {
            self.until = None;
        }
        waits
    }

    /// When the delay ends, if one is running.
    pub fn deadline(&self) -> Option<Time> {
        self.until
    }
}
