//! Deleting and rewriting for good.
//!
//! On `SQLite`, `secure_delete` overwrites what is deleted, and a checkpoint that empties the write-ahead log removes
//! its old frames. On PostgreSQL, deleted content is in no dump from then on; its bytes stay in the files of the server
//! until it vacuums, and in its archived write-ahead log as long as that is kept.

use futures_util::FutureExt as _;
use quizhall_rules::{GameId, HostId};
use uuid::Uuid;

use super::asked;
use super::creation_keys::KEY_KEPT_MS;
use super::results_links;
use super::retention::StoredHold;
use super::retention::{Deleted, Due, Hold};
use super::webhook_deliveries;
use crate::clock;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;
use crate::store::log::row::LogRow;

/// Most rows of a log deleted in one transaction.
const PIECE_ROWS: i64 = 1_000;

/// Bytes of bodies after which a piece takes no more rows.
const PIECE_BYTES: u64 = 256 * 1_024;

/// Most games listed at once.
const DUE_AT_ONCE: i64 = 1_000;

/// Closed games, and games that ended long enough ago, as long as there is something to delete.
const DUE: &str = "
    SELECT id FROM game
    WHERE id > $4
        AND ((closed = 1 AND COALESCE(closed_at_ms, active_at_ms) <= $1) OR (phase = 'ended' AND ended_at_ms <= $2))
        AND (closed = 0 OR COALESCE(ended_at_ms, closed_at_ms, active_at_ms) <= $3
            OR EXISTS (SELECT 1 FROM game_log WHERE game_log.game_id = game.id)
            OR EXISTS (SELECT 1 FROM game_snapshot WHERE game_snapshot.game_id = game.id))
    ORDER BY id LIMIT $5";

/// Jumps from game to game, so a log is not read row by row.
const LOG_ORPHANS: &str = "
    WITH RECURSIVE games (id) AS (
        SELECT * FROM (SELECT game_id FROM game_log ORDER BY game_id LIMIT 1) AS first
        UNION ALL
        SELECT (SELECT game_id FROM game_log WHERE game_id > games.id ORDER BY game_id LIMIT 1) FROM games
        WHERE games.id IS NOT NULL
    )
    SELECT id FROM games WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM game WHERE game.id = games.id)";

const SNAPSHOT_ORPHANS: &str = "
    SELECT DISTINCT game_id FROM game_snapshot
    WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = game_snapshot.game_id)";

impl Store {
    /// Games that are due, by id, above `after`; at most 1,000.
    pub async fn due_games(&self, due: Due, after: Option<GameId>) -> Result<Vec<GameId>, StoreError> {
        let select = sql(DUE).bind(due.closed_by_ms).bind(due.ended_by_ms).bind(due.code_free_by_ms);
        let ids = self.rows(select.bind(after.map_or(Uuid::nil(), GameId::uuid)).bind(DUE_AT_ONCE)).await?;
        Ok(games(ids))
    }

    /// The size of the log of a game.
    pub async fn log_size(&self, game: GameId) -> Result<Deleted, StoreError> {
        let select = sql(
            "SELECT count(*), CAST(COALESCE(sum(octet_length(body)), 0) AS BIGINT) FROM game_log WHERE game_id = $1",
        );
        let size: Option<(i64, i64)> = self.row(select.bind(game)).await?;
        let (rows, bytes) = size.unwrap_or_default();
        Ok(Deleted { rows: rows.unsigned_abs(), bytes: bytes.unsigned_abs() })
    }

    /// Holds a game that has ended or was closed; `false` when it has not, or when another holder has it. With `close`
    /// the game is closed in the same transaction, so that it is never loaded again.
    pub async fn hold_game(&self, what: Hold, close: bool) -> Result<bool, StoreError> {
        self.write(move |connection| hold(connection, what, close).boxed()).await
    }

    /// Releases a hold of a game; does nothing when `hold` is not its hold.
    pub async fn release_game(&self, hold: Hold) -> Result<(), StoreError> {
        let release = sql(
            "UPDATE game_hold SET until_ms = $4 WHERE game_id = $1 AND holder = $2 AND held_at_ms = $3 AND until_ms > $4",
        );
        let release = release.bind(hold.game).bind(hold.holder.cast_signed());
        self.change(release.bind(hold.held_at_ms).bind(clock::unix_ms())).await.map(drop)
    }

    /// Holds that began at this time or later (milliseconds since 1970).
    pub async fn holds_since(&self, since_ms: i64) -> Result<Vec<Hold>, StoreError> {
        let select = sql("SELECT game_id, holder, held_at_ms, until_ms FROM game_hold WHERE held_at_ms >= $1");
        Ok(self.rows(select.bind(since_ms)).await?.into_iter().map(StoredHold::read).collect())
    }

