//! Deleting and rewriting for good. What is deleted is in no dump from then on; its bytes stay in the files of the server until
//! it vacuums, and in its archived write-ahead log for as long as that is kept.

use futures_util::FutureExt as _;
use sqlx::PgConnection;

use super::super::{Answer, RetentionStore, deletion};
use super::PostgresStore;

deletion::functions!(PgConnection);

impl RetentionStore for PostgresStore {
    fn due_games(&self, which: Due, after: Option<GameId>) -> Answer<'_, Vec<GameId>> {
        self.cold.read(move |connection| due(connection, which, after).boxed()).boxed()
    }

    fn log_size(&self, game: GameId) -> Answer<'_, Deleted> {
        self.cold.read(move |connection| log_size(connection, game).boxed()).boxed()
    }

    fn hold_game(&self, what: Hold, close: bool) -> Answer<'_, bool> {
        self.cold.write(move |connection| hold(connection, what, close).boxed()).boxed()
    }

    fn release_game(&self, hold: Hold) -> Answer<'_, ()> {
        self.cold.write(move |connection| release(connection, hold).boxed()).boxed()
    }

    fn holds_since(&self, since_ms: i64) -> Answer<'_, Vec<Hold>> {
        self.cold.read(move |connection| holds(connection, since_ms).boxed()).boxed()
    }

    fn is_held(&self, game: GameId, now_ms: i64) -> Answer<'_, bool> {
        self.cold.read(move |connection| is_held(connection, game, now_ms).boxed()).boxed()
    }

    fn delete_piece(&self, game: GameId) -> Answer<'_, Option<Deleted>> {
        self.cold.write(move |connection| delete_piece(connection, game).boxed()).boxed()
    }

    fn delete_line(&self, game: GameId, code_free_by_ms: i64) -> Answer<'_, bool> {
        self.cold.write(move |connection| delete_line(connection, game, code_free_by_ms).boxed()).boxed()
    }

    fn orphans(&self) -> Answer<'_, Vec<GameId>> {
        self.cold.read(|connection| orphans(connection).boxed()).boxed()
    }

    fn sweep(&self, now_ms: i64, created_by_ms: Option<i64>, held_by_ms: i64) -> Answer<'_, u64> {
        let times = (created_by_ms, held_by_ms);
        self.cold.write(move |connection| sweep(connection, now_ms, times).boxed()).boxed()
    }

    fn rewrite_log(&self, hold: Hold, rows: Vec<LogRow>) -> Answer<'_, bool> {
        self.cold.write(move |connection| rewrite(connection, hold, rows).boxed()).boxed()
    }

    /// Its vacuum does so.
    fn scrub(&self) -> Answer<'_, ()> {
        async { Ok(()) }.boxed()
    }

    fn drop_old_frames(&self) -> Answer<'_, bool> {
        async { Ok(true) }.boxed()
    }

    fn closed_games_of(&self, host: HostId) -> Answer<'_, Vec<GameId>> {
        self.cold.read(move |connection| closed_of(connection, host).boxed()).boxed()
    }
}
