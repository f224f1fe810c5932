//! `/api/v1/webhooks`: the webhooks of an account. `docs/build/webhooks.md` describes what is sent to them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::webhooks::{
    CreatedWebhook, NewWebhook, Webhook, WebhookChange, WebhookEvent, WebhookList,
};

use crate::app::App;
use crate::clock;
use crate::http::body::JsonBody;
use crate::http::path::Id;
use crate::http::problem::Refused;
use crate::http::refusals::{HasToken, TakesJson};
use crate::http::session::Host;
use crate::store::WebhookLine;
use crate::webhooks::{Wanted, shown_secret};

/// List the webhooks of the account
#[utoipa::path(
    get, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "listWebhooks", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The webhooks", body = WebhookList),
        (status = 400, description = "Two different tokens"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_webhooks(
    State(app): State<Arc<App>>,
    Host(session): Host,
) -> Result<Json<WebhookList>, Refused> {
    let webhooks = app.store.webhooks_of(session.host).await?;
    Ok(Json(WebhookList { webhooks: webhooks.into_iter().map(body).collect() }))
}

/// Create a webhook
///
/// Its address is called by POST when one of its events happens in a game of the account. The answer has the key of the signatures,
/// which is not shown again. The operator decides which hosts may be called; an account has at most 10 webhooks.
#[utoipa::path(
    post, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "createWebhook", security(("hostToken" = [])),
    request_body = NewWebhook,
    responses(
        (status = 201, description = "The webhook and its key", body = CreatedWebhook),
        (status = 409, description = "The account has too many webhooks"),
        (status = 422, description = "The address may not be called, or there is no event"),
        TakesJson,
        HasToken,
    )
)]
pub(in crate::http) async fn create_webhook(
    State(app): State<Arc<App>>,
    Host(session): Host,
    JsonBody(new): JsonBody<NewWebhook>,
) -> Result<(StatusCode, Json<CreatedWebhook>), Refused> {
    if new.events.is_empty() {
        return Err(Refused::invalid("events", "Name at least one event."));
    }
    let wanted = Wanted {
        host: session.host,
        url: new.url,
        round_released: new.events.contains(&WebhookEvent::RoundReleased),
        game_ended: new.events.contains(&WebhookEvent::GameEnded),
    };
    let (line, secret) = app.webhooks.create(wanted).await?;
    Ok((StatusCode::CREATED, Json(CreatedWebhook { webhook: body(line), secret: shown_secret(&secret) })))
}

/// Enable a webhook that was disabled
///
/// Events that happened meanwhile are not sent.
#[utoipa::path(
    patch, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "enableWebhook",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The webhook")),
    request_body = WebhookChange,
    responses(
        (status = 204, description = "Deliveries are sent again"),
        (status = 404, description = "No webhook of this account"),
        (status = 422, description = "It can only be enabled"),
        TakesJson,
        HasToken,
    )
)]
pub(in crate::http) async fn enable_webhook(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    JsonBody(change): JsonBody<WebhookChange>,
) -> Result<StatusCode, Refused> {
    if change.disabled {
        return Err(Refused::invalid("disabled", "A webhook can be enabled or deleted."));
    }
    let is_there = app.store.enable_webhook(session.host, id).await?;
    is_there.then_some(StatusCode::NO_CONTENT).ok_or_else(Refused::not_found)
}

/// Delete a webhook
///
/// Deliveries that wait for it are deleted as well.
#[utoipa::path(
    delete, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "deleteWebhook",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The webhook")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "Two different tokens"),
        (status = 404, description = "No webhook of this account"),
        HasToken,
    )
)]
pub(in crate::http) async fn delete_webhook(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    let was_there = app.store.delete_webhook(session.host, id).await?;
    was_there.then_some(StatusCode::NO_CONTENT).ok_or_else(Refused::not_found)
}

fn body(line: WebhookLine) -> Webhook {
    let events = [(WebhookEvent::RoundReleased, line.round_released), (WebhookEvent::GameEnded, line.game_ended)];
    Webhook {
        id: line.id,
        url: line.url,
        events: events.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(event, _)| event).collect(),
        created_at: clock::rfc3339(line.created_at_ms),
        failing_since: line.failing_since_ms.map(clock::rfc3339),
        disabled: line.disabled_at_ms.is_some(),
        waiting: u32::try_from(line.waiting).unwrap_or(u32::MAX),
    }
}
