//! Deleting and rewriting for good. `secure_delete` (see `open`) overwrites what is deleted; old frames of the write-ahead
//! log go with a checkpoint that empties it.

use futures_util::FutureExt as _;
use sqlx::SqliteConnection;

use super::super::{Answer, RetentionStore, deletion};
use super::{SqliteStore, scrub};

deletion::functions!(SqliteConnection);

impl RetentionStore for SqliteStore {
    fn due_games(&self, which: Due, after: Option<GameId>) -> Answer<'_, Vec<GameId>> {
        async move { due(&mut *self.readers.acquire().await?, which, after).await }.boxed()
    }

    fn log_size(&self, game: GameId) -> Answer<'_, Deleted> {
        async move { log_size(&mut *self.readers.acquire().await?, game).await }.boxed()
    }

    fn hold_game(&self, what: Hold, close: bool) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| hold(connection, what, close).boxed()).boxed()
    }

    fn release_game(&self, hold: Hold) -> Answer<'_, ()> {
        self.cold.write(&self.gate, move |connection| release(connection, hold).boxed()).boxed()
    }

    fn holds_since(&self, since_ms: i64) -> Answer<'_, Vec<Hold>> {
        async move { holds(&mut *self.readers.acquire().await?, since_ms).await }.boxed()
    }

    fn is_held(&self, game: GameId, now_ms: i64) -> Answer<'_, bool> {
        async move { is_held(&mut *self.readers.acquire().await?, game, now_ms).await }.boxed()
    }

    fn delete_piece(&self, game: GameId) -> Answer<'_, Option<Deleted>> {
        self.cold.write(&self.gate, move |connection| delete_piece(connection, game).boxed()).boxed()
    }

    fn delete_line(&self, game: GameId, code_free_by_ms: i64) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| delete_line(connection, game, code_free_by_ms).boxed()).boxed()
    }

    fn orphans(&self) -> Answer<'_, Vec<GameId>> {
        async move { orphans(&mut *self.readers.acquire().await?).await }.boxed()
    }

    fn sweep(&self, now_ms: i64, created_by_ms: Option<i64>, held_by_ms: i64) -> Answer<'_, u64> {
        let times = (created_by_ms, held_by_ms);
        self.cold.write(&self.gate, move |connection| sweep(connection, now_ms, times).boxed()).boxed()
    }

    fn rewrite_log(&self, hold: Hold, rows: Vec<LogRow>) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| rewrite(connection, hold, rows).boxed()).boxed()
    }

    fn scrub(&self) -> Answer<'_, ()> {
        async { scrub::scrub(&self.readers, &self.cold, &self.gate).await.map(drop) }.boxed()
    }

    fn drop_old_frames(&self) -> Answer<'_, bool> {
        self.checkpoints.empty().boxed()
    }

    fn closed_games_of(&self, host: HostId) -> Answer<'_, Vec<GameId>> {
        async move { closed_of(&mut *self.readers.acquire().await?, host).await }.boxed()
    }
}
