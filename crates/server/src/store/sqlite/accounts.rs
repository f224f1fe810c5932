//! Accounts of hosts and their sessions.

use std::collections::HashSet;

use quizhall_rules::HostId;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, SqlitePool};

use super::super::sql::accounts as sql;
use super::super::stored::hashes;
use super::super::{AccountCreation, AccountRow, HASH_BYTES, NewAccount, NewSession, SessionRow, StoreError};
use super::quizzes;
use crate::clock;

/// Hashes asked for in one statement, far below the most parameters that `SQLite` takes.
const ASKED_AT_ONCE: usize = 1_000;

/// Whether the account is the first is decided here, under the write lock: two who open the set-up link at once
/// cannot both be.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    account: NewAccount,
) -> Result<AccountCreation, StoreError> {
    let others: i64 = sqlx::query_scalar(sql::COUNT).fetch_one(&mut *connection).await?;
    if account.only_as_first && others > 0 {
        return Ok(AccountCreation::NotFirst);
    }
    let newcomer = others == 0 || account.password_hash.is_none();
    let inserted = sqlx::query(sql::INSERT)
        .bind(account.id.uuid())
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
    Ok(sqlx::query_as(sql::BY_NAME).bind(name_key.to_owned()).fetch_optional(readers).await?)
}

pub(super) async fn with_password(readers: &SqlitePool) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar(sql::COUNT).fetch_one(readers).await?;
    Ok(count.unsigned_abs())
}

pub(super) async fn set_password(
    connection: &mut SqliteConnection,
    host: HostId,
    password_hash: String,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    sqlx::query(sql::SET_PASSWORD).bind(host.uuid()).bind(password_hash).execute(&mut *connection).await?;
    hashes(sqlx::query_scalar(sql::END_ALL).bind(host.uuid()).fetch_all(connection).await?)
}

pub(super) async fn create_session(connection: &mut SqliteConnection, session: NewSession) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM host_token WHERE expires_at_ms <= $1")
        .bind(clock::unix_ms())
        .execute(&mut *connection)
        .await?;
    sqlx::query(sql::CREATE_SESSION)
        .bind(session.hash.to_vec())
        .bind(session.host.uuid())
        .bind(session.created_at_ms)
        .bind(session.expires_at_ms)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn session(readers: &SqlitePool, hash: [u8; HASH_BYTES]) -> Result<Option<SessionRow>, StoreError> {
    let session = sqlx::query_as(sql::SESSION).bind(hash.to_vec()).bind(clock::unix_ms());
    Ok(session.fetch_optional(readers).await?)
}

pub(super) async fn ended_sessions(
    readers: &SqlitePool,
    asked: Vec<[u8; HASH_BYTES]>,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    let mut valid = HashSet::new();
    for some in asked.chunks(ASKED_AT_ONCE) {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT hash FROM host_token WHERE expires_at_ms > ");
        query.push_bind(clock::unix_ms()).push(" AND hash IN (");
        let mut places = query.separated(", ");
        for hash in some {
            places.push_bind(hash.to_vec());
        }
        query.push(")");
        valid.extend(hashes(query.build_query_scalar().fetch_all(readers).await?)?);
    }
    Ok(asked.into_iter().filter(|hash| !valid.contains(hash)).collect())
}

pub(super) async fn end_session(connection: &mut SqliteConnection, hash: [u8; HASH_BYTES]) -> Result<bool, StoreError> {
    let ended = sqlx::query(sql::END).bind(hash.to_vec()).execute(connection).await?;
    Ok(ended.rows_affected() > 0)
}
