//! Sessions of hosts. Holds only hashes, never a token.

use std::collections::HashSet;
use std::iter::repeat_n;

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::ended_invitations;
use crate::clock;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Length of a SHA-256.
pub const HASH_BYTES: usize = 32;

/// Most hashes in one statement, far below the most parameters that an engine accepts.
const ASKED_AT_ONCE: usize = 1_024;

/// A session to store.
#[derive(Clone)]
pub struct NewSession {
    /// SHA-256 of its token.
    pub hash: [u8; HASH_BYTES],
    /// Whose it is.
    pub host: HostId,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970; after that it is not found.
    pub expires_at_ms: i64,
}

/// A session that has not expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
    /// Whether the account is an owner of the service.
    pub is_owner: bool,
    /// For a token for programs, its scopes as bits; `None` for a session, which has no limits.
    pub scopes: Option<i64>,
    /// For a token for programs, when it was last used, in milliseconds since 1970.
    pub last_used_at_ms: Option<i64>,
}
from_row!(PgRow, SqliteRow => SessionRow { host = "host_id" as Uuid, name, expires_at_ms, is_owner, scopes, last_used_at_ms });

/// A line of the list of an account's sessions.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionLine {
    /// SHA-256 of its token.
    pub hash: Vec<u8>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
}
from_row!(PgRow, SqliteRow => SessionLine { hash, created_at_ms, expires_at_ms });

impl Store {
    /// Stores a session, and deletes those that have expired.
    pub async fn create_session(&self, session: NewSession) -> Result<(), StoreError> {
        self.write(move |connection| create(connection, session).boxed()).await
    }

    /// The session with this token hash, with its account; expired ones are not found.
    pub async fn session(&self, hash: [u8; HASH_BYTES]) -> Result<Option<SessionRow>, StoreError> {
        let select = sql("
            SELECT h.id AS host_id, h.name, t.expires_at_ms, (h.is_owner = 1) AS is_owner, t.scopes, t.last_used_at_ms
            FROM host_token t JOIN host h ON h.id = t.host_id
            WHERE t.hash = $1 AND t.expires_at_ms > $2 AND h.disabled_at_ms IS NULL");
        self.row(select.bind(hash.to_vec()).bind(clock::unix_ms())).await
    }

    /// Those of these sessions that are no longer valid.
    pub async fn ended_sessions(&self, mut hashes: Vec<[u8; HASH_BYTES]>) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
        let mut valid = HashSet::new();
        for some in hashes.chunks(ASKED_AT_ONCE) {
            // Few different lengths, so that the statements stay prepared. The last hash fills the remaining places.
            let count = some.len().next_power_of_two();
            let places: Vec<String> = (2..count + 2).map(|place| format!("${place}")).collect();
            let select =
                format!("SELECT hash FROM host_token WHERE expires_at_ms > $1 AND hash IN ({})", places.join(", "));
            let mut select = sql(AssertSqlSafe(select)).bind(clock::unix_ms());
            for hash in some.iter().chain(repeat_n(&some[some.len() - 1], count - some.len())) {
                select = select.bind(hash.to_vec());
            }
            valid.extend(read_hashes(self.rows(select).await?)?);
        }
        hashes.retain(|hash| !valid.contains(hash));
        Ok(hashes)
    }

    /// The sessions of an account that have not expired, the newest first, at most 1,000.
    pub async fn sessions_of(&self, host: HostId) -> Result<Vec<SessionLine>, StoreError> {
        let select = sql("
            SELECT hash, created_at_ms, expires_at_ms FROM host_token
            WHERE host_id = $1 AND expires_at_ms > $2 AND name IS NULL
            ORDER BY created_at_ms DESC, hash LIMIT 1000");
        self.rows(select.bind(host).bind(clock::unix_ms())).await
    }

    /// Ends all sessions of an account and the invitations to its games, and revokes its tokens for programs; resolves
    /// to the hashes of all of them.
    pub async fn end_sessions_of(&self, host: HostId) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
        self.write(move |connection| end_all(connection, host).boxed()).await
    }

    /// Ends a session; resolves to whether there was one.
    pub async fn end_session(&self, hash: [u8; HASH_BYTES]) -> Result<bool, StoreError> {
        Ok(self.change(sql("DELETE FROM host_token WHERE hash = $1").bind(hash.to_vec())).await? > 0)
    }
}

/// Two concurrent sweeps on PostgreSQL may each wait for rows of the other, so a sweep skips rows that another one has
/// locked.
async fn create(connection: &mut Connection<'_>, session: NewSession) -> Result<(), StoreError> {
    let sweep = match connection {
        Connection::Sqlite(_) => "DELETE FROM host_token WHERE expires_at_ms <= $1",
        Connection::Postgres(_) => {
            "
            DELETE FROM host_token
            WHERE hash IN (SELECT hash FROM host_token WHERE expires_at_ms <= $1 FOR UPDATE SKIP LOCKED)"
        }
    };
    sql(sweep).bind(clock::unix_ms()).execute(connection).await?;
    let insert = sql("INSERT INTO host_token (hash, host_id, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4)");
    let insert = insert.bind(session.hash.to_vec()).bind(session.host);
    insert.bind(session.created_at_ms).bind(session.expires_at_ms).execute(connection).await?;
    Ok(())
}

/// Ends all sessions of an account and the invitations to its games, and revokes its tokens for programs; returns the
/// hashes of all tokens.
pub(in crate::store) async fn end_all(
    connection: &mut Connection<'_>,
    host: HostId,
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    ended_invitations::mark(connection, host).await?;
    read_hashes(sql("DELETE FROM host_token WHERE host_id = $1 RETURNING hash").bind(host).all(connection).await?)
}

/// Ends all sessions of an account but one, and the invitations to its games; returns the hashes of the sessions'
/// tokens. Its tokens for programs stay valid.
pub(super) async fn end_others(
    connection: &mut Connection<'_>,
    host: HostId,
    kept: [u8; HASH_BYTES],
) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    ended_invitations::mark(connection, host).await?;
    let delete = sql("DELETE FROM host_token WHERE host_id = $1 AND hash <> $2 AND name IS NULL RETURNING hash");
    read_hashes(delete.bind(host).bind(kept.to_vec()).all(connection).await?)
}

pub(super) fn read_hashes(stored: Vec<(Vec<u8>,)>) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    let hashes = stored.into_iter().map(|(hash,)| <[u8; HASH_BYTES]>::try_from(hash));
    hashes.collect::<Result<_, _>>().map_err(|_| StoreError::Corrupt("a token's hash"))
}
