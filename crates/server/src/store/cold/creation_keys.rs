//! Idempotency keys for creating quizzes and games: what was created with a key, for 24 hours.
//!
//! Called by `quizzes` and `games` inside the transaction that creates, after the account is locked, so the second of
//! two equal requests at once finds the key of the first. Holds only hashes, never a key or a body.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::sessions::HASH_BYTES;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// How long a key is kept after its use, in milliseconds.
pub const KEY_KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Most keys of one account at once. A request with one more is refused.
pub const KEYS_PER_HOST: u32 = 1_000;

/// An idempotency key with the request it came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreationKey {
    /// SHA-256 of the key.
    pub name: [u8; HASH_BYTES],
    /// SHA-256 of the route and the body.
    pub request: [u8; HASH_BYTES],
}

/// Why a request with a key creates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    /// The same request has created the quiz or the game with this id.
    Created(Uuid),
    /// The key was used for another request.
    OtherRequest,
    /// The account has [`KEYS_PER_HOST`] keys.
    TooMany {
        /// When the oldest is deleted, milliseconds since 1970.
        until_ms: i64,
    },
}

impl Store {
    /// What was created with the key in the last 24 hours; `None`: a request with it may create something.
    pub async fn key_use(&self, host: HostId, key: CreationKey) -> Result<Option<KeyUse>, StoreError> {
        self.read(move |connection| look_up(connection, host, key).boxed()).await
    }
}

/// See [`Store::key_use`].
pub(in crate::store) async fn look_up(
    connection: &mut Connection<'_>,
    host: HostId,
    key: CreationKey,
) -> Result<Option<KeyUse>, StoreError> {
    let kept_since = connection.now_ms().await? - KEY_KEPT_MS;
    let known =
        sql("SELECT request, created FROM creation_key WHERE host_id = $1 AND name = $2 AND created_at_ms > $3");
    let known = known.bind(host).bind(key.name.to_vec()).bind(kept_since);
    if let Some(known) = known.optional::<StoredKey>(connection).await? {
        let is_same = known.request == key.request;
        return Ok(Some(if is_same { KeyUse::Created(known.created) } else { KeyUse::OtherRequest }));
    }
    let kept = sql("
        SELECT count(*) AS number, COALESCE(min(created_at_ms), 0) AS oldest_ms FROM creation_key
        WHERE host_id = $1 AND created_at_ms > $2");
    let kept: Option<Kept> = kept.bind(host).bind(kept_since).optional(connection).await?;
    let full = kept.filter(|kept| kept.number >= i64::from(KEYS_PER_HOST));
    Ok(full.map(|kept| KeyUse::TooMany { until_ms: kept.oldest_ms + KEY_KEPT_MS }))
}

/// Stores what was created with the key, and deletes the account's keys that are too old.
pub(in crate::store) async fn keep(
    connection: &mut Connection<'_>,
    host: HostId,
    key: CreationKey,
    created: Uuid,
) -> Result<(), StoreError> {
    let now = connection.now_ms().await?;
    let sweep = sql("DELETE FROM creation_key WHERE host_id = $1 AND created_at_ms <= $2");
    sweep.bind(host).bind(now - KEY_KEPT_MS).execute(connection).await?;
    let insert =
        sql("INSERT INTO creation_key (host_id, name, request, created, created_at_ms) VALUES ($1, $2, $3, $4, $5)");
    let insert = insert.bind(host).bind(key.name.to_vec()).bind(key.request.to_vec());
    insert.bind(created).bind(now).execute(connection).await.map(drop)
}

struct StoredKey {
    request: Vec<u8>,
    created: Uuid,
}
from_row!(PgRow, SqliteRow => StoredKey { request, created });

struct Kept {
    number: i64,
    oldest_ms: i64,
}
from_row!(PgRow, SqliteRow => Kept { number, oldest_ms });
