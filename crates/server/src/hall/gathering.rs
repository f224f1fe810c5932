//! How long the next row of a game waits for more, when a crowd is speaking.
//!
//! Without it a row holds what came in while the one before it was written; that is right for a few players, who wait for
//! nobody. When many speak at once, rows of hundreds cost a commit each; a few milliseconds more make one of two. Asked by
//! `owner_task`; knows numbers and times only.

use std::time::Duration;

use quizhall_engine::Time;

/// Events of a row that tell of a crowd.
const CROWD: usize = 64;
/// How long is waited behind the commit of such a row.
const GATHER: Duration = Duration::from_millis(8);
/// Events that are enough, however little time has passed.
const ENOUGH: usize = 1_024;

/// What was seen of the game's last row.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    crowd: bool,
    until: Option<Time>,
}

impl Gathering {
    /// A row with so many events goes to the store.
    pub(super) fn begun(&mut self, events: usize) {
        *self = Self { crowd: events >= CROWD, until: None };
    }

    /// The store has spoken.
    pub(super) fn ended(&mut self, now: Time) {
        self.until = self.crowd.then(|| now + GATHER);
    }

    /// Whether the next row is to wait, with so many events in it.
    pub(super) fn goes_on(&mut self, now: Time, events: usize) -> bool {
        let goes_on = events < ENOUGH && self.until.is_some_and(|until| now < until);
        if !goes_on {
            self.until = None;
        }
        goes_on
    }

    /// When to ask again at the latest.
    pub(super) fn deadline(&self) -> Option<Time> {
        self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Duration::from_secs(9);

    #[test]
    fn a_few_players_wait_for_nobody() {
        let mut gathering = Gathering::default();
        assert!(!gathering.goes_on(NOW, 1), "before the first row");
        gathering.begun(CROWD - 1);
        gathering.ended(NOW);
        assert!(!gathering.goes_on(NOW, 1));
        assert_eq!(gathering.deadline(), None);
    }

    #[test]
    fn behind_a_crowd_the_next_row_waits_until_it_is_large_or_time_is_up() {
        let mut gathering = Gathering::default();
        gathering.begun(CROWD);
        gathering.ended(NOW);
        assert_eq!(gathering.deadline(), Some(NOW + GATHER));
        assert!(gathering.goes_on(NOW, ENOUGH - 1) && gathering.goes_on(NOW + GATHER / 2, 1));
        assert!(!gathering.goes_on(NOW + GATHER / 2, ENOUGH), "large enough");
        assert!(!gathering.goes_on(NOW + GATHER / 2, 1), "once it is over, it is over");
        gathering.begun(CROWD);
        gathering.ended(NOW);
        assert!(!gathering.goes_on(NOW + GATHER, 1), "time is up");
        assert_eq!(gathering.deadline(), None);
    }
}
