//! Lines of games, and their creation together with the first row of their log.

use quizhall_rules::{GameId, HostId};
use sqlx::PgConnection;
use uuid::Uuid;

use super::super::sql::games as sql;
use super::super::stored::{StoredGame, StoredListed};
use super::super::{CODE_HELD_MS, GameCreation, GameRow, Listed, NewGame, StoreError};
use super::{accounts, log};
use crate::clock;

pub(super) async fn create(connection: &mut PgConnection, game: NewGame) -> Result<GameCreation, StoreError> {
    accounts::lock(connection, game.host).await?;
    let live: i64 = sqlx::query_scalar(sql::COUNT_LIVE).bind(game.host.uuid()).fetch_one(&mut *connection).await?;
    if live >= i64::from(game.live_limit) {
        return Ok(GameCreation::TooManyLive);
    }
    sqlx::query(sql::RELEASE_CODE)
        .bind(game.code.as_str())
        .bind(clock::unix_ms() - CODE_HELD_MS)
        .execute(&mut *connection)
        .await?;
    let inserted = sqlx::query(sql::INSERT)
        .bind(game.id.uuid())
        .bind(game.host.uuid())
        .bind(game.code.as_str())
        .bind(game.title.as_str())
        .bind(game.created_at_ms)
        .bind(game.quiz)
        .execute(&mut *connection)
        .await?;
    if inserted.rows_affected() == 0 {
        return Ok(GameCreation::CodeTaken);
    }
    log::begin(connection, &game).await?;
    Ok(GameCreation::Created)
}

pub(super) async fn by_code(connection: &mut PgConnection, code: String) -> Result<Option<GameId>, StoreError> {
    let id: Option<Uuid> = sqlx::query_scalar(sql::BY_CODE)
        .bind(code)
        .bind(clock::unix_ms() - CODE_HELD_MS)
        .fetch_optional(connection)
        .await?;
    Ok(id.map(GameId::from))
}

pub(super) async fn by_id(connection: &mut PgConnection, game: GameId) -> Result<Option<GameRow>, StoreError> {
    let row = sqlx::query_as(sql::BY_ID).bind(game.uuid()).fetch_optional(connection).await?;
    row.map(StoredGame::read).transpose()
}

pub(super) async fn of_host(connection: &mut PgConnection, host: HostId) -> Result<Vec<GameRow>, StoreError> {
    let rows = sqlx::query_as(sql::OF_HOST).bind(host.uuid()).fetch_all(connection).await?;
    rows.into_iter().map(StoredGame::read).collect()
}

pub(super) async fn still(connection: &mut PgConnection, since_ms: i64) -> Result<Vec<GameRow>, StoreError> {
    let rows = sqlx::query_as(sql::STILL).bind(since_ms).fetch_all(connection).await?;
    rows.into_iter().map(StoredGame::read).collect()
}

pub(super) async fn mark_damaged(connection: &mut PgConnection, game: GameId, damaged: bool) -> Result<(), StoreError> {
    sqlx::query(sql::MARK_DAMAGED).bind(game.uuid()).bind(i32::from(damaged)).execute(connection).await?;
    Ok(())
}

pub(super) async fn close(connection: &mut PgConnection, game: GameId) -> Result<bool, StoreError> {
    let closed = sqlx::query(sql::CLOSE).bind(game.uuid()).bind(clock::unix_ms()).execute(connection).await?;
    Ok(closed.rows_affected() > 0)
}

pub(super) async fn every(connection: &mut PgConnection, after: Uuid) -> Result<Vec<Listed>, StoreError> {
    let rows: Vec<StoredListed> = sqlx::query_as(sql::EVERY).bind(after).fetch_all(connection).await?;
    Ok(rows.into_iter().map(StoredListed::read).collect())
}
