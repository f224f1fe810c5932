//! Sending: claims due deliveries, signs them, and records the result of each attempt.
//!
//! Started by `serve`, on every node. A bounded number of attempts run at once, a few of them for one account and one
//! for each webhook, and the account served longest ago is next, so slow receivers delay only their own account. A
//! delivery is finished when its receiver has answered with 2xx, or after the last attempt.

use std::error::Error;
use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use super::{TIME_LIMIT, Webhooks, address, payload, signature};
use crate::clock;
use crate::store::{Answered, Delivery, Failure, StoreError, WebhookEvent};
use crate::telemetry::{Recurring, metrics};

/// How often the outbox is read.
const EVERY: Duration = Duration::from_secs(1);

static NOT_READ: Recurring = Recurring::new();
static NOT_NOTED: Recurring = Recurring::new();

/// Attempts at once on this node. An attempt that waits for its receiver costs little.
const AT_ONCE: u32 = 64;

/// Logs of games that are read at once for bodies, on this node.
pub(super) const READING_AT_ONCE: usize = 4;

/// How long a claim lasts, in milliseconds: enough for reading the log of a large game and one attempt.
const LEASE_MS: i64 = 30_000;
const _: () = assert!(2 * TIME_LIMIT.as_millis() <= LEASE_MS.unsigned_abs() as u128);

/// Seconds between one attempt and the next, about two days in all; after the last attempt the delivery is given up.
const WAITS: [u32; 9] = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400];

/// The random part of a wait, so that deliveries that failed together are not sent together.
const JITTER: f64 = 0.2;

/// Why an attempt failed, as the word of the metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The settings do not allow the address.
    Refused,
    /// No answer, or one with this status, which is not 2xx.
    Failed(Option<u16>),
}

impl Webhooks {
    /// Sends due deliveries repeatedly until the task is dropped; returns at once when webhooks are off.
    pub async fn run(self) {
        if !self.are_on() {
            return;
        }
        let places = Arc::new(Semaphore::new(AT_ONCE as usize));
        loop {
            sleep(EVERY).await;
            while self.fill(&places).await {}
        }
    }

    /// Begins attempts in free places; returns whether any were begun, because then more may be due.
    async fn fill(&self, places: &Arc<Semaphore>) -> bool {
        let free = u32::try_from(places.available_permits()).unwrap_or(AT_ONCE);
        if free == 0 {
            return false;
        }
        let claimed = match self.store.claim_deliveries(LEASE_MS, free).await {
            Ok(claimed) => claimed,
            Err(error) => {
                if let Some(unsaid) = NOT_READ.due() {
                    tracing::warn!(%error, unsaid, "webhooks cannot be read");
                }
                return false;
            }
        };
        let some_were_due = !claimed.is_empty();
        for delivery in claimed {
            // Only this task takes places, so there is one for each delivery.
            let Ok(place) = Arc::clone(places).try_acquire_owned() else { break };
            let webhooks = self.clone();
            tokio::spawn(async move {
                // The claim expires, and the delivery is attempted again.
                if let Err(error) = webhooks.attempt(delivery).await
                    && let Some(unsaid) = NOT_NOTED.due()
                {
                    tracing::warn!(%error, unsaid, "a delivery to a webhook could not be prepared or noted");
                }
                drop(place);
            });
        }
        some_were_due
    }

    async fn attempt(&self, delivery: Delivery) -> Result<(), StoreError> {
        let body = match self.body(&delivery).await {
            Err(error) if error.is_damage() => {
                tracing::warn!(%error, game = %delivery.game, "a delivery is dropped, because the log of its game is damaged");
                None
            }
            read => read?,
        };
        let Some(body) = body else {
            metrics::webhook_delivery("dropped");
            return self.store.drop_delivery(delivery.id).await;
        };
        match self.send(&delivery, body.clone()).await {
            Ok(status) => {
                metrics::webhook_delivery("delivered");
                self.store.delivered(&delivery, body, status).await
            }
            Err(cause) => self.failed(&delivery, body, cause).await,
        }
    }

    /// The body to send, with the same bytes at each attempt.
    async fn body(&self, delivery: &Delivery) -> Result<Option<String>, StoreError> {
        if let Some(body) = &delivery.body {
            return Ok(Some(body.clone()));
        }
        let _place = self.reading.acquire().await;
        payload::body_of(&self.store, delivery).await
    }

    /// The status of an answer with 2xx.
    async fn send(&self, delivery: &Delivery, body: String) -> Result<u16, Cause> {
        // The settings may have changed since the webhook was created.
        let url = address::checked(&delivery.url, &self.settings).map_err(|_| Cause::Refused)?;
        let (id, seconds) = (signature::id_of(delivery.id), clock::unix_ms() / 1_000);
        let signature = signature::signatures(&delivery.secrets, &id, seconds, &body);
        let request = self.client.post(url).header(CONTENT_TYPE, "application/json").header("webhook-id", id);
        let request = request.header("webhook-timestamp", seconds).header("webhook-signature", signature);
        let answer = request.body(body).send().await.map_err(|error| cause_of(&error))?;
        let status = answer.status();
        if status.is_success() { Ok(status.as_u16()) } else { Err(Cause::Failed(Some(status.as_u16()))) }
    }

    async fn failed(&self, delivery: &Delivery, body: String, cause: Cause) -> Result<(), StoreError> {
        // The sender of a test event wants the result now.
        let waits = if delivery.event == WebhookEvent::Test { &[][..] } else { &WAITS[..] };
        let wait = (delivery.attempts as usize).checked_sub(1).and_then(|attempt| waits.get(attempt));
        let retry_in_ms = wait.map(|seconds| jittered(*seconds));
        let (outcome, answered) = match cause {
            Cause::Refused => ("refused", Answered::NotAsked),
            Cause::Failed(status) => ("failed", status.map_or(Answered::Nothing, Answered::Status)),
        };
        metrics::webhook_delivery(outcome);
        if retry_in_ms.is_none() {
            metrics::webhook_delivery("given_up");
        }
        let disable_after_ms = i64::try_from(self.settings.disable_after.as_millis()).unwrap_or(i64::MAX);
        if self.store.delivery_failed(delivery, Failure { body, answered, retry_in_ms, disable_after_ms }).await? {
            metrics::webhook_disabled();
            tracing::warn!(webhook = %delivery.webhook, "a webhook is disabled, because every delivery to it has failed");
        }
        Ok(())
    }
}

fn cause_of(error: &reqwest::Error) -> Cause {
    let mut causes = successors(error.source(), |error| Error::source(*error));
    if causes.any(<dyn Error>::is::<address::Refused>) { Cause::Refused } else { Cause::Failed(None) }
}

/// This number of seconds plus up to a fifth, in milliseconds.
fn jittered(seconds: u32) -> i64 {
    let seconds = f64::from(seconds) * (1.0 + JITTER * rand::random::<f64>());
    i64::try_from(Duration::from_secs_f64(seconds).as_millis()).unwrap_or(i64::MAX)
}
