//! Deleting and rewriting, written once for both engines: [`functions`] makes the same functions for either connection.
//!
//! Used by `sqlite` and `postgres` alone. The caller holds a transaction where a function writes more than one statement.

/// The functions behind [`super::RetentionStore`] for one kind of connection.
macro_rules! functions {
    ($connection:ty) => {
        use quizhall_rules::{GameId, HostId};
        use uuid::Uuid;

        use super::super::retention::{DUE_AT_ONCE, PIECE_BYTES, PIECE_ROWS};
        use super::super::sql::retention as sql;
        use super::super::stored::StoredHold;
        use super::super::{Deleted, Due, Hold, LogRow, StoreError};

        pub(super) async fn due(
            connection: &mut $connection,
            due: Due,
            after: Option<GameId>,
        ) -> Result<Vec<GameId>, StoreError> {
            let games: Vec<Uuid> = sqlx::query_scalar(sql::DUE)
                .bind(due.closed_by_ms)
                .bind(due.ended_by_ms)
                .bind(due.code_free_by_ms)
                .bind(after.map_or(Uuid::nil(), GameId::uuid))
                .bind(DUE_AT_ONCE)
                .fetch_all(connection)
                .await?;
            Ok(games.into_iter().map(GameId::from).collect())
        }

        pub(super) async fn log_size(connection: &mut $connection, game: GameId) -> Result<Deleted, StoreError> {
            let (rows, bytes): (i64, i64) =
                sqlx::query_as(sql::LOG_SIZE).bind(game.uuid()).fetch_one(connection).await?;
            Ok(Deleted { rows: rows.unsigned_abs(), bytes: bytes.unsigned_abs() })
        }

        pub(super) async fn hold(connection: &mut $connection, hold: Hold, close: bool) -> Result<bool, StoreError> {
            let may = if close {
                let closed = sqlx::query(sql::CLOSE).bind(hold.game.uuid()).bind(hold.held_at_ms);
                closed.execute(&mut *connection).await?.rows_affected() > 0
            } else {
                sqlx::query_scalar(sql::IS_OVER).bind(hold.game.uuid()).fetch_one(&mut *connection).await?
            };
            if !may {
                return Ok(false);
            }
            let held = sqlx::query(sql::HOLD)
                .bind(hold.game.uuid())
                .bind(hold.holder.cast_signed())
                .bind(hold.held_at_ms)
                .bind(hold.until_ms)
                .execute(connection)
                .await?;
            Ok(held.rows_affected() > 0)
        }

        pub(super) async fn release(connection: &mut $connection, hold: Hold) -> Result<(), StoreError> {
            let release = sqlx::query(sql::RELEASE).bind(hold.game.uuid()).bind(hold.holder.cast_signed());
            release.bind(hold.held_at_ms).bind(crate::clock::unix_ms()).execute(connection).await?;
            Ok(())
        }

        pub(super) async fn holds(connection: &mut $connection, since_ms: i64) -> Result<Vec<Hold>, StoreError> {
            let rows: Vec<StoredHold> = sqlx::query_as(sql::HOLDS).bind(since_ms).fetch_all(connection).await?;
            Ok(rows.into_iter().map(StoredHold::read).collect())
        }

        pub(super) async fn is_held(
            connection: &mut $connection,
            game: GameId,
            now_ms: i64,
        ) -> Result<bool, StoreError> {
            Ok(sqlx::query_scalar(sql::IS_HELD).bind(game.uuid()).bind(now_ms).fetch_one(connection).await?)
        }

        pub(super) async fn delete_piece(
            connection: &mut $connection,
            game: GameId,
        ) -> Result<Option<Deleted>, StoreError> {
            if !sqlx::query_scalar(sql::MAY_BE_DELETED).bind(game.uuid()).fetch_one(&mut *connection).await? {
                return Ok(None);
            }
            let sizes = sqlx::query_as(sql::SIZES).bind(game.uuid()).bind(PIECE_ROWS);
            let sizes: Vec<(i64, i64)> = sizes.fetch_all(&mut *connection).await?;
            let (mut deleted, mut last) = (Deleted::default(), None);
            for (seq, size) in sizes {
                last = Some(seq);
                deleted.rows += 1;
                deleted.bytes += size.unsigned_abs();
                if deleted.bytes >= PIECE_BYTES.unsigned_abs() {
                    break;
                }
            }
            let Some(last) = last else {
                let part = sqlx::query(sql::DELETE_PART).bind(game.uuid()).execute(connection).await?;
                return Ok((part.rows_affected() > 0).then_some(deleted));
            };
            sqlx::query(sql::DELETE_ROWS).bind(game.uuid()).bind(last).execute(connection).await?;
            Ok(Some(deleted))
        }

        pub(super) async fn delete_line(
            connection: &mut $connection,
            game: GameId,
            code_free_by_ms: i64,
        ) -> Result<bool, StoreError> {
            sqlx::query(sql::BLANK_LINE).bind(game.uuid()).execute(&mut *connection).await?;
            let deleted = sqlx::query(sql::DELETE_LINE).bind(game.uuid()).bind(code_free_by_ms);
            Ok(deleted.execute(connection).await?.rows_affected() > 0)
        }

        pub(super) async fn orphans(connection: &mut $connection) -> Result<Vec<GameId>, StoreError> {
            let mut games: Vec<Uuid> = Vec::new();
            for orphans in [sql::LOG_ORPHANS, sql::SNAPSHOT_ORPHANS] {
                games.extend(sqlx::query_scalar::<_, Uuid>(orphans).fetch_all(&mut *connection).await?);
            }
            Ok(games.into_iter().map(GameId::from).collect())
        }

        pub(super) async fn sweep(
            connection: &mut $connection,
            now_ms: i64,
            (created_by_ms, held_by_ms): (Option<i64>, i64),
        ) -> Result<u64, StoreError> {
            let sessions = sqlx::query(sql::SWEEP_SESSIONS).bind(now_ms).bind(created_by_ms);
            let sessions = sessions.execute(&mut *connection).await?.rows_affected();
            sqlx::query(sql::SWEEP_HOLDS).bind(held_by_ms).execute(connection).await?;
            Ok(sessions)
        }

        pub(super) async fn rewrite(
            connection: &mut $connection,
            hold: Hold,
            rows: Vec<LogRow>,
        ) -> Result<bool, StoreError> {
            let has = sqlx::query_scalar(sql::HAS_HOLD).bind(hold.game.uuid()).bind(hold.holder.cast_signed());
            if !has.bind(crate::clock::unix_ms()).fetch_one(&mut *connection).await? {
                return Ok(false);
            }
            for row in rows {
                let checksum = i64::from(row.checksum(hold.game));
                let rewritten = sqlx::query(sql::REWRITE)
                    .bind(hold.game.uuid())
                    .bind(row.seq.cast_signed())
                    .bind(i64::from(row.count))
                    .bind(row.batch.cast_signed())
                    .bind(row.body)
                    .bind(checksum)
                    .execute(&mut *connection)
                    .await?;
                if rewritten.rows_affected() != 1 {
                    // Rolls the transaction back.
                    return Err(StoreError::Corrupt("a row of the log that was there a moment ago"));
                }
            }
            sqlx::query(sql::DELETE_SNAPSHOTS).bind(hold.game.uuid()).execute(connection).await?;
            Ok(true)
        }

        pub(super) async fn closed_of(connection: &mut $connection, host: HostId) -> Result<Vec<GameId>, StoreError> {
            let games: Vec<Uuid> = sqlx::query_scalar(sql::CLOSED_OF).bind(host.uuid()).fetch_all(connection).await?;
            Ok(games.into_iter().map(GameId::from).collect())
        }
    };
}

pub(super) use functions;
