//! Tokens of accounts for programs: rows in the table of sessions, with a name and scopes. Holds only hashes, never a
//! token.
//!
//! Called by `auth`. A session has no name; what ends all sessions of an account ends these tokens too.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::sessions::{HASH_BYTES, read_hashes};
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// The expiry of a token that ends only when it is revoked: the year 9999.
const NEVER_MS: i64 = 253_402_300_799_000;

/// A token to store.
#[derive(Clone)]
pub struct NamedToken {
    /// SHA-256 of the token.
    pub hash: [u8; HASH_BYTES],
    /// Whose it is.
    pub host: HostId,
    /// Its line in the list.
    pub line: NamedTokenLine,
}

/// A line of the list of an account's tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct NamedTokenLine {
    /// Its id in the interface.
    pub id: Uuid,
    /// Its name, chosen by its owner.
    pub name: String,
    /// Its scopes, as bits.
    pub scopes: i64,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970, exact to about a minute; `None`: never used.
    pub last_used_at_ms: Option<i64>,
}
from_row!(PgRow, SqliteRow => NamedTokenLine { id, name, scopes, created_at_ms, last_used_at_ms });

impl Store {
    /// Stores a token; `false` when the account already has `most`.
    pub async fn create_named_token(&self, token: NamedToken, most: u32) -> Result<bool, StoreError> {
        // Under the lock of accounts, so that two concurrent calls do not exceed the limit.
        self.with_accounts(move |connection| create(connection, token, most).boxed()).await
    }

    /// The tokens of an account, the newest first.
    pub async fn named_tokens_of(&self, host: HostId) -> Result<Vec<NamedTokenLine>, StoreError> {
        let select = sql("
            SELECT id, name, scopes, created_at_ms, last_used_at_ms FROM host_token
            WHERE host_id = $1 AND name IS NOT NULL ORDER BY created_at_ms DESC, id DESC");
        self.rows(select.bind(host)).await
    }

    /// Deletes a token of the account; resolves to its hash, if there was one.
    pub async fn revoke_named_token(&self, host: HostId, id: Uuid) -> Result<Option<[u8; HASH_BYTES]>, StoreError> {
        self.write(move |connection| {
            async move {
                let delete = sql("DELETE FROM host_token WHERE host_id = $1 AND id = $2 RETURNING hash");
                let deleted = read_hashes(delete.bind(host).bind(id).all(connection).await?)?;
                Ok(deleted.into_iter().next())
            }
            .boxed()
        })
        .await
    }

    /// Stores when a token was last used (milliseconds since 1970).
    pub async fn note_token_use(&self, hash: [u8; HASH_BYTES], now_ms: i64) -> Result<(), StoreError> {
        let note = sql("UPDATE host_token SET last_used_at_ms = $2 WHERE hash = $1 AND name IS NOT NULL");
        self.change(note.bind(hash.to_vec()).bind(now_ms)).await.map(drop)
    }
}

async fn create(connection: &mut Connection<'_>, token: NamedToken, most: u32) -> Result<bool, StoreError> {
    let NamedToken { hash, host, line } = token;
    let count: i64 = sql("SELECT count(*) FROM host_token WHERE host_id = $1 AND name IS NOT NULL")
        .bind(host)
        .value(connection)
        .await?;
    if count >= i64::from(most) {
        return Ok(false);
    }
    let insert = sql("
        INSERT INTO host_token (hash, host_id, created_at_ms, expires_at_ms, id, name, scopes)
        VALUES ($1, $2, $3, $4, $5, $6, $7)");
    let insert = insert.bind(hash.to_vec()).bind(host).bind(line.created_at_ms).bind(NEVER_MS);
    insert.bind(line.id).bind(line.name).bind(line.scopes).execute(connection).await?;
    Ok(true)
}
