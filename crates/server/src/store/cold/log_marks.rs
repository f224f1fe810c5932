//! Marks by which a reader notices that a log has grown or was rewritten since.
//!
//! Called by `games` for what it keeps of a log. An erasure rewrites rows in place: it shows in the hold that it needs.

use quizhall_rules::GameId;

use crate::clock;
use crate::store::connection::sql;
use crate::store::engine::Store;
use crate::store::error::StoreError;

const MARK: &str = "
    SELECT l.seq, l.batch, h.held_at_ms, h.until_ms FROM game_log l LEFT JOIN game_hold h ON h.game_id = l.game_id
    WHERE l.game_id = $1 ORDER BY l.seq DESC LIMIT 1";

/// Equal marks: the log is the same, unless a hold was forgotten between them, which happens a day after it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LogMark {
    seq: i64,
    batch: i64,
    held_at_ms: Option<i64>,
}

impl Store {
    /// The mark of a log. `None`: it has no rows, or is held at this moment, so that it may be rewritten any time.
    pub async fn log_mark(&self, game: GameId) -> Result<Option<LogMark>, StoreError> {
        type Row = (i64, i64, Option<i64>, Option<i64>);
        let row = self.row::<Row>(sql(MARK).bind(game)).await?;
        let now = clock::unix_ms();
        let free = row.filter(|(.., until_ms)| until_ms.is_none_or(|until| until <= now));
        Ok(free.map(|(seq, batch, held_at_ms, _)| LogMark { seq, batch, held_at_ms }))
    }
}
