//! The outbox of webhooks. The database adds a delivery within the transaction that appends its event to the log (a trigger of the
//! migration `roles_and_webhooks`); here it is claimed, and deleted when it has arrived or is given up.
//!
//! Called by `webhooks`, on every node. A claim ends by itself, so a delivery outlives the node that attempted it.

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// How long a delivery may wait, in milliseconds: 7 days. Attempts end sooner; this is for webhooks that nothing is sent to.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// The oldest delivery that is due and not claimed, of a webhook that has none under way.
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "
    SELECT d.id FROM webhook_delivery d
    WHERE d.due_at_ms <= $1 AND d.claimed_until_ms <= $1
        AND EXISTS (SELECT 1 FROM webhook w WHERE w.id = d.webhook_id AND w.disabled_at_ms IS NULL)
        AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery o WHERE o.webhook_id = d.webhook_id AND o.claimed_until_ms > $1)
    ORDER BY d.due_at_ms, d.id LIMIT 1 ",
            $lock
        )
    };
}

/// What a delivery is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookEvent {
    /// The scores of a round were released.
    RoundReleased,
    /// The game has ended.
    GameEnded,
}

impl WebhookEvent {
    /// Its name, as it is stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RoundReleased => "round.released",
            Self::GameEnded => "game.ended",
        }
    }
}

/// A claimed delivery. No `Debug`: it holds a key.
#[derive(Clone)]
pub struct Delivery {
    /// Its id, the same at each attempt.
    pub id: Uuid,
    /// Which webhook.
    pub webhook: Uuid,
    /// Where it goes.
    pub url: String,
    /// The key of the signature.
    pub secret: Vec<u8>,
    /// Which game.
    pub game: GameId,
    /// What has happened.
    pub event: WebhookEvent,
    /// The first event of the row of the log that holds it.
    pub seq: u64,
    /// What is sent; `None` before the first attempt.
    pub body: Option<String>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// How often it was attempted, this time included.
    pub attempts: u32,
}

/// What to do about a delivery that did not arrive.
#[derive(Debug, Clone, Copy)]
pub struct Failure {
    /// In how many milliseconds to try again; `None`: it is given up.
    pub retry_in_ms: Option<i64>,
    /// For how many milliseconds a webhook may fail before it is disabled.
    pub disable_after_ms: i64,
}

impl Store {
    /// Claims a delivery that is due, for `lease_ms` milliseconds.
    pub async fn claim_delivery(&self, lease_ms: i64) -> Result<Option<Delivery>, StoreError> {
        // A look that only reads comes first: nothing is due nearly always.
        let due =
            sql("SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE due_at_ms <= $1 AND claimed_until_ms <= $1)");
        let is_due = self.read(move |connection| {
            let due = due.clone();
            async move {
                let now = connection.now_ms().await?;
                due.bind(now).value::<bool>(connection).await
            }
            .boxed()
        });
        if !is_due.await? {
            return Ok(None);
        }
        let claimed = self.write(move |connection| claim(connection, lease_ms).boxed()).await?;
        claimed.map(StoredDelivery::read).transpose()
    }

    /// Keeps what is sent, so that each attempt sends the same bytes.
    pub async fn keep_body(&self, delivery: Uuid, body: String) -> Result<(), StoreError> {
        let keep = sql("UPDATE webhook_delivery SET body = $2 WHERE id = $1").bind(delivery).bind(body);
        self.change(keep).await.map(drop)
    }

