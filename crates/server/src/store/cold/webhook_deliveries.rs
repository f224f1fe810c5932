//! The outbox of webhooks. The database adds a delivery within the transaction that appends its event to the log (a
//! trigger of the migration `roles_and_webhooks`). Here it is claimed, and moved to `webhook_past` when it has arrived
//! or is given up.
//!
//! Called by `webhooks`, on every node. A claim expires, so a delivery outlives the node that attempted it.

use futures_util::FutureExt as _;
use futures_util::future::try_join_all;
use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::webhook_past::{self, Answered, Ending};
use crate::clock;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, Statement, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// How long a delivery may wait, in milliseconds: 7 days. Attempts end sooner; this limit is for webhooks to which
/// nothing is sent.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Most attempts under way for one account's webhooks, on all nodes, so that its slow receivers do not take all places.
pub const MOST_OF_ACCOUNT: u32 = 4;

/// Most deliveries claimed or deleted in one transaction: on `SQLite` the commits of all games wait for it.
const PIECE: u32 = 16;

/// Held until the end of a transaction that claims, so that the next claim sees its result: two claims at once would
/// each find that the webhook has no delivery under way. The first number is the key space of `accounts`.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1904175720, 2)";

/// The oldest due delivery of each webhook that has none under way. First come those of the account with the fewest
/// under way, then those of the account served longest ago, so a backlog delays no other account. Read outside the
/// transaction that claims. It passes once over the webhooks with deliveries, and reads no other waiting deliveries.
const NEXT: &str = "
    WITH RECURSIVE waiting (id) AS (
        SELECT (SELECT d.webhook_id FROM webhook_delivery d ORDER BY d.webhook_id LIMIT 1)
        UNION ALL
        SELECT (SELECT d.webhook_id FROM webhook_delivery d WHERE d.webhook_id > waiting.id ORDER BY d.webhook_id LIMIT 1)
        FROM waiting WHERE waiting.id IS NOT NULL
    ), called AS (
        SELECT w.id, w.host_id, w.served_at_ms,
            (SELECT min(d.due_at_ms) FROM webhook_delivery d WHERE d.webhook_id = w.id) AS due_at_ms,
            CASE WHEN EXISTS (
                SELECT 1 FROM webhook_delivery d
                WHERE d.webhook_id = w.id AND d.claimed_until_ms > 0 AND d.claimed_until_ms > $1) THEN 1 ELSE 0 END AS under_way
        FROM waiting JOIN webhook w ON w.id = waiting.id WHERE w.disabled_at_ms IS NULL
    ), turns AS (
        SELECT id, under_way,
            row_number() OVER (PARTITION BY host_id ORDER BY under_way DESC, served_at_ms, due_at_ms, id) AS place,
            max(served_at_ms) OVER (PARTITION BY host_id) AS served_at_ms
        FROM called WHERE under_way = 1 OR due_at_ms <= $1
    )
    SELECT (SELECT d.id FROM webhook_delivery d WHERE d.webhook_id = turns.id ORDER BY d.due_at_ms LIMIT 1)
    FROM turns WHERE under_way = 0 AND place <= $2 ORDER BY place, served_at_ms, id LIMIT $3";

/// Claims a chosen delivery, unless meanwhile its webhook was disabled or has one under way, or its account uses all
/// its places.
const CLAIM: &str = "
    UPDATE webhook_delivery SET claimed_until_ms = $2, attempts = attempts + 1
    WHERE id = $1 AND due_at_ms <= $3 AND (
        SELECT count(*) FROM webhook w JOIN webhook_delivery o ON o.webhook_id = w.id
        WHERE o.claimed_until_ms > 0 AND o.claimed_until_ms > $3
            AND w.host_id = (SELECT host_id FROM webhook v WHERE v.id = webhook_delivery.webhook_id)) < $4
        AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery o
            WHERE o.webhook_id = webhook_delivery.webhook_id AND o.claimed_until_ms > 0 AND o.claimed_until_ms > $3)
        AND EXISTS (SELECT 1 FROM webhook w WHERE w.id = webhook_delivery.webhook_id AND w.disabled_at_ms IS NULL)";

/// A delivery with its webhook.
const CLAIMED: &str = "
    SELECT d.id, d.webhook_id, w.url, w.secret, d.game_id, d.event, d.seq, d.body, d.created_at_ms, d.attempts
    FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE d.id = $1";

/// The event of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookEvent {
    /// The scores of a round were released.
    RoundReleased,
    /// The game has ended.
    GameEnded,
    /// The owner of the webhook tests it; there is no game.
    Test,
}

impl WebhookEvent {
    /// Its name, as it is stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RoundReleased => "round.released",
            Self::GameEnded => "game.ended",
            Self::Test => "webhook.test",
        }
    }
}

