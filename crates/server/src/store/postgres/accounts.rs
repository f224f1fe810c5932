//! Accounts of hosts and their sessions.

use std::collections::HashSet;

use quizhall_rules::HostId;
use sqlx::PgConnection;

use super::super::sql::accounts as sql;
use super::super::stored::hashes;
use super::super::{AccountCreation, AccountRow, HASH_BYTES, NewAccount, NewSession, SessionRow, StoreError};
use super::quizzes;
use crate::clock;

/// Held while accounts are created or changed, until the end of its transaction. Two numbers: a key space that migrations,
/// which lock by one, do not share.
const LOCK_ACCOUNTS: &str = "SELECT pg_advisory_xact_lock(1904175720, 1)";

/// Held by whoever adds something to an account that has a limit, until the end of its transaction.
const LOCK_HOST: &str = "SELECT id FROM host WHERE id = $1 FOR NO KEY UPDATE";

/// What somebody else sweeps at this moment is left to them: two sweeps never wait for each other.
const SWEEP: &str = "
    DELETE FROM host_token
    WHERE hash IN (SELECT hash FROM host_token WHERE expires_at_ms <= $1 FOR UPDATE SKIP LOCKED)";

const STILL_VALID: &str = "SELECT hash FROM host_token WHERE expires_at_ms > $1 AND hash = ANY ($2)";

/// Others who add to the same account wait for the end of this transaction.
pub(super) async fn lock(connection: &mut PgConnection, host: HostId) -> Result<(), StoreError> {
    sqlx::query(LOCK_HOST).bind(host.uuid()).execute(connection).await?;
    Ok(())
}

/// Others who create or change accounts wait for the end of this transaction.
pub(super) async fn lock_all(connection: &mut PgConnection) -> Result<(), StoreError> {
    sqlx::query(LOCK_ACCOUNTS).execute(connection).await?;
    Ok(())
}

/// Whether the account is the first is decided here, under a lock: two who open the set-up link at once cannot both be.
pub(super) async fn create(connection: &mut PgConnection, account: NewAccount) -> Result<AccountCreation, StoreError> {
    lock_all(connection).await?;
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

pub(super) async fn by_name(connection: &mut PgConnection, name_key: String) -> Result<Option<AccountRow>, StoreError> {
    Ok(sqlx::query_as(sql::BY_NAME).bind(name_key).fetch_optional(connection).await?)
}

pub(super) async fn with_password(connection: &mut PgConnection) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar(sql::COUNT).fetch_one(connection).await?;
    Ok(count.unsigned_abs())
}

pub(super) async fn set_password(
    connection: &mut PgConnection,
    host: HostId,
    password_hash: String,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    sqlx::query(sql::SET_PASSWORD).bind(host.uuid()).bind(password_hash).execute(&mut *connection).await?;
    hashes(sqlx::query_scalar(sql::END_ALL).bind(host.uuid()).fetch_all(connection).await?)
}

pub(super) async fn create_session(connection: &mut PgConnection, session: NewSession) -> Result<(), StoreError> {
    sqlx::query(SWEEP).bind(clock::unix_ms()).execute(&mut *connection).await?;
    sqlx::query(sql::CREATE_SESSION)
        .bind(session.hash.to_vec())
        .bind(session.host.uuid())
        .bind(session.created_at_ms)
        .bind(session.expires_at_ms)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn session(
    connection: &mut PgConnection,
    hash: [u8; HASH_BYTES],
) -> Result<Option<SessionRow>, StoreError> {
    let session = sqlx::query_as(sql::SESSION).bind(hash.to_vec()).bind(clock::unix_ms());
    Ok(session.fetch_optional(connection).await?)
}

pub(super) async fn ended_sessions(
    connection: &mut PgConnection,
    asked: Vec<[u8; HASH_BYTES]>,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    let valid = sqlx::query_scalar(STILL_VALID)
        .bind(clock::unix_ms())
        .bind(asked.iter().map(|hash| hash.to_vec()).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    let valid: HashSet<_> = hashes(valid)?.into_iter().collect();
    Ok(asked.into_iter().filter(|hash| !valid.contains(hash)).collect())
}

pub(super) async fn end_session(connection: &mut PgConnection, hash: [u8; HASH_BYTES]) -> Result<bool, StoreError> {
    let ended = sqlx::query(sql::END).bind(hash.to_vec()).execute(connection).await?;
    Ok(ended.rows_affected() > 0)
}
