//! Webhooks of accounts: an address, the key of its signatures, and which events it wants.
//!
//! Called by `webhooks`. What is sent is in `webhook_deliveries`. Never gives the key out but to who signs.

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
    /// Whether it wants `round.released`.
    pub round_released: bool,
    /// Whether it wants `game.ended`.
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
    /// Whether it wants `round.released`.
    pub round_released: bool,
    /// Whether it wants `game.ended`.
    pub game_ended: bool,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Since when every delivery has failed, milliseconds since 1970.
    pub failing_since_ms: Option<i64>,
    /// When it was disabled, milliseconds since 1970: nothing is sent to it any more.
    pub disabled_at_ms: Option<i64>,
    /// Deliveries that wait.
    pub waiting: i64,
}
from_row!(PgRow, SqliteRow => WebhookLine {
    id, url, round_released, game_ended, created_at_ms, failing_since_ms, disabled_at_ms, waiting
});

impl Store {
    /// Creates a webhook, unless the account has `most` already; whether it was created.
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

    /// Deletes a webhook of the account with what waits for it; whether there was one.
    pub async fn delete_webhook(&self, host: HostId, webhook: Uuid) -> Result<bool, StoreError> {
        let delete = sql("DELETE FROM webhook WHERE host_id = $1 AND id = $2").bind(host).bind(webhook);
        if self.change(delete).await? == 0 {
            return Ok(false);
        }
        self.delete_deliveries_of(webhook).await?;
        Ok(true)
    }

    /// Enables a webhook of the account again after it was disabled; whether there is one.
    pub async fn enable_webhook(&self, host: HostId, webhook: Uuid) -> Result<bool, StoreError> {
        let enable = sql("
            UPDATE webhook SET disabled_at_ms = NULL, failing_since_ms = NULL WHERE host_id = $1 AND id = $2");
        Ok(self.change(enable.bind(host).bind(webhook)).await? > 0)
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
