//! What is deleted or rewritten for good, as the store sees it: due games, holds, pieces of logs, expired sessions.
//!
//! Called by `retention`, and by `hall` for the holds. Everything here may run on several nodes at once: statements are
//! idempotent, and every transaction is small, so that commits of running games are not held up.

use quizhall_rules::{GameId, HostId};

use super::{Answer, LogRow};

/// Rows of a log deleted in one transaction, at most.
pub(super) const PIECE_ROWS: i64 = 1_000;

/// Bytes of bodies after which a piece takes no further row.
pub(super) const PIECE_BYTES: i64 = 256 * 1_024;

/// Games listed at once.
pub(super) const DUE_AT_ONCE: i64 = 1_000;

/// How long after a hold has ended no snapshot of the game is stored: a node that was slow to notice the hold may still have
/// the state from before it in memory.
pub(super) const SNAPSHOTS_REFUSED_MS: i64 = 60_000;

/// Which games are due to be purged. All times are milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Due {
    /// Closed games are due when they were closed by then.
    pub closed_by_ms: i64,
    /// Ended games are due when they ended by then; `None`: never.
    pub ended_by_ms: Option<i64>,
    /// The line of a game whose log is gone stays, and with it the code, unless the game ended by then.
    pub code_free_by_ms: i64,
}

/// A claim of one maintenance task on a game: until `until_ms` no node loads the game, and every node drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// Which game.
    pub game: GameId,
    /// A random name of the task.
    pub holder: u64,
    /// Since when, milliseconds since 1970.
    pub held_at_ms: i64,
    /// Until when, milliseconds since 1970.
    pub until_ms: i64,
}

/// What a transaction of a purge has deleted, or a purge as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Rows of logs.
    pub rows: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
}

/// Deleting and rewriting for good.
pub trait RetentionStore: Send + Sync {
    /// Games that are due, by id, above `after`; at most 1,000.
    fn due_games(&self, due: Due, after: Option<GameId>) -> Answer<'_, Vec<GameId>>;

    /// How much the log of a game holds.
    fn log_size(&self, game: GameId) -> Answer<'_, Deleted>;

    /// Takes a game that has ended or was closed; `false` when it has not, or when another holder has it. With `close` the
    /// game is closed in the same transaction, so that it is never loaded again.
    fn hold_game(&self, hold: Hold, close: bool) -> Answer<'_, bool>;

    /// Lets go of a game; nothing happens when `hold` does not have it.
    fn release_game(&self, hold: Hold) -> Answer<'_, ()>;

    /// Holds that began at this time or later (milliseconds since 1970).
    fn holds_since(&self, since_ms: i64) -> Answer<'_, Vec<Hold>>;

    /// Whether the game is held at this time (milliseconds since 1970).
    fn is_held(&self, game: GameId, now_ms: i64) -> Answer<'_, bool>;

    /// Deletes the oldest rows of a game's log, or a part of a snapshot when the log is empty: a bounded piece, in one
    /// transaction. `None`: nothing was left. Only games that are closed or have no line.
    fn delete_piece(&self, game: GameId) -> Answer<'_, Option<Deleted>>;

    /// Blanks the title of a game whose log is gone, and deletes its line if the game ended by then (milliseconds since 1970).
    fn delete_line(&self, game: GameId, code_free_by_ms: i64) -> Answer<'_, bool>;

    /// Games without a line that have rows or snapshots all the same.
    fn orphans(&self) -> Answer<'_, Vec<GameId>>;

    /// Deletes sessions that have expired, sessions created by `created_by_ms`, and holds that began by `held_by_ms`;
    /// resolves to how many sessions. All times are milliseconds since 1970.
    fn sweep(&self, now_ms: i64, created_by_ms: Option<i64>, held_by_ms: i64) -> Answer<'_, u64>;

    /// Replaces the bodies of these rows and deletes the game's snapshots, in one transaction; everything else of a row
    /// stays. `false`, and nothing is changed, when `hold` does not have the game or a row is not as it was read.
    fn rewrite_log(&self, hold: Hold, rows: Vec<LogRow>) -> Answer<'_, bool>;

    /// Overwrites what rows that are deleted or replaced have left in the free space of the database's pages. Reads all of an
    /// `SQLite` file, beside the writers.
    fn scrub(&self) -> Answer<'_, ()>;

    /// Sees to it that deleted and replaced content is in no file of the database any more. `false`: somebody reads an older
    /// state just now; try again.
    fn drop_old_frames(&self) -> Answer<'_, bool>;

    /// Every game of an account that is closed, by id.
    fn closed_games_of(&self, host: HostId) -> Answer<'_, Vec<GameId>>;
}
