//! Webhooks of accounts: an address, the key of its signatures, and the events it receives.
//!
//! Called by `webhooks`. `webhook_deliveries` has what is sent. The key is given only to the code that signs.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// A webhook to create. No `Debug`: it holds a key.
#[derive(Clone)]
pub struct NewWebhook {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub host: HostId,
    /// Where deliveries go.
    pub url: String,
    /// The key of the signatures.
    pub secret: Vec<u8>,
    /// Whether it receives `round.released`.
    pub round_released: bool,
    /// Whether it receives `game.ended`.
    pub game_ended: bool,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
}

/// A webhook without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookLine {
    /// Its id.
    pub id: Uuid,
    /// Where deliveries go.
    pub url: String,
    /// Whether it receives `round.released`.
    pub round_released: bool,
    /// Whether it receives `game.ended`.
    pub game_ended: bool,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Since when every delivery has failed, milliseconds since 1970.
    pub failing_since_ms: Option<i64>,
    /// When it was disabled, milliseconds since 1970; nothing is sent to it since.
    pub disabled_at_ms: Option<i64>,
    /// Deliveries that wait.
    pub waiting: i64,
}
from_row!(PgRow, SqliteRow => WebhookLine {
    id, url, round_released, game_ended, created_at_ms, failing_since_ms, disabled_at_ms, waiting
});

/// Most replaced keys of one webhook that still sign: each adds a signature to a header.
pub const MOST_OLD_KEYS: u32 = 4;

/// A key that replaces the one of a webhook.
#[derive(Clone)]
pub struct NewKey {
    /// The key.
    pub secret: Vec<u8>,
    /// How long the previous one also signs, in milliseconds.
    pub overlap_ms: i64,
}

/// The result of a request to replace a key. Times are milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// It is replaced; the previous key also signs until then.
    Replaced {
        /// When the previous key stops signing.
        old_until_ms: i64,
    },
    /// The account has no such webhook.
    NotFound,
    /// [`MOST_OLD_KEYS`] already sign.
    TooMany {
        /// When the first of them stops signing.
        until_ms: i64,
    },
}

impl Store {
    /// Creates a webhook, unless the account already has `most`; returns whether it was created.
    pub async fn create_webhook(&self, webhook: NewWebhook, most: u32) -> Result<bool, StoreError> {
        self.write(move |connection| create(connection, webhook, most).boxed()).await
    }

    /// The webhooks of an account, the oldest first.
    pub async fn webhooks_of(&self, host: HostId) -> Result<Vec<WebhookLine>, StoreError> {
        let select = sql("
            SELECT id, url, (round_released = 1) AS round_released, (game_ended = 1) AS game_ended, created_at_ms,
                failing_since_ms, disabled_at_ms,
                (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = webhook.id) AS waiting
            FROM webhook WHERE host_id = $1 ORDER BY created_at_ms, id");
        self.rows(select.bind(host)).await
    }

    /// Deletes a webhook of the account with its waiting deliveries; returns whether there was one.
    pub async fn delete_webhook(&self, host: HostId, webhook: Uuid) -> Result<bool, StoreError> {
        let delete = sql("DELETE FROM webhook WHERE host_id = $1 AND id = $2").bind(host).bind(webhook);
        if self.change(delete).await? == 0 {
            return Ok(false);
        }
        self.delete_deliveries_of(webhook).await?;
        Ok(true)
    }

    /// Enables a webhook of the account again after it was disabled; returns whether there is one.
    pub async fn enable_webhook(&self, host: HostId, webhook: Uuid) -> Result<bool, StoreError> {
        let enable = sql("
            UPDATE webhook SET disabled_at_ms = NULL, failing_since_ms = NULL WHERE host_id = $1 AND id = $2");
        Ok(self.change(enable.bind(host).bind(webhook)).await? > 0)
    }

    /// Gives a webhook of the account another key.
    pub async fn rotate_secret(&self, host: HostId, webhook: Uuid, new: NewKey) -> Result<Rotation, StoreError> {
        self.write(move |connection| rotate(connection, host, webhook, new).boxed()).await
    }

    /// Replaced keys of a webhook that still sign at this time, the latest first.
    pub(super) async fn old_keys(&self, webhook: Uuid, now_ms: i64) -> Result<Vec<Vec<u8>>, StoreError> {
        let select = sql("
            SELECT secret FROM webhook_old_key WHERE webhook_id = $1 AND until_ms > $2 ORDER BY until_ms DESC");
        let keys: Vec<(Vec<u8>,)> = self.rows(select.bind(webhook).bind(now_ms)).await?;
        Ok(keys.into_iter().map(|(key,)| key).collect())
    }

    /// Deletes keys that no longer sign.
    pub(super) async fn sweep_old_keys(&self, now_ms: i64) -> Result<(), StoreError> {
        self.change(sql("DELETE FROM webhook_old_key WHERE until_ms <= $1").bind(now_ms)).await.map(drop)
    }
}

async fn create(connection: &mut Connection<'_>, webhook: NewWebhook, most: u32) -> Result<bool, StoreError> {
    accounts::lock(connection, webhook.host).await?;
    let insert = sql("
        INSERT INTO webhook (id, host_id, url, secret, round_released, game_ended, created_at_ms)
        SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM webhook WHERE host_id = $2) < $8");
    let insert = insert.bind(webhook.id).bind(webhook.host).bind(webhook.url).bind(webhook.secret);
    let insert = insert.bind(webhook.round_released).bind(webhook.game_ended);
    Ok(insert.bind(webhook.created_at_ms).bind(most).execute(connection).await? > 0)
}

async fn rotate(
    connection: &mut Connection<'_>,
    host: HostId,
    webhook: Uuid,
    NewKey { secret, overlap_ms }: NewKey,
) -> Result<Rotation, StoreError> {
    accounts::lock(connection, host).await?;
    let is_there = sql("SELECT EXISTS (SELECT 1 FROM webhook WHERE host_id = $1 AND id = $2)").bind(host).bind(webhook);
    if !is_there.value::<bool>(connection).await? {
        return Ok(Rotation::NotFound);
    }
    let now = connection.now_ms().await?;
    let ended = sql("DELETE FROM webhook_old_key WHERE webhook_id = $1 AND until_ms <= $2");
    ended.bind(webhook).bind(now).execute(connection).await?;
    let old =
        sql("SELECT count(*), COALESCE(min(until_ms), 0) FROM webhook_old_key WHERE webhook_id = $1").bind(webhook);
    let (count, until_ms): (i64, i64) = old.optional(connection).await?.unwrap_or_default();
    if count >= i64::from(MOST_OLD_KEYS) {
        return Ok(Rotation::TooMany { until_ms });
    }
    let old_until_ms = now + overlap_ms;
    let keep = sql("
        INSERT INTO webhook_old_key (webhook_id, secret, until_ms) SELECT id, secret, $2 FROM webhook WHERE id = $1");
    keep.bind(webhook).bind(old_until_ms).execute(connection).await?;
    sql("UPDATE webhook SET secret = $2 WHERE id = $1").bind(webhook).bind(secret).execute(connection).await?;
    Ok(Rotation::Replaced { old_until_ms })
}
