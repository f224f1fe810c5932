//! Games whose log cannot be read: logged with their id, marked in the database, refused for a while instead of being
//! read again with every request.
//!
//! Called by `reading`. Repairs and deletes nothing; other games are not affected.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quizhall_rules::GameId;

use super::Node;
use crate::clock;
use crate::telemetry::{Recurring, metrics};

/// How long a damaged game is refused before its log is read again: the damage may have been one of the reading, or an
/// operator may have put a good copy in place.
const RETRY: Duration = Duration::from_secs(30);
/// The shortest time between two log lines about the same game.
const REPEAT: Duration = Duration::from_secs(3_600);
/// Games remembered. When it is full, all are forgotten, and read again when they are asked for.
const MOST: usize = 4_096;

static NOT_MARKED: Recurring = Recurring::new();

/// The games that were found damaged lately, with the time when their log was read last.
#[derive(Default)]
pub(super) struct Damaged(Mutex<HashMap<GameId, Found>>);

#[derive(Clone, Copy)]
struct Found {
    read: Instant,
    logged: Instant,
}

impl Damaged {
    fn is_refused(&self, game: GameId) -> bool {
        self.lock().get(&game).is_some_and(|found| clock::since(found.read) < RETRY)
    }

    /// Notes that the game was found damaged; returns whether that is to be logged.
    fn note(&self, game: GameId) -> bool {
        let (mut games, now) = (self.lock(), clock::now());
        let logged = games.get(&game).map(|found| found.logged).filter(|logged| clock::since(*logged) < REPEAT);
        if games.len() >= MOST {
            games.clear();
        }
        games.insert(game, Found { read: now, logged: logged.unwrap_or(now) });
        logged.is_none()
    }

    fn forget(&self, game: GameId) {
        self.lock().remove(&game);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Found>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Node {
    /// Whether the game is to be refused without reading its log.
    pub fn is_refused(&self, game: GameId) -> bool {
        self.damaged.is_refused(game)
    }

    /// The log of this game cannot be read, for this reason, which must not hold what the log says.
    pub fn found_damaged(&self, game: GameId, what: &dyn Display) {
        if !self.damaged.note(game) {
            return;
        }
        metrics::game_damaged();
        tracing::error!(%game, %what, "the log of a game is damaged; the game is refused, others are not affected");
        self.mark(game, true);
    }

    /// The log of a game that was marked as damaged could be read.
    pub fn found_readable(&self, game: GameId) {
        self.damaged.forget(game);
        tracing::info!(%game, "the log of a game that was damaged can be read");
        self.mark(game, false);
    }

    /// In a task of its own: the mark is for lists, and nothing waits for it.
    fn mark(&self, game: GameId, damaged: bool) {
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            if let Err(error) = store.mark_damaged(game, damaged).await
                && let Some(unsaid) = NOT_MARKED.due()
            {
                tracing::warn!(%game, %error, unsaid, "whether a game is damaged could not be stored");
            }
        });
    }
}

#[cfg(test)]
mod tests;
