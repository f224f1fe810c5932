//! Lines of games, and their creation together with the first row of their log.

use quizhall_rules::{GameId, HostId, Phase};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};
use uuid::Uuid;

use super::super::{CODE_HELD_MS, GameCreation, GameRow, NewGame, StoreError};
use super::log;
use crate::clock;

/// Gives a code back when its game ended long enough ago.
const RELEASE_CODE: &str = "
    UPDATE game SET code_held = 0 WHERE code = $1 AND code_held = 1 AND ended_at_ms <= $2";

const COUNT_LIVE: &str = "SELECT count(*) FROM game WHERE host_id = $1 AND closed = 0 AND phase <> 'ended'";

const INSERT: &str = "
    INSERT INTO game (id, host_id, code, title, phase, created_at_ms, active_at_ms, quiz_id)
    VALUES ($1, $2, $3, $4, 'lobby', $5, $5, $6)
    ON CONFLICT (code) WHERE code_held = 1 DO NOTHING";

pub(super) async fn create(connection: &mut SqliteConnection, game: NewGame) -> Result<GameCreation, StoreError> {
    let live: i64 = sqlx::query_scalar(COUNT_LIVE).bind(bytes(game.host.uuid())).fetch_one(&mut *connection).await?;
    if live >= i64::from(game.live_limit) {
        return Ok(GameCreation::TooManyLive);
    }
    sqlx::query(RELEASE_CODE)
        .bind(game.code.as_str())
        .bind(clock::unix_ms() - CODE_HELD_MS)
        .execute(&mut *connection)
        .await?;
    let inserted = sqlx::query(INSERT)
        .bind(bytes(game.id.uuid()))
        .bind(bytes(game.host.uuid()))
        .bind(game.code)
        .bind(game.title)
        .bind(game.created_at_ms)
        .bind(bytes(game.quiz))
        .execute(&mut *connection)
        .await?;
    if inserted.rows_affected() == 0 {
        return Ok(GameCreation::CodeTaken);
    }
    log::begin(connection, game.id, game.batch, game.body).await?;
    Ok(GameCreation::Created)
}

pub(super) async fn by_code(readers: &SqlitePool, code: &str) -> Result<Option<GameId>, StoreError> {
    let id: Option<Vec<u8>> = sqlx::query_scalar(
        "SELECT id FROM game
         WHERE code = $1 AND code_held = 1 AND closed = 0 AND (ended_at_ms IS NULL OR ended_at_ms > $2)",
    )
    .bind(code.to_owned())
    .bind(clock::unix_ms() - CODE_HELD_MS)
    .fetch_optional(readers)
    .await?;
    id.map(|id| uuid(&id).map(GameId::from)).transpose()
}

pub(super) async fn by_id(readers: &SqlitePool, game: GameId) -> Result<Option<GameRow>, StoreError> {
    let row = sqlx::query(
        "SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms FROM game WHERE id = $1",
    )
    .bind(bytes(game.uuid()))
    .fetch_optional(readers)
    .await?;
    row.as_ref().map(game_row).transpose()
}

pub(super) async fn of_host(readers: &SqlitePool, host: HostId) -> Result<Vec<GameRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms FROM game
         WHERE host_id = $1 AND closed = 0 ORDER BY created_at_ms DESC, id DESC LIMIT 1000",
    )
    .bind(bytes(host.uuid()))
    .fetch_all(readers)
    .await?;
    rows.iter().map(game_row).collect()
}

pub(super) async fn still(readers: &SqlitePool, since_ms: i64) -> Result<Vec<GameRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms FROM game
         WHERE closed = 0 AND phase <> 'ended' AND active_at_ms < $1 ORDER BY created_at_ms, id",
    )
    .bind(since_ms)
    .fetch_all(readers)
    .await?;
    rows.iter().map(game_row).collect()
}

fn game_row(row: &SqliteRow) -> Result<GameRow, StoreError> {
    Ok(GameRow {
        id: uuid(row.try_get("id")?)?.into(),
        host: uuid(row.try_get("host_id")?)?.into(),
        quiz: row.try_get::<Option<Vec<u8>>, _>("quiz_id")?.map(|id| uuid(&id)).transpose()?,
        code: row.try_get("code")?,
        title: row.try_get("title")?,
        phase: phase(row.try_get("phase")?)?,
        closed: row.try_get::<i64, _>("closed")? != 0,
        created_at_ms: row.try_get("created_at_ms")?,
        ended_at_ms: row.try_get("ended_at_ms")?,
    })
}

fn phase(word: &str) -> Result<Phase, StoreError> {
    [Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard, Phase::Ended]
        .into_iter()
        .find(|phase| phase.as_str() == word)
        .ok_or(StoreError::Corrupt("a game's phase"))
}

/// An id as it is stored.
pub(super) fn bytes(id: Uuid) -> Vec<u8> {
    id.as_bytes().to_vec()
}

/// An id as it was stored.
pub(super) fn uuid(bytes: &[u8]) -> Result<Uuid, StoreError> {
    Uuid::from_slice(bytes).map_err(|_| StoreError::Corrupt("an id"))
}
