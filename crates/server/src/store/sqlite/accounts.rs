//! Accounts of hosts and their sessions.

use quizhall_rules::HostId;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::super::{AccountCreation, AccountRow, HASH_BYTES, NewAccount, NewSession, SessionRow, StoreError};
use super::games::{bytes, uuid};
use super::quizzes;
use crate::clock;

const COUNT: &str = "SELECT count(*) FROM host WHERE password_hash IS NOT NULL";

const INSERT: &str = "
    INSERT INTO host (id, name, name_key, password_hash, created_at_ms) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name_key) DO NOTHING";

/// Whether the account is the first is decided here, under the write lock: two who open the set-up link at once
/// cannot both be.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    account: NewAccount,
) -> Result<AccountCreation, StoreError> {
    let others: i64 = sqlx::query_scalar(COUNT).fetch_one(&mut *connection).await?;
    if account.only_as_first && others > 0 {
        return Ok(AccountCreation::NotFirst);
    }
    let newcomer = others == 0 || account.password_hash.is_none();
    let inserted = sqlx::query(INSERT)
        .bind(bytes(account.id.uuid()))
        .bind(account.name)
        .bind(account.name_key)
        .bind(account.password_hash)
        .bind(account.created_at_ms)
        .execute(&mut *connection)
        .await?;
    if inserted.rows_affected() == 0 {
        return Ok(AccountCreation::NameTaken);
    }
    if let Some(sample) = account.sample.filter(|_| newcomer) {
        quizzes::create(connection, sample, u32::MAX).await?;
    }
    Ok(AccountCreation::Created)
}

pub(super) async fn by_name(readers: &SqlitePool, name_key: &str) -> Result<Option<AccountRow>, StoreError> {
    let row = sqlx::query("SELECT id, name, password_hash FROM host WHERE name_key = $1")
        .bind(name_key.to_owned())
        .fetch_optional(readers)
        .await?;
    row.map(|row| {
        Ok(AccountRow {
            id: uuid(row.try_get("id")?)?.into(),
            name: row.try_get("name")?,
            password_hash: row.try_get("password_hash")?,
        })
    })
    .transpose()
}

pub(super) async fn with_password(readers: &SqlitePool) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar(COUNT).fetch_one(readers).await?;
    Ok(count.unsigned_abs())
}

pub(super) async fn set_password(
    connection: &mut SqliteConnection,
    host: HostId,
    password_hash: String,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    sqlx::query("UPDATE host SET password_hash = $2 WHERE id = $1")
        .bind(bytes(host.uuid()))
        .bind(password_hash)
        .execute(&mut *connection)
        .await?;
    let ended: Vec<Vec<u8>> = sqlx::query_scalar("DELETE FROM host_token WHERE host_id = $1 RETURNING hash")
        .bind(bytes(host.uuid()))
        .fetch_all(connection)
        .await?;
    ended
        .into_iter()
        .map(|hash| <[u8; HASH_BYTES]>::try_from(hash).map_err(|_| StoreError::Corrupt("a token's hash")))
        .collect()
}

pub(super) async fn create_session(connection: &mut SqliteConnection, session: NewSession) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM host_token WHERE expires_at_ms <= $1")
        .bind(clock::unix_ms())
        .execute(&mut *connection)
        .await?;
    sqlx::query("INSERT INTO host_token (hash, host_id, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4)")
        .bind(session.hash.to_vec())
        .bind(bytes(session.host.uuid()))
        .bind(session.created_at_ms)
        .bind(session.expires_at_ms)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn session(readers: &SqlitePool, hash: [u8; HASH_BYTES]) -> Result<Option<SessionRow>, StoreError> {
    let row = sqlx::query(
        "SELECT h.id, h.name, t.expires_at_ms FROM host_token t JOIN host h ON h.id = t.host_id
         WHERE t.hash = $1 AND t.expires_at_ms > $2",
    )
    .bind(hash.to_vec())
    .bind(clock::unix_ms())
    .fetch_optional(readers)
    .await?;
    row.map(|row| {
        Ok(SessionRow {
            host: uuid(row.try_get("id")?)?.into(),
            name: row.try_get("name")?,
            expires_at_ms: row.try_get("expires_at_ms")?,
        })
    })
    .transpose()
}

pub(super) async fn end_session(connection: &mut SqliteConnection, hash: [u8; HASH_BYTES]) -> Result<bool, StoreError> {
    let ended = sqlx::query("DELETE FROM host_token WHERE hash = $1").bind(hash.to_vec()).execute(connection).await?;
    Ok(ended.rows_affected() > 0)
}
