//! Finished deliveries of webhooks, kept apart from waiting ones: their list, sending one again, and test events.
//!
//! Called by `webhooks` for the owner of a webhook, and by `webhook_deliveries` within the transaction that ends a
//! delivery. Keeps only the latest of each webhook.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use super::webhook_deliveries::WebhookEvent;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Most finished deliveries kept of one webhook.
pub const MOST_PAST: u32 = 50;

/// Most waiting deliveries listed of one webhook: those due first.
const MOST_WAITING_LISTED: u32 = 50;

/// How long a finished delivery is kept, in milliseconds: 30 days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// How the receiver answered an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// With this status.
    Status(u16),
    /// Without an answer: no connection, or no answer in time.
    Nothing,
    /// No request was sent, because the address may not be called.
    NotAsked,
}

impl Answered {
    pub(super) fn code(self) -> i64 {
        match self {
            Self::Status(status) => i64::from(status),
            Self::Nothing => 0,
            Self::NotAsked => -1,
        }
    }

    fn of(code: i32) -> Self {
        match u16::try_from(code) {
            Err(_) => Self::NotAsked,
            Ok(0) => Self::Nothing,
            Ok(status) => Self::Status(status),
        }
    }
}

/// How a delivery ended.
pub(super) struct Ending {
    /// The body that was sent.
    pub body: String,
    /// How the last attempt was answered.
    pub answered: Answered,
    /// Whether it has arrived; otherwise it was given up.
    pub has_arrived: bool,
}

/// A delivery as the owner of its webhook sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryLine {
    /// Its id.
    pub id: Uuid,
    /// Which game; `None` for a test event.
    pub game: Option<Uuid>,
    /// Its event, as it is stored.
    pub event: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// How often it was attempted.
    pub attempts: u32,
    /// How the latest attempt was answered; `None` when that is not known yet, or an earlier version made the attempt.
    pub answered: Option<Answered>,
    /// Whether it has arrived; `None` while it waits.
    pub has_arrived: Option<bool>,
    /// The time of the next attempt, or of the end; milliseconds since 1970.
    pub at_ms: i64,
}

/// An event that is sent only to see whether it arrives.
pub struct TestEvent {
    /// The id of its delivery.
    pub id: Uuid,
    /// Its body, as it is sent.
    pub body: String,
}

/// The result of a request to send something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sending {
    /// It is sent before the others of its webhook.
    Queued,
    /// The account has no such webhook, or the webhook no such delivery.
    NotFound,
    /// The webhook is disabled.
    Disabled,
    /// A test event already waits.
    Waits,
}

const WAITING: &str = "
    SELECT id, game_id, event, created_at_ms, attempts, answered, CAST(NULL AS BOOLEAN) AS has_arrived, due_at_ms AS at_ms
    FROM webhook_delivery WHERE webhook_id = $1 ORDER BY due_at_ms, id LIMIT $2";

/// A delivery that is sent again is in both tables until it is finished again.
const PAST: &str = "
    SELECT id, game_id, event, created_at_ms, attempts, answered, (has_arrived = 1) AS has_arrived, ended_at_ms AS at_ms
    FROM webhook_past p WHERE webhook_id = $1 AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.id = p.id)
    ORDER BY ended_at_ms DESC, id LIMIT $2";

/// Makes a finished delivery wait again, with the same bytes, as if it were new.
const AGAIN: &str = "
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, body, created_at_ms, due_at_ms, again_at_ms)
    SELECT id, webhook_id, game_id, event, seq, body, created_at_ms, 0, $3
    FROM webhook_past WHERE id = $1 AND webhook_id = $2";

/// The webhook may have been deleted meanwhile.
const KEEP: &str = "
    INSERT INTO webhook_past
        (id, webhook_id, game_id, event, seq, body, created_at_ms, attempts, answered, has_arrived, ended_at_ms)
    SELECT d.id, d.webhook_id, d.game_id, d.event, d.seq, $2, d.created_at_ms, d.attempts, $3, $4, $5
    FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE d.id = $1";

impl Store {
    /// The deliveries of a webhook of the account: the waiting ones, the next first, then the finished ones, the latest
    /// first. `None`: the account has no such webhook.
    pub async fn deliveries_of(&self, host: HostId, webhook: Uuid) -> Result<Option<Vec<DeliveryLine>>, StoreError> {
        self.read(move |connection| list(connection, host, webhook).boxed()).await
    }

    /// Queues a test event for a webhook of the account. Only one waits at a time.
    pub async fn send_test(&self, host: HostId, webhook: Uuid, test: TestEvent) -> Result<Sending, StoreError> {
        self.write(move |connection| send_test(connection, host, webhook, test).boxed()).await
    }

    /// Makes a delivery due now, whether it waits, has arrived or was given up.
    pub async fn send_again(&self, host: HostId, webhook: Uuid, delivery: Uuid) -> Result<Sending, StoreError> {
        self.write(move |connection| send_again(connection, host, webhook, delivery).boxed()).await
    }

