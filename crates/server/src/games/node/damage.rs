//! Games whose log cannot be read: logged with their id, marked in the database, and refused for a while instead of
//! being read again with every request.
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

/// How long a damaged game is refused before its log is read again: the fault may have been in the read, or an operator
/// may have restored a good copy.
const RETRY: Duration = Duration::from_secs(30);
/// The shortest time between two log lines about the same game.
const REPEAT: Duration = Duration::from_secs(3_600);
/// Most games remembered. When it is full, all are forgotten, and read again when they are requested.
const MOST: usize = 4_096;

static NOT_MARKED: Recurring = Recurring::new();

/// The games that were found damaged recently, with the time of the last read of their log.
#[derive(Default)]
pub struct Damaged(Mutex<HashMap<GameId, Found>>);

#[derive(Clone, Copy)]
struct Found {
    read: Instant,
    logged: Instant,
}

impl Damaged {
    /// Whether the game was found damaged less than 30 s ago.
    pub fn is_refused(&self, game: GameId) -> bool {
        self.lock().get(&game).is_some_and(|found| clock::since(found.read) < RETRY)
    }

    /// Records that the game was found damaged; returns whether to log that, once an hour for each game.
    pub fn note(&self, game: GameId) -> bool {
        let (mut games, now) = (self.lock(), clock::now());
        let logged = games.get(&game).map(|found| found.logged).filter(|logged| clock::since(*logged) < REPEAT);
        if games.len() >= MOST {
            games.clear();
        }
        games.insert(game, Found { read: now, logged: logged.unwrap_or(now) });
        logged.is_none()
    }

    /// Records that the game could be read: it is not refused any more.
    pub fn forget(&self, game: GameId) {
        self.lock().remove(&game);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Found>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Node {
    /// Whether to refuse the game without reading its log.
    pub fn is_refused(&self, game: GameId) -> bool {
        self.damaged.is_refused(game)
    }

    /// Reports that the log of this game cannot be read. The reason `what` must not contain anything from the log.
    pub fn found_damaged(&self, game: GameId, what: &dyn Display) {
        if !self.damaged.note(game) {
            return;
        }
        metrics::game_damaged();
        tracing::error!(%game, %what, "the log of a game is damaged; the game is refused, others are not affected");
        self.mark(game, true);
    }

    /// Reports that the log of a game marked as damaged could be read.
    pub fn found_readable(&self, game: GameId) {
        self.damaged.forget(game);
        tracing::info!(%game, "the log of a game that was damaged can be read");
        self.mark(game, false);
    }

    /// Runs in a task of its own: the mark is only for lists, and no caller waits for it.
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
