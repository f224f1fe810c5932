//! How long data are kept: purges deleted and old games, erases players, ends old sessions.
//!
//! Started by `serve`, called by `http` and `cli`, with or without a running service. A game is held first, so that
//! every node drops it from memory; then its rows are deleted or rewritten in small transactions. Never touches a game
//! that is being played, and decides nothing about games.

mod erase;
mod media;
mod purge;

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::GameId;
use thiserror::Error;
use tokio::time::sleep;

pub use erase::Erased;
pub use purge::{Plan, Purged};

use crate::clock;
use crate::config;
use crate::games::{GameRegistry, HOLD_SETTLE};
use crate::store::{Hold, Store, StoreError};

/// How long a hold lasts if its task dies: the work itself takes seconds.
const HOLD: Duration = Duration::from_secs(10 * 60);

/// How often clearing the files of old content is tried while a reader holds an older state.
const TRIES: usize = 20;

/// The pause between two of these attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// Why nothing was purged or erased.
#[derive(Debug, Error)]
pub enum RetentionError {
    /// There is no such game.
    #[error("there is no such game")]
    NoGame,
    /// The game has neither ended nor been deleted.
    #[error("the game has not ended; end or delete it first")]
    NotOver,
    /// The player never joined the game.
    #[error("the game has no such player")]
    NoPlayer,
    /// Another purge or erasure works on the game.
    #[error("the game is being purged or changed by another task; try again in a few minutes")]
    Held,
    /// The log cannot be read.
    #[error("the log of the game cannot be read")]
    Unreadable,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Purging and erasing. Cheap to clone.
#[derive(Clone)]
pub struct Retention {
    store: Arc<Store>,
    settings: config::Retention,
    /// The games of this process, if it serves.
    registry: Option<GameRegistry>,
    /// Whether other processes may use the same database.
    others: bool,
}

impl Retention {
    /// Within a service; `others`: whether it is one of several nodes.
    pub fn of_service(store: Arc<Store>, settings: config::Retention, registry: GameRegistry, others: bool) -> Self {
        Self { store, settings, registry: Some(registry), others }
    }

    /// For a command, while services may be running.
    pub fn of_command(store: Arc<Store>, settings: config::Retention) -> Self {
        Self { store, settings, registry: None, others: true }
    }

    /// A hold that begins now and is not taken yet.
    fn new_hold(game: GameId) -> Hold {
        let (held_at_ms, length) = (clock::unix_ms(), i64::try_from(HOLD.as_millis()).unwrap_or(i64::MAX));
        Hold { game, holder: rand::random(), held_at_ms, until_ms: held_at_ms.saturating_add(length) }
    }

    /// Waits until no node has one of these games in memory, all of which are held.
    async fn settle(&self, games: &[GameId]) {
        if let Some(registry) = &self.registry {
            for game in games {
                registry.drop_game(*game).await;
            }
        }
        if self.others {
            sleep(HOLD_SETTLE).await;
        }
    }

    /// Removes deleted content from the files of the database; `false` when a reader holds an older state.
    async fn clear_files(&self) -> Result<bool, StoreError> {
        self.store.scrub().await?;
        for _ in 0..TRIES {
            if self.store.drop_old_frames().await? {
                return Ok(true);
            }
            sleep(PAUSE).await;
        }
        Ok(false)
    }
}
