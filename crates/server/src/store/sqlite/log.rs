//! The log of a game, which is also its lock: a row goes in only behind the row its writer saw last.

use quizhall_rules::GameId;
use sqlx::{SqliteConnection, SqlitePool};

use super::super::sql::log as sql;
use super::super::stored::{StoredHead, StoredLogRow};
use super::super::{Append, Head, LogRow, Outcome, PhaseChange, StoreError};
use crate::clock;

/// The chained append. A stale writer finds its number taken, a pipelined or rewound one finds no predecessor;
/// either way no row comes back. A plain unique (game, seq) would not be a fence: two writers with different
/// histories could take turns.
const APPEND: &str = "
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body)
    SELECT $1, $2, $3, $4, $5, $6
    WHERE EXISTS (
        SELECT 1 FROM game_log p WHERE p.game_id = $1 AND p.seq = $7 AND p.batch = $8 AND p.seq + p.n = $2)
    ON CONFLICT (game_id, seq) DO NOTHING
    RETURNING seq";

const PROJECT: &str = "
    UPDATE game
    SET phase = $2, ended_at_ms = COALESCE(ended_at_ms, $3), closed = MAX(closed, $4)
    WHERE id = $1";

/// Notes that a game is in use, once a minute.
const TOUCH: &str = "UPDATE game SET active_at_ms = $2 WHERE id = $1 AND active_at_ms < $2 - 60000";

/// Appends each row or refuses it; the caller holds the transaction.
pub(super) async fn append(connection: &mut SqliteConnection, rows: Vec<Append>) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(rows.len());
    for row in rows {
        let (game, phase) = (row.game, row.phase);
        let outcome = append_one(connection, row).await?;
        if outcome == Outcome::Committed {
            touch(connection, game).await?;
        }
        if let (Outcome::Committed, Some(change)) = (outcome, phase) {
            project(connection, game, change).await?;
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

async fn append_one(connection: &mut SqliteConnection, row: Append) -> Result<Outcome, StoreError> {
    let inserted = sqlx::query(APPEND)
        .bind(row.game.uuid())
        .bind(row.seq.cast_signed())
        .bind(i64::from(row.count))
        .bind(row.epoch.cast_signed())
        .bind(row.batch.cast_signed())
        .bind(row.body)
        .bind(row.previous.seq.cast_signed())
        .bind(row.previous.batch.cast_signed())
        .fetch_optional(connection)
        .await?;
    Ok(if inserted.is_some() { Outcome::Committed } else { Outcome::Refused })
}

async fn touch(connection: &mut SqliteConnection, game: GameId) -> Result<(), StoreError> {
    sqlx::query(TOUCH).bind(game.uuid()).bind(clock::unix_ms()).execute(connection).await?;
    Ok(())
}

async fn project(connection: &mut SqliteConnection, game: GameId, change: PhaseChange) -> Result<(), StoreError> {
    let ended_at_ms = change.ended_at_ms.or_else(|| change.closed.then(clock::unix_ms));
    sqlx::query(PROJECT)
        .bind(game.uuid())
        .bind(change.phase.as_str())
        .bind(ended_at_ms)
        .bind(i64::from(change.closed))
        .execute(connection)
        .await?;
    Ok(())
}

/// The first row of a new game's log; the caller holds the transaction that creates the game.
pub(super) async fn begin(
    connection: &mut SqliteConnection,
    game: GameId,
    batch: u64,
    body: String,
) -> Result<(), StoreError> {
    sqlx::query(sql::BEGIN).bind(game.uuid()).bind(batch.cast_signed()).bind(body).execute(connection).await?;
    Ok(())
}

pub(super) async fn read(
    readers: &SqlitePool,
    game: GameId,
    after_seq: Option<u64>,
) -> Result<Vec<LogRow>, StoreError> {
    let rows = sqlx::query_as(sql::READ)
        .bind(game.uuid())
        .bind(after_seq.map_or(-1, u64::cast_signed))
        .bind(i64::MAX)
        .fetch_all(readers)
        .await?;
    rows.into_iter().map(StoredLogRow::read).collect()
}

pub(super) async fn head(connection: &mut SqliteConnection, game: GameId) -> Result<Option<Head>, StoreError> {
    let row = sqlx::query_as(sql::HEAD).bind(game.uuid()).fetch_optional(connection).await?;
    Ok(row.map(StoredHead::read))
}
