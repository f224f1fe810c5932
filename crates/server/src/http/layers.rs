//! What every answer has in common: security headers, errors as problems, a time limit, and a handler for panics.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, RETRY_AFTER,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Response};
use tower_http::catch_panic::CatchPanicLayer;

use super::problem::{PROBLEM_JSON, Refused};
use crate::app::App;

/// Set unless the handler has set them. An answer of the API runs no scripts and is shown in no frame.
const HEADERS: [(HeaderName, &str); 5] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// Puts the layers around the routes; the last layer is the outermost.
pub fn around(routes: Router, app: &Arc<App>) -> Router {
    routes
        .layer(from_fn_with_state(Arc::clone(app), in_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(as_problem))
        .layer(map_response(secured))
}

async fn in_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.config.listen.request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refused::of_status(StatusCode::SERVICE_UNAVAILABLE).into_response(),
    }
}

/// Answers 500 for a bug in a handler, and nothing else stops (promise 27). The panic hook has logged the place; the
/// panic's message may hold input and is not repeated.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
}

/// Turns errors that the router or an extractor wrote as plain text into problems.
async fn as_problem(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let ours = response.headers().get(CONTENT_TYPE).is_some_and(|kind| {
        kind.as_bytes() == PROBLEM_JSON.as_bytes() || kind.as_bytes().starts_with(b"application/json")
    });
    if ours || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let mut problem = Refused::of_status(status).into_response();
    for name in [ALLOW, RETRY_AFTER, WWW_AUTHENTICATE] {
        if let Some(value) = response.headers().get(&name) {
            problem.headers_mut().insert(name, value.clone());
        }
    }
    *problem.status_mut() = status;
    problem
}

async fn secured(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
