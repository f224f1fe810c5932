//! The store's types for deleting and rewriting for good: due games, holds, sizes.
//!
//! Called by `retention`, and by `games` for the holds. Everything may run on several nodes at once: statements are
//! idempotent, and every transaction is small, so that commits of running games are not delayed.

use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::store::columns::from_row;

/// Which games are due to be purged. All times are milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Due {
    /// Closed games are due when they were closed by then.
    pub closed_by_ms: i64,
    /// Ended games are due when they ended by then; `None`: never.
    pub ended_by_ms: Option<i64>,
    /// The line of a game whose log is deleted is kept, and its code with it, unless the game ended by then.
    pub code_free_by_ms: i64,
}

/// A claim of one maintenance task on a game: until `until_ms` no node loads the game, and every node drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// The game.
    pub game: GameId,
    /// A random name of the task.
    pub holder: u64,
    /// Since when, milliseconds since 1970.
    pub held_at_ms: i64,
    /// Until when, milliseconds since 1970.
    pub until_ms: i64,
}

/// What one transaction of a purge, or a whole purge, has deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Rows of logs.
    pub rows: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
}

pub(in crate::store) struct StoredHold {
    game_id: Uuid,
    holder: i64,
    held_at_ms: i64,
    until_ms: i64,
}
from_row!(PgRow, SqliteRow => StoredHold { game_id, holder, held_at_ms, until_ms });

impl StoredHold {
    pub(in crate::store) fn read(self) -> Hold {
        let game = GameId::from(self.game_id);
        Hold { game, holder: self.holder.cast_unsigned(), held_at_ms: self.held_at_ms, until_ms: self.until_ms }
    }
}
