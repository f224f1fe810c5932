//! Webhooks of an account: `/api/v1/webhooks`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// An event that a webhook receives.
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
    /// The URL for deliveries: https, on a host that the settings allow; at most 2,048 bytes.
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
    /// The URL for deliveries.
    pub url: String,
    /// The events that it receives.
    pub events: Vec<WebhookEvent>,
    /// When it was created (RFC 3339, UTC).
    pub created_at: String,
    /// The time since which every delivery has failed (RFC 3339, UTC); absent while they succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub failing_since: Option<String>,
    /// Whether deliveries are stopped, because they failed for too long.
    pub disabled: bool,
    /// The number of waiting deliveries.
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
    /// The new webhook.
    pub webhook: Webhook,
    /// The key of its signatures, `whsec_` and base64. It is not shown again.
    pub secret: String,
}

/// The body of `PATCH /api/v1/webhooks/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WebhookChange {
    /// `false`: deliveries start again.
    pub disabled: bool,
}

/// What became of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It waits for its first or its next attempt.
    Waiting,
    /// Its receiver answered with 2xx.
    Delivered,
    /// It was given up.
    GivenUp,
}

/// Why an attempt had no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryTrouble {
    /// The receiver could not be reached, or did not answer in time.
    NoAnswer,
    /// The settings of the service do not allow the address any more.
    AddressRefused,
}

/// A delivery of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct WebhookDelivery {
    /// Its id. `webhook-id` is `msg_` and this without hyphens.
    pub id: Uuid,
    /// Its event: `round.released`, `game.ended` or `webhook.test`.
    pub event: String,
    /// The game; absent for a test event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_id: Option<Uuid>,
    /// When its event was stored (RFC 3339, UTC).
    pub created_at: String,
    /// What became of it.
    pub state: DeliveryState,
    /// How often it was attempted.
    pub attempts: u32,
    /// The status with which the receiver answered the latest attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why the latest attempt had no answer. `status` and this are both absent before the first attempt has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<DeliveryTrouble>,
    /// When it is attempted next while it waits; otherwise when it arrived or was given up (RFC 3339, UTC).
    pub at: String,
}

/// The answer of `GET /api/v1/webhooks/{id}/deliveries`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WebhookDeliveryList {
    /// Up to 50 that wait, the next first; then up to 50 that are over, the latest first.
    pub deliveries: Vec<WebhookDelivery>,
}

/// The answer of `POST /api/v1/webhooks/{id}/test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct TestDelivery {
    /// Of the delivery.
    pub id: Uuid,
}

/// The answer of `POST /api/v1/webhooks/{id}/secret`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewSecret {
    /// The key of the signatures from now on, `whsec_` and base64. It is not shown again.
    pub secret: String,
    /// Until when deliveries are signed with the key before as well (RFC 3339, UTC).
    pub previous_until: String,
}