    /// The last hold on the game, which may be over; those that ended more than a day ago are forgotten.
    pub async fn hold_of(&self, game: GameId) -> Result<Option<Hold>, StoreError> {
        let select = sql("SELECT game_id, holder, held_at_ms, until_ms FROM game_hold WHERE game_id = $1");
        Ok(self.row(select.bind(game)).await?.map(StoredHold::read))
    }

    /// Deletes the oldest rows of a game's log, or a part of a snapshot when the log is empty: a bounded piece, in one
    /// transaction. `None`: nothing was left. Only for games that are closed or have no line.
    pub async fn delete_piece(&self, game: GameId) -> Result<Option<Deleted>, StoreError> {
        self.write(move |connection| delete_piece(connection, game).boxed()).await
    }

    /// Clears what remains of a game whose log is deleted: its title, the list of its files, the counts of its
    /// questions and its webhook deliveries. Also deletes its line if the game ended by `code_free_by_ms` (milliseconds
    /// since 1970); returns whether it did.
    pub async fn delete_line(&self, game: GameId, code_free_by_ms: i64) -> Result<bool, StoreError> {
        self.write(move |connection| delete_line(connection, game, code_free_by_ms).boxed()).await
    }

    /// Games without a line that still have rows or snapshots.
    pub async fn orphans(&self) -> Result<Vec<GameId>, StoreError> {
        let mut ids: Vec<(Uuid,)> = self.rows(sql(LOG_ORPHANS)).await?;
        ids.extend(self.rows::<(Uuid,)>(sql(SNAPSHOT_ORPHANS)).await?);
        Ok(games(ids))
    }

    /// Deletes sessions that have expired, sessions created by `created_by_ms`, holds that began by `held_by_ms`, old
    /// idempotency keys, and deliveries that are too old or whose webhook is disabled or deleted. Resolves to the
    /// number of deleted sessions. All times are milliseconds since 1970.
    pub async fn sweep(&self, now_ms: i64, created_by_ms: Option<i64>, held_by_ms: i64) -> Result<u64, StoreError> {
        let sessions =
            sql("DELETE FROM host_token WHERE expires_at_ms <= $1 OR (created_at_ms <= $2 AND name IS NULL)");
        let sessions = sessions.bind(now_ms).bind(created_by_ms);
        let holds = sql("DELETE FROM game_hold WHERE held_at_ms <= $1 AND until_ms <= $1");
        let holds = holds.bind(held_by_ms);
        let keys = sql("DELETE FROM creation_key WHERE created_at_ms <= $1").bind(now_ms - KEY_KEPT_MS);
        self.sweep_deliveries(now_ms).await?;
        self.write(move |connection| {
            async move {
                let ended = sessions.execute(connection).await?;
                holds.execute(connection).await?;
                keys.execute(connection).await?;
                Ok(ended)
            }
            .boxed()
        })
        .await
    }

    /// Replaces the bodies of these rows and deletes the game's snapshots, in one transaction; everything else of a row
    /// stays. `false`, with nothing changed, when `hold` does not hold the game or a row differs from what was read.
    pub async fn rewrite_log(&self, hold: Hold, rows: Vec<LogRow>) -> Result<bool, StoreError> {
        self.write(move |connection| rewrite(connection, hold, rows).boxed()).await
    }

    /// Every closed game of an account, by id.
    pub async fn closed_games_of(&self, host: HostId) -> Result<Vec<GameId>, StoreError> {
        let select = sql("SELECT id FROM game WHERE host_id = $1 AND closed = 1 ORDER BY id");
        Ok(games(self.rows(select.bind(host)).await?))
    }
}

