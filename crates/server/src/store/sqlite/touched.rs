//! Which games the file records as in use: each is recorded once a minute, so that a busy game does not write its line
//! with every row.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quizhall_rules::GameId;

use crate::clock;

/// How long a record is valid.
const MINUTE: Duration = Duration::from_secs(60);

/// The games recorded in the current minute.
#[derive(Default)]
pub(in crate::store) struct Touched(Mutex<Minute>);

#[derive(Default)]
struct Minute {
    begun: Option<Instant>,
    games: HashSet<GameId>,
}

impl Touched {
    /// Those of these games, whose logs get rows, that have to be recorded.
    pub(in crate::store) fn due(&self, games: impl Iterator<Item = GameId>) -> Vec<GameId> {
        let mut minute = self.lock();
        if minute.begun.is_none_or(|begun| clock::since(begun) >= MINUTE) {
            *minute = Minute { begun: Some(clock::now()), games: HashSet::new() };
        }
        games.filter(|game| !minute.games.contains(game)).collect()
    }

    /// Remembers that these were recorded. A game whose row was refused now belongs to another writer.
    pub(in crate::store) fn done(&self, games: Vec<GameId>) {
        self.lock().games.extend(games);
    }

    fn lock(&self) -> MutexGuard<'_, Minute> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
