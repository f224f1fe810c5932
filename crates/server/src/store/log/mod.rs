//! The logs of games: rows appended after the row that their writer saw last, pages, heads, and snapshots.
//!
//! Called by `games` and `verify` through [`Store`]. Each engine has its own statements (`sqlite`, `postgres`); rows
//! and their checksums are the same for both (`row`). Never looks into the body of a row.

pub(super) mod many;
mod postgres;
pub(super) mod row;
pub(super) mod snapshots;
mod sql;
mod sqlite;
mod stored;

use futures_util::FutureExt as _;
use quizhall_rules::GameId;

use self::row::{Append, Head, LogRow, Outcome};
use super::engine::{Engine, Store, on};
use super::error::StoreError;

impl Store {
    /// Appends one row per entry to the logs of games, all in one transaction and with one sync to disk.
    ///
    /// A row is added only after exactly the row that its writer saw last; otherwise it is [`Outcome::Refused`], which
    /// affects no other row. When this resolves to `Ok`, the committed rows are durable (promise 1). `Err` means
    /// unknown for all of them: read [`Store::head`] before anything else (promise 3). Called by only one task, which
    /// is never cancelled.
    pub async fn append(&self, rows: Vec<Append>) -> Result<Vec<Outcome>, StoreError> {
        on!(self, |engine| engine.append(rows))
    }

    /// A page of a game's log: rows whose `seq` is at least `from_seq`, in order, at most 4,096 of them. Their bodies
    /// have at most 1 MiB plus one row, but a page has at least two rows unless the log ends before. Empty: the log has
    /// no further rows. [`super::is_last_page`] shows whether it ended.
    ///
    /// A row that differs from what was written is [`StoreError::DamagedRow`]; the rows before it are not returned
    /// then.
    pub async fn read_log_page(&self, game: GameId, from_seq: u64) -> Result<Vec<LogRow>, StoreError> {
        on!(self, |engine| engine.read_log_page(game, from_seq)).map_err(|error| error.in_log(from_seq))
    }

    /// The rows of a game's log in order: all, or those whose `seq` is above `after_seq`. Holds all of them in memory.
    pub async fn read_log(&self, game: GameId, after_seq: Option<u64>) -> Result<Vec<LogRow>, StoreError> {
        let (mut rows, mut from): (Vec<LogRow>, _) = (Vec::new(), after_seq.map_or(0, |after| after + 1));
        loop {
            let page = self.read_log_page(game, from).await?;
            let Some(last) = page.last() else { return Ok(rows) };
            from = last.seq + 1;
            rows.extend(page);
        }
    }

    /// The last row of a game's log, read after everything committed so far.
    pub async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        on!(self, |engine| engine.head(game))
    }
}
