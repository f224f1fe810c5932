//! Webhooks of an account: `/api/v1/webhooks`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// What a webhook is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub enum WebhookEvent {
    /// The scores of a round were released.
    #[serde(rename = "round.released")]
    RoundReleased,
    /// A game has ended.
    #[serde(rename = "game.ended")]
    GameEnded,
}

/// The body of `POST /api/v1/webhooks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct NewWebhook {
    /// Where deliveries go: https, at a host that the settings allow; at most 2,048 bytes.
    pub url: String,
    /// At least one.
    pub events: Vec<WebhookEvent>,
}

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub id: Uuid,
    /// Where deliveries go.
    pub url: String,
    /// What it is called for.
    pub events: Vec<WebhookEvent>,
    /// When it was created (RFC 3339, UTC).
    pub created_at: String,
    /// Since when every delivery has failed (RFC 3339, UTC); absent while they arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub failing_since: Option<String>,
    /// Whether nothing is sent any more, because deliveries failed for too long.
    pub disabled: bool,
    /// Deliveries that wait.
    pub waiting: u32,
}

/// The answer of `GET /api/v1/webhooks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WebhookList {
    /// The oldest first.
    pub webhooks: Vec<Webhook>,
}

/// The answer of `POST /api/v1/webhooks`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedWebhook {
    /// It.
    pub webhook: Webhook,
    /// The key of its signatures, `whsec_` and base64. It is not shown again.
    pub secret: String,
}

/// The body of `PATCH /api/v1/webhooks/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WebhookChange {
    /// `false`: it is called again.
    pub disabled: bool,
}