/// A claimed delivery. No `Debug`: it holds a key.
#[derive(Clone)]
pub struct Delivery {
    /// Its id, the same at each attempt.
    pub id: Uuid,
    /// The webhook.
    pub webhook: Uuid,
    /// The address to which it is sent.
    pub url: String,
    /// The keys of the signatures: first the key of the webhook, then the replaced ones that still sign.
    pub secrets: Vec<Vec<u8>>,
    /// The game.
    pub game: GameId,
    /// The event.
    pub event: WebhookEvent,
    /// The first event in the log row that contains it.
    pub seq: u64,
    /// The body to send; `None` before the first attempt.
    pub body: Option<String>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// How often it was attempted, including this time.
    pub attempts: u32,
}

/// How a delivery failed, and what follows.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The body that was sent, so that the next attempt sends the same bytes.
    pub body: String,
    /// How the attempt was answered.
    pub answered: Answered,
    /// After how many milliseconds to try again; `None`: it is given up.
    pub retry_in_ms: Option<i64>,
    /// For how many milliseconds a webhook may fail before it is disabled.
    pub disable_after_ms: i64,
}

impl Store {
    /// Claims up to `most` due deliveries, each of another webhook, for `lease_ms` milliseconds. Empty when no delivery
    /// is due that may be attempted now.
    pub async fn claim_deliveries(&self, lease_ms: i64, most: u32) -> Result<Vec<Delivery>, StoreError> {
        let chosen = self.read(move |connection| choose(connection, most.min(PIECE)).boxed()).await?;
        if chosen.is_empty() {
            return Ok(Vec::new());
        }
        let claimed = self.write(move |connection| claim(connection, chosen, lease_ms).boxed()).await?;
        let select = claimed.into_iter().map(|id| async move {
            let Some(stored) = self.row::<StoredDelivery>(sql(CLAIMED).bind(id)).await? else { return Ok(None) };
            let old_keys = self.old_keys(stored.webhook_id, clock::unix_ms()).await?;
            stored.read(old_keys).map(Some)
        });
        Ok(try_join_all(select).await?.into_iter().flatten().collect())
    }