    /// Deletes deliveries that were finished long ago.
    pub(super) async fn sweep_past(&self, now_ms: i64) -> Result<(), StoreError> {
        let sweep = sql("
            DELETE FROM webhook_past WHERE id IN (
                SELECT id FROM webhook_past WHERE ended_at_ms <= $1 ORDER BY ended_at_ms LIMIT 16)");
        while self.change(sweep.clone().bind(now_ms - KEPT_MS)).await? > 0 {}
        Ok(())
    }
}

/// Keeps a finished delivery, and deletes the oldest of its webhook. The caller deletes it from the waiting ones.
pub(super) async fn keep(
    connection: &mut Connection<'_>,
    delivery: Uuid,
    webhook: Uuid,
    ending: Ending,
) -> Result<(), StoreError> {
    let now = connection.now_ms().await?;
    sql("DELETE FROM webhook_past WHERE id = $1").bind(delivery).execute(connection).await?;
    let keep = sql(KEEP).bind(delivery).bind(ending.body).bind(ending.answered.code()).bind(ending.has_arrived);
    keep.bind(now).execute(connection).await?;
    let forget = sql("
        DELETE FROM webhook_past WHERE webhook_id = $1 AND id NOT IN (
            SELECT id FROM webhook_past WHERE webhook_id = $1 ORDER BY ended_at_ms DESC, id LIMIT $2)");
    forget.bind(webhook).bind(MOST_PAST).execute(connection).await.map(drop)
}

async fn list(
    connection: &mut Connection<'_>,
    host: HostId,
    webhook: Uuid,
) -> Result<Option<Vec<DeliveryLine>>, StoreError> {
    if is_enabled(connection, host, webhook).await?.is_none() {
        return Ok(None);
    }
    let now = connection.now_ms().await?;
    let waiting: Vec<StoredLine> = sql(WAITING).bind(webhook).bind(MOST_WAITING_LISTED).all(connection).await?;
    let past: Vec<StoredLine> = sql(PAST).bind(webhook).bind(MOST_PAST).all(connection).await?;
    Ok(Some(waiting.into_iter().chain(past).map(|line| line.read(now)).collect()))
}

/// Whether a webhook of the account is enabled; `None`: there is none.
async fn is_enabled(connection: &mut Connection<'_>, host: HostId, webhook: Uuid) -> Result<Option<bool>, StoreError> {
    let select = sql("SELECT (disabled_at_ms IS NULL) FROM webhook WHERE host_id = $1 AND id = $2");
    let enabled: Option<(bool,)> = select.bind(host).bind(webhook).optional(connection).await?;
    Ok(enabled.map(|(is_enabled,)| is_enabled))
}

/// Why nothing can be sent to a webhook of the account; `None` when it can. Other requests of the account wait until
/// the transaction ends.
async fn refusal(connection: &mut Connection<'_>, host: HostId, webhook: Uuid) -> Result<Option<Sending>, StoreError> {
    accounts::lock(connection, host).await?;
    Ok(match is_enabled(connection, host, webhook).await? {
        None => Some(Sending::NotFound),
        Some(false) => Some(Sending::Disabled),
        Some(true) => None,
    })
}

async fn send_test(
    connection: &mut Connection<'_>,
    host: HostId,
    webhook: Uuid,
    TestEvent { id, body }: TestEvent,
) -> Result<Sending, StoreError> {
    if let Some(refusal) = refusal(connection, host, webhook).await? {
        return Ok(refusal);
    }
    let now = connection.now_ms().await?;
    let insert = sql("
        INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, body, created_at_ms, due_at_ms)
        SELECT $1, $2, $3, $4, 0, $5, $6, 0
        WHERE NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = $2 AND event = $4)");
    let insert = insert.bind(id).bind(webhook).bind(Uuid::nil()).bind(WebhookEvent::Test.as_str());
    let is_queued = insert.bind(body).bind(now).execute(connection).await? > 0;
    Ok(if is_queued { Sending::Queued } else { Sending::Waits })
}

async fn send_again(
    connection: &mut Connection<'_>,
    host: HostId,
    webhook: Uuid,
    delivery: Uuid,
) -> Result<Sending, StoreError> {
    if let Some(refusal) = refusal(connection, host, webhook).await? {
        return Ok(refusal);
    }
    let now = connection.now_ms().await?;
    let waits = sql("UPDATE webhook_delivery SET due_at_ms = 0, again_at_ms = $3 WHERE id = $1 AND webhook_id = $2");
    if waits.bind(delivery).bind(webhook).bind(now).execute(connection).await? > 0 {
        return Ok(Sending::Queued);
    }
    let is_queued = sql(AGAIN).bind(delivery).bind(webhook).bind(now).execute(connection).await? > 0;
    Ok(if is_queued { Sending::Queued } else { Sending::NotFound })
}

struct StoredLine {
    id: Uuid,
    game_id: Uuid,
    event: String,
    created_at_ms: i64,
    attempts: i32,
    answered: Option<i32>,
    has_arrived: Option<bool>,
    at_ms: i64,
}
from_row!(PgRow, SqliteRow => StoredLine {
    id, game_id, event, created_at_ms, attempts, answered, has_arrived, at_ms
});

impl StoredLine {
    fn read(self, now_ms: i64) -> DeliveryLine {
        DeliveryLine {
            id: self.id,
            game: Some(self.game_id).filter(|game| !game.is_nil()),
            event: self.event,
            created_at_ms: self.created_at_ms,
            attempts: self.attempts.unsigned_abs(),
            answered: self.answered.map(Answered::of),
            has_arrived: self.has_arrived,
            // A due delivery is attempted now.
            at_ms: if self.has_arrived.is_none() { self.at_ms.max(now_ms) } else { self.at_ms },
        }
    }
}
