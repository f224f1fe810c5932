//! `/api/v1/webhooks/{id}/…`: test events, the list of deliveries, sending one again, and another key.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::webhooks::{
    DeliveryState, DeliveryTrouble, NewSecret, TestDelivery, WebhookDelivery, WebhookDeliveryList,
};

use crate::app::App;
use crate::clock;
use crate::http::path::{Id, Ids};
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::HasToken;
use crate::http::session::Host;
use crate::store::{Answered, DeliveryLine, MOST_OLD_KEYS, Rotation, Sending};
use crate::webhooks::{SENDS_PER_MINUTE, SendError, shown_secret};

/// List the deliveries of a webhook
///
/// First the waiting deliveries, the next one first; then those that have arrived or were given up, the latest first.
/// At most 50 of each, and the latter for at most 30 days.
#[utoipa::path(
    get, path = "/api/v1/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "listWebhookDeliveries",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The webhook")),
    responses(
        (status = 200, description = "The deliveries", body = WebhookDeliveryList),
        (status = 400, description = "Two different tokens"),
        (status = 403, description = "A token for programs may not do this"),
        (status = 404, description = "No webhook of this account"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_deliveries(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<WebhookDeliveryList>, Refused> {
    let lines = app.store.deliveries_of(session.host, id).await?.ok_or_else(Refused::not_found)?;
    Ok(Json(WebhookDeliveryList { deliveries: lines.into_iter().map(body).collect() }))
}

/// Send a test event
///
/// The event is `webhook.test`, signed like every delivery. It is sent before the deliveries that wait, is attempted once, and never
/// disables the webhook. One test event of a webhook waits at a time. An account has at most 20 test events and deliveries sent
/// again in a minute.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/test", tag = "webhooks", operation_id = "testWebhook",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The webhook")),
    responses(
        (status = 202, description = "It will be sent", body = TestDelivery),
        (status = 400, description = "Two different tokens"),
        (status = 403, description = "A token for programs may not do this"),
        (status = 404, description = "No webhook of this account"),
        (status = 409, description = "The webhook is disabled, or a test event waits"),
        (status = 429, description = "Too many were sent; Retry-After says when to try again"),
        HasToken,
    )
)]
pub(in crate::http) async fn test_webhook(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<(StatusCode, Json<TestDelivery>), Refused> {
    let (delivery, sending) = app.webhooks.send_test(session.host, id).await?;
    queued(sending)?;
    Ok((StatusCode::ACCEPTED, Json(TestDelivery { id: delivery })))
}

/// Send a delivery again
///
/// Whether it waits, has arrived or was given up, it is attempted now, with the same id and the same bytes. A delivery
/// that was finished gets as many attempts as a new one. An account has at most 20 test events and deliveries sent
/// again in a minute.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/deliveries/{deliveryId}/redelivery", tag = "webhooks",
    operation_id = "redeliverWebhook", security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The webhook"),
        ("deliveryId" = Uuid, Path, description = "The delivery"),
    ),
    responses(
        (status = 202, description = "It will be sent"),
        (status = 400, description = "Two different tokens"),
        (status = 403, description = "A token for programs may not do this"),
        (status = 404, description = "No webhook of this account, or no such delivery of it"),
        (status = 409, description = "The webhook is disabled"),
        (status = 429, description = "Too many were sent; Retry-After says when to try again"),
        HasToken,
    )
)]
pub(in crate::http) async fn redeliver(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Ids(id, delivery): Ids,
) -> Result<StatusCode, Refused> {
    queued(app.webhooks.send_again(session.host, id, delivery).await?)?;
    Ok(StatusCode::ACCEPTED)
}

/// Give a webhook another key
///
/// Deliveries are signed with the new key from now on, and for 24 hours with the previous one as well:
/// `webhook-signature` has both signatures. At most 4 replaced keys sign at a time.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/secret", tag = "webhooks", operation_id = "rotateWebhookSecret",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The webhook")),
    responses(
        (status = 200, description = "The new key", body = NewSecret),
        (status = 400, description = "Two different tokens"),
        (status = 403, description = "A token for programs may not do this"),
        (status = 404, description = "No webhook of this account"),
        (status = 429, description = "4 keys that were replaced still sign; Retry-After says when the first of them ends"),
        HasToken,
    )
)]
pub(in crate::http) async fn rotate_secret(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<NewSecret>, Refused> {
    match app.webhooks.rotate_secret(session.host, id).await? {
        (_, Rotation::NotFound) => Err(Refused::not_found()),
        (_, Rotation::TooMany { until_ms }) => Err(too_many_keys(until_ms)),
        (secret, Rotation::Replaced { old_until_ms }) => {
            let previous_until = clock::rfc3339(old_until_ms);
            Ok(Json(NewSecret { secret: shown_secret(&secret), previous_until }))
        }
    }
}

fn too_many_keys(until_ms: i64) -> Refused {
    let wait = Duration::from_millis(u64::try_from(until_ms - clock::unix_ms()).unwrap_or(0));
    let detail = format!("At most {MOST_OLD_KEYS} keys that were replaced sign at a time, each for 24 hours.");
    Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("webhook-keys")
}

fn queued(sending: Sending) -> Result<(), Refused> {
    match sending {
        Sending::Queued => Ok(()),
        Sending::NotFound => Err(Refused::not_found()),
        Sending::Disabled => Err(Refused::new(Kind::WEBHOOK_DISABLED, "The webhook is disabled. Enable it first.")),
        Sending::Waits => {
            Err(Refused::new(Kind::TEST_WAITS, "A test event of this webhook is already waiting to be sent."))
        }
    }
}

impl From<SendError> for Refused {
    fn from(error: SendError) -> Self {
        match error {
            SendError::TooOften(wait) => {
                let detail = format!("An account can send at most {SENDS_PER_MINUTE} in a minute. Wait a little.");
                Self::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("webhook-sends")
            }
            SendError::Store(error) => error.into(),
        }
    }
}

fn body(line: DeliveryLine) -> WebhookDelivery {
    let (status, trouble) = match line.answered {
        None => (None, None),
        Some(Answered::Status(status)) => (Some(status), None),
        Some(Answered::Nothing) => (None, Some(DeliveryTrouble::NoAnswer)),
        Some(Answered::NotAsked) => (None, Some(DeliveryTrouble::AddressRefused)),
    };
    WebhookDelivery {
        id: line.id,
        event: line.event,
        game_id: line.game,
        created_at: clock::rfc3339(line.created_at_ms),
        state: match line.has_arrived {
            None => DeliveryState::Waiting,
            Some(false) => DeliveryState::GivenUp,
            Some(true) => DeliveryState::Delivered,
        },
        attempts: line.attempts,
        status,
        trouble,
        at: clock::rfc3339(line.at_ms),
    }
}