    /// Records that a delivery has arrived, with the body that was sent and the status of the answer; its webhook no
    /// longer counts as failing.
    pub async fn delivered(&self, delivery: &Delivery, body: String, status: u16) -> Result<(), StoreError> {
        let (id, webhook) = (delivery.id, delivery.webhook);
        let ending = Ending { body, answered: Answered::Status(status), has_arrived: true };
        self.write(move |connection| {
            async move {
                end(connection, id, webhook, ending).await?;
                let works = sql("
                    UPDATE webhook SET failing_since_ms = NULL WHERE id = $1 AND failing_since_ms IS NOT NULL");
                works.bind(webhook).execute(connection).await.map(drop)
            }
            .boxed()
        })
        .await
    }

    /// Deletes a delivery without content.
    pub async fn drop_delivery(&self, delivery: Uuid) -> Result<(), StoreError> {
        self.write(move |connection| delete(connection, delivery).boxed()).await
    }

    /// Schedules the next attempt of a failed delivery with the body that was sent, or ends the delivery. Returns
    /// whether its webhook is disabled by that, which no test event does. The waiting deliveries of a disabled webhook
    /// are deleted.
    pub async fn delivery_failed(&self, delivery: &Delivery, failure: Failure) -> Result<bool, StoreError> {
        let (id, webhook, is_test) = (delivery.id, delivery.webhook, delivery.event == WebhookEvent::Test);
        let disable_after_ms = (!is_test).then_some(failure.disable_after_ms);
        let is_disabled = self
            .write(move |connection| {
                async move {
                    note_failure(connection, id, webhook, failure).await?;
                    let Some(disable_after_ms) = disable_after_ms else { return Ok(false) };
                    disable_if_failing(connection, webhook, disable_after_ms).await
                }
                .boxed()
            })
            .await?;
        if is_disabled {
            self.delete_deliveries_of(webhook).await?;
        }
        Ok(is_disabled)
    }

    /// Deletes the waiting deliveries of a webhook.
    pub(super) async fn delete_deliveries_of(&self, webhook: Uuid) -> Result<(), StoreError> {
        self.delete_deliveries(sql("SELECT id FROM webhook_delivery WHERE webhook_id = $1 LIMIT $2").bind(webhook))
            .await
    }

    /// Deletes deliveries that are too old, and those of webhooks that were disabled or deleted.
    pub(super) async fn sweep_deliveries(&self, now_ms: i64) -> Result<(), StoreError> {
        let old = sql("
            SELECT id FROM webhook_delivery WHERE created_at_ms <= $1 AND (again_at_ms IS NULL OR again_at_ms <= $1)
            ORDER BY created_at_ms LIMIT $2");
        self.delete_deliveries(old.bind(now_ms - KEPT_MS)).await?;
        let uncalled = sql("
            SELECT d.id FROM webhook_delivery d LEFT JOIN webhook w ON w.id = d.webhook_id
            WHERE w.id IS NULL OR w.disabled_at_ms IS NOT NULL LIMIT $1");
        self.delete_deliveries(uncalled).await?;
        self.sweep_past(now_ms).await?;
        self.sweep_old_keys(now_ms).await
    }

    /// Deletes the deliveries that a statement selects, in pieces that are chosen outside the transactions that delete.
    /// The last parameter of the statement limits how many it finds.
    async fn delete_deliveries(&self, select: Statement) -> Result<(), StoreError> {
        loop {
            let ids: Vec<(Uuid,)> = self.rows(select.clone().bind(PIECE)).await?;
            if ids.is_empty() {
                return Ok(());
            }
            self.write(move |connection| delete_each(connection, ids).boxed()).await?;
        }
    }
}

/// Deletes the deliveries about a game that is purged.
pub(super) async fn delete_of_game(connection: &mut Connection<'_>, game: GameId) -> Result<(), StoreError> {
    sql("DELETE FROM webhook_past WHERE game_id = $1").bind(game).execute(connection).await?;
    sql("DELETE FROM webhook_delivery WHERE game_id = $1").bind(game).execute(connection).await.map(drop)
}

async fn choose(connection: &mut Connection<'_>, most: u32) -> Result<Vec<Uuid>, StoreError> {
    let now = connection.now_ms().await?;
    let chosen: Vec<(Uuid,)> = sql(NEXT).bind(now).bind(MOST_OF_ACCOUNT).bind(most).all(connection).await?;
    Ok(chosen.into_iter().map(|(id,)| id).collect())
}

async fn claim(connection: &mut Connection<'_>, chosen: Vec<Uuid>, lease_ms: i64) -> Result<Vec<Uuid>, StoreError> {
    connection.lock(sql(LOCK)).await?;
    let now = connection.now_ms().await?;
    let mut claimed = Vec::new();
    for id in chosen {
        let claim = sql(CLAIM).bind(id).bind(now + lease_ms).bind(now).bind(MOST_OF_ACCOUNT);
        if claim.execute(connection).await? > 0 {
            let served = sql("
                UPDATE webhook SET served_at_ms = $2
                WHERE id = (SELECT webhook_id FROM webhook_delivery WHERE webhook_delivery.id = $1)");
            served.bind(id).bind(now).execute(connection).await?;
            claimed.push(id);
        }
    }
    Ok(claimed)
}

async fn note_failure(
    connection: &mut Connection<'_>,
    id: Uuid,
    webhook: Uuid,
    failure: Failure,
) -> Result<(), StoreError> {
    let Some(wait) = failure.retry_in_ms else {
        let ending = Ending { body: failure.body, answered: failure.answered, has_arrived: false };
        return end(connection, id, webhook, ending).await;
    };
    let now = connection.now_ms().await?;
    let retry = sql("
        UPDATE webhook_delivery SET due_at_ms = $2, claimed_until_ms = 0, body = COALESCE(body, $3), answered = $4
        WHERE id = $1");
    let retry = retry.bind(id).bind(now + wait).bind(failure.body).bind(failure.answered.code());
    retry.execute(connection).await.map(drop)
}

/// Records that the webhook fails, and disables it when it has failed for `disable_after_ms`; returns whether this call
/// disabled it.
async fn disable_if_failing(
    connection: &mut Connection<'_>,
    webhook: Uuid,
    disable_after_ms: i64,
) -> Result<bool, StoreError> {
    let now = connection.now_ms().await?;
    let note = sql("UPDATE webhook SET failing_since_ms = COALESCE(failing_since_ms, $2) WHERE id = $1");
    note.bind(webhook).bind(now).execute(connection).await?;
    let disable = sql("
        UPDATE webhook SET disabled_at_ms = $2 WHERE id = $1 AND disabled_at_ms IS NULL AND failing_since_ms <= $3");
    let disable = disable.bind(webhook).bind(now).bind(now - disable_after_ms);
    Ok(disable.execute(connection).await? > 0)
}

async fn delete_each(connection: &mut Connection<'_>, deliveries: Vec<(Uuid,)>) -> Result<(), StoreError> {
    for (delivery,) in deliveries {
        delete(connection, delivery).await?;
    }
    Ok(())
}

/// Moves a delivery to the finished ones.
async fn end(connection: &mut Connection<'_>, delivery: Uuid, webhook: Uuid, ending: Ending) -> Result<(), StoreError> {
    webhook_past::keep(connection, delivery, webhook, ending).await?;
    delete(connection, delivery).await
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
    fn read(self, old_keys: Vec<Vec<u8>>) -> Result<Delivery, StoreError> {
        let events = [WebhookEvent::RoundReleased, WebhookEvent::GameEnded, WebhookEvent::Test];
        let event = events.into_iter().find(|event| event.as_str() == self.event);
        Ok(Delivery {
            id: self.id,
            webhook: self.webhook_id,
            url: self.url,
            secrets: [vec![self.secret], old_keys].concat(),
            game: self.game_id.into(),
            event: event.ok_or(StoreError::Corrupt("the event of a delivery"))?,
            seq: self.seq.cast_unsigned(),
            body: self.body,
            created_at_ms: self.created_at_ms,
            attempts: self.attempts.unsigned_abs(),
        })
    }
}