async fn hold(connection: &mut Connection<'_>, hold: Hold, close: bool) -> Result<bool, StoreError> {
    let may = if close {
        let close = sql("
            UPDATE game SET closed = 1, closed_at_ms = COALESCE(closed_at_ms, $2), ended_at_ms = COALESCE(ended_at_ms, $2)
            WHERE id = $1 AND (closed = 1 OR phase = 'ended')");
        close.bind(hold.game).bind(hold.held_at_ms).execute(connection).await? > 0
    } else {
        let is_over = sql("SELECT EXISTS (SELECT 1 FROM game WHERE id = $1 AND (closed = 1 OR phase = 'ended'))");
        is_over.bind(hold.game).value(connection).await?
    };
    if !may {
        return Ok(false);
    }
    let insert = sql("
        INSERT INTO game_hold (game_id, holder, held_at_ms, until_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (game_id) DO UPDATE
        SET holder = excluded.holder, held_at_ms = excluded.held_at_ms, until_ms = excluded.until_ms
        WHERE game_hold.until_ms <= excluded.held_at_ms OR game_hold.holder = excluded.holder");
    let insert = insert.bind(hold.game).bind(hold.holder.cast_signed()).bind(hold.held_at_ms).bind(hold.until_ms);
    Ok(insert.execute(connection).await? > 0)
}

async fn delete_piece(connection: &mut Connection<'_>, game: GameId) -> Result<Option<Deleted>, StoreError> {
    let may = sql("SELECT NOT EXISTS (SELECT 1 FROM game WHERE id = $1 AND closed = 0)");
    if !may.bind(game).value(connection).await? {
        return Ok(None);
    }
    let sizes =
        sql("SELECT seq, CAST(octet_length(body) AS BIGINT) FROM game_log WHERE game_id = $1 ORDER BY seq LIMIT $2");
    let sizes: Vec<(i64, i64)> = sizes.bind(game).bind(PIECE_ROWS).all(connection).await?;
    let (mut deleted, mut last) = (Deleted::default(), None);
    for (seq, size) in sizes {
        last = Some(seq);
        deleted.rows += 1;
        deleted.bytes += size.unsigned_abs();
        if deleted.bytes >= PIECE_BYTES {
            break;
        }
    }
    let Some(last) = last else {
        let part = sql("
            DELETE FROM game_snapshot WHERE game_id = $1 AND (name, part) IN (
                SELECT name, part FROM game_snapshot WHERE game_id = $1 ORDER BY name, part DESC LIMIT 1)");
        return Ok((part.bind(game).execute(connection).await? > 0).then_some(deleted));
    };
    // Deleted from the front: an owner that has not noticed the deletion yet still finds its head in place, and puts
    // nothing back.
    sql("DELETE FROM game_log WHERE game_id = $1 AND seq <= $2").bind(game).bind(last).execute(connection).await?;
    Ok(Some(deleted))
}

async fn delete_line(connection: &mut Connection<'_>, game: GameId, code_free_by_ms: i64) -> Result<bool, StoreError> {
    let blank = sql("UPDATE game SET title = '' WHERE id = $1 AND closed = 1 AND title <> ''");
    blank.bind(game).execute(connection).await?;
    let unused = sql("
        DELETE FROM game_media WHERE game_id = $1 AND NOT EXISTS (SELECT 1 FROM game_log WHERE game_id = $1)");
    unused.bind(game).execute(connection).await?;
    results_links::delete(connection, game).await?;
    webhook_deliveries::delete_of_game(connection, game).await?;
    asked::delete(connection, game).await?;
    let delete = sql("
        DELETE FROM game WHERE id = $1 AND closed = 1 AND COALESCE(ended_at_ms, closed_at_ms, active_at_ms) <= $2
            AND NOT EXISTS (SELECT 1 FROM game_log WHERE game_id = $1)");
    Ok(delete.bind(game).bind(code_free_by_ms).execute(connection).await? > 0)
}

async fn rewrite(connection: &mut Connection<'_>, hold: Hold, rows: Vec<LogRow>) -> Result<bool, StoreError> {
    let has = sql("SELECT EXISTS (SELECT 1 FROM game_hold WHERE game_id = $1 AND holder = $2 AND until_ms > $3)");
    let has = has.bind(hold.game).bind(hold.holder.cast_signed()).bind(clock::unix_ms());
    if !has.value(connection).await? {
        return Ok(false);
    }
    for row in rows {
        let checksum = row.checksum(hold.game);
        let rewrite = sql(
            "UPDATE game_log SET body = $5, checksum = $6 WHERE game_id = $1 AND seq = $2 AND n = $3 AND batch = $4",
        );
        let rewrite = rewrite.bind(hold.game).bind(row.seq.cast_signed()).bind(row.count).bind(row.batch.cast_signed());
        if rewrite.bind(row.body).bind(checksum).execute(connection).await? != 1 {
            // Rolls the transaction back.
            return Err(StoreError::Corrupt("a row of the log that was there a moment ago"));
        }
    }
    sql("DELETE FROM game_snapshot WHERE game_id = $1").bind(hold.game).execute(connection).await?;
    Ok(true)
}

fn games(ids: Vec<(Uuid,)>) -> Vec<GameId> {
    ids.into_iter().map(|(id,)| GameId::from(id)).collect()
}