    /// Deletes a delivery that arrived; its webhook does not fail any more.
    pub async fn delivered(&self, delivery: Uuid, webhook: Uuid) -> Result<(), StoreError> {
        self.write(move |connection| {
            async move {
                delete(connection, delivery).await?;
                let works = sql("
                    UPDATE webhook SET failing_since_ms = NULL WHERE id = $1 AND failing_since_ms IS NOT NULL");
                works.bind(webhook).execute(connection).await.map(drop)
            }
            .boxed()
        })
        .await
    }

    /// Deletes a delivery that has nothing to say.
    pub async fn drop_delivery(&self, delivery: Uuid) -> Result<(), StoreError> {
        self.write(move |connection| delete(connection, delivery).boxed()).await
    }

    /// Lets a delivery that did not arrive wait for its next attempt, or deletes it; whether its webhook is disabled by that.
    pub async fn delivery_failed(&self, delivery: &Delivery, failure: Failure) -> Result<bool, StoreError> {
        let (delivery, webhook) = (delivery.id, delivery.webhook);
        self.write(move |connection| failed(connection, (delivery, webhook), failure).boxed()).await
    }
}

/// Deletes what waits about a game that is purged.
pub(super) async fn delete_of_game(connection: &mut Connection<'_>, game: GameId) -> Result<(), StoreError> {
    sql("DELETE FROM webhook_delivery WHERE game_id = $1").bind(game).execute(connection).await.map(drop)
}

/// Deletes what is too old, and what is for webhooks that were deleted with their account.
pub(super) async fn sweep(connection: &mut Connection<'_>, now_ms: i64) -> Result<(), StoreError> {
    let sweep = sql("
        DELETE FROM webhook_delivery WHERE created_at_ms <= $1
            OR NOT EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id)");
    sweep.bind(now_ms - KEPT_MS).execute(connection).await.map(drop)
}

async fn claim(connection: &mut Connection<'_>, lease_ms: i64) -> Result<Option<StoredDelivery>, StoreError> {
    let now = connection.now_ms().await?;
    let next = match connection {
        Connection::Sqlite(_) => next!(""),
        Connection::Postgres(_) => next!("FOR UPDATE SKIP LOCKED"),
    };
    let Some((id,)) = sql(next).bind(now).optional::<(Uuid,)>(connection).await? else { return Ok(None) };
    let claim = sql("UPDATE webhook_delivery SET claimed_until_ms = $2, attempts = attempts + 1 WHERE id = $1");
    claim.bind(id).bind(now + lease_ms).execute(connection).await?;
    let select = sql("
        SELECT d.id, d.webhook_id, w.url, w.secret, d.game_id, d.event, d.seq, d.body, d.created_at_ms, d.attempts
        FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE d.id = $1");
    select.bind(id).optional(connection).await
}

async fn failed(
    connection: &mut Connection<'_>,
    (id, webhook): (Uuid, Uuid),
    failure: Failure,
) -> Result<bool, StoreError> {
    let now = connection.now_ms().await?;
    match failure.retry_in_ms {
        Some(wait) => {
            let retry = sql("UPDATE webhook_delivery SET due_at_ms = $2, claimed_until_ms = 0 WHERE id = $1");
            retry.bind(id).bind(now + wait).execute(connection).await?;
        }
        None => delete(connection, id).await?,
    }
    let note = sql("UPDATE webhook SET failing_since_ms = COALESCE(failing_since_ms, $2) WHERE id = $1");
    note.bind(webhook).bind(now).execute(connection).await?;
    let disable = sql("
        UPDATE webhook SET disabled_at_ms = $2 WHERE id = $1 AND disabled_at_ms IS NULL AND failing_since_ms <= $3");
    let disable = disable.bind(webhook).bind(now).bind(now - failure.disable_after_ms);
    if disable.execute(connection).await? == 0 {
        return Ok(false);
    }
    sql("DELETE FROM webhook_delivery WHERE webhook_id = $1").bind(webhook).execute(connection).await?;
    Ok(true)
}

async fn delete(connection: &mut Connection<'_>, delivery: Uuid) -> Result<(), StoreError> {
    sql("DELETE FROM webhook_delivery WHERE id = $1").bind(delivery).execute(connection).await.map(drop)
}

struct StoredDelivery {
    id: Uuid,
    webhook_id: Uuid,
    url: String,
    secret: Vec<u8>,
    game_id: Uuid,
    event: String,
    seq: i64,
    body: Option<String>,
    created_at_ms: i64,
    attempts: i32,
}
from_row!(PgRow, SqliteRow => StoredDelivery {
    id, webhook_id, url, secret, game_id, event, seq, body, created_at_ms, attempts
});

impl StoredDelivery {
    fn read(self) -> Result<Delivery, StoreError> {
        let events = [WebhookEvent::RoundReleased, WebhookEvent::GameEnded];
        let event = events.into_iter().find(|event| event.as_str() == self.event);
        Ok(Delivery {
            id: self.id,
            webhook: self.webhook_id,
            url: self.url,
            secret: self.secret,
            game: self.game_id.into(),
            event: event.ok_or(StoreError::Corrupt("the event of a delivery"))?,
            seq: self.seq.cast_unsigned(),
            body: self.body,
            created_at_ms: self.created_at_ms,
            attempts: self.attempts.unsigned_abs(),
        })
    }
}
