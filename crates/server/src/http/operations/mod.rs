//! Health and metrics. `health` and `telemetry` make their content; this file adds the status.

pub(super) mod nodes;
pub(super) mod problem_types;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::health::Health;
use secrecy::ExposeSecret as _;

use super::problem::Refused;
use crate::app::App;
use crate::auth::Carrier;

/// The text format's media type.
const METRICS_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Can the service do its work?
///
/// Checks the database and the cache store; the result is at most a second old. Do not use it for a liveness probe that
/// restarts: one short failure of the database would restart every node. Use `/livez` for that.
#[utoipa::path(
    get, path = "/healthz", tag = "operation", operation_id = "healthz",
    responses(
        (status = 200, description = "Healthy", body = Health),
        (status = 503, description = "The database or the cache store does not answer", body = Health),
    )
)]
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Response {
    health(app.health.healthz())
}

/// Shall new traffic come here?
///
/// As `/healthz`, and 503 while the service is stopping or an operator drains this node. With the setting `READY_WITHOUT_CACHE`, a cache store that does not answer
/// is named in `degraded`, and the service is ready.
#[utoipa::path(
    get, path = "/readyz", tag = "operation", operation_id = "readyz",
    responses(
        (status = 200, description = "Ready", body = Health),
        (status = 503, description = "Not healthy, stopping, or drained", body = Health),
    )
)]
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Response {
    health(app.health.readyz(app.cluster.is_drained()))
}

/// Does the process run?
#[utoipa::path(
    get, path = "/livez", tag = "operation", operation_id = "livez",
    responses((status = 200, description = "It does", body = Health))
)]
pub(super) async fn livez() -> Json<Health> {
    Json(Health { status: "ok".to_owned(), reason: None, checks: None, degraded: Vec::new() })
}

/// Metrics
///
/// In Prometheus' text format. With `METRICS_TOKEN` set, a bearer token is needed.
#[utoipa::path(
    get, path = "/metrics", tag = "operation", operation_id = "metrics",
    security((), ("metricsToken" = [])),
    responses(
        (status = 200, description = "The metrics", body = String, content_type = "text/plain"),
        (status = 401, description = "The token of the settings is needed"),
    )
)]
pub(super) async fn metrics(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Refused> {
    if let Some(token) = &app.config.telemetry.metrics_token
        && !Carrier::read(&headers, None).is(token.expose_secret())
    {
        return Err(Refused::unauthorized());
    }
    Ok(([(CONTENT_TYPE, METRICS_TEXT)], app.metrics_text().await).into_response())
}

fn health(checked: (u16, Health)) -> Response {
    let (status, body) = checked;
    (StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE), Json(body)).into_response()
}
