//! All routes in one router: the HTTP interface, the sockets, the pages; with the log lines, the id and the metrics of
//! a request.
//!
//! Called by `accept`. Of a path only the pattern of its route is logged or counted, except for the routes of `audit`:
//! a path can contain a code, and a query a token.

use std::sync::Arc;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use tracing::Instrument as _;
use tracing::field::Empty;

use super::{audit, request_id, trace_context};
use crate::app::App;
use crate::telemetry::metrics;
use crate::ws::upgrade;
use crate::{clock, http, web};

/// The route of a request that matches none.
const UNMATCHED: &str = "unmatched";
const SOCKETS: &str = "/ws/{game_code}";

/// The statuses with which an upgrade is answered.
const SOCKET_ANSWERS: [u16; 9] = [101, 400, 401, 403, 404, 409, 426, 500, 503];

/// Every route of the service. Connection details (`ConnectInfo<SocketAddr>`) are expected in the request's extensions.
pub fn router(app: &Arc<App>) -> Router {
    let sockets = http::around(upgrade::routes().with_state(Arc::clone(app)), app);
    let pages = http::around(web::routes(app.config.listen.public_url.as_deref()), app);
    http::router(app).merge(sockets).merge(pages).layer(from_fn_with_state(Arc::clone(app), observed))
}

/// The routes at `HEALTH_ADDR`.
pub(super) fn health(app: &Arc<App>) -> Router {
    http::health_router(app).layer(from_fn_with_state(Arc::clone(app), observed))
}

/// The answers whose counters begin with 0: those documented for the interface, those of sockets, and those of
/// unmatched requests. Pages are not listed: their routes are the files of the build.
pub(super) fn expected_requests() -> impl Iterator<Item = (String, &'static str, u16)> {
    let socket = SOCKET_ANSWERS.iter().map(|status| (SOCKETS.to_owned(), "GET", *status));
    http::documented_answers().into_iter().chain(socket).chain([(UNMATCHED.to_owned(), "GET", 404)])
}

async fn observed(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = clock::now();
    let method = method_name(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    // A client that does not use the header receives the same bytes as ever, and equal refusals stay equal.
    let is_returned = request.headers().contains_key(request_id::HEADER);
    let id = request_id::given(request.headers()).unwrap_or_else(request_id::made);
    let audited = audit::event_of(method, route).map(|event| {
        let trusted = &app.config.listen.trusted_proxies;
        (event, http::client_of(request.extensions(), request.headers(), trusted), request.uri().path().to_owned())
    });
    // The span is at the level of errors, so that every line about a request has its id.
    let span = tracing::error_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method,
        route,
        host = Empty,
        trace_id = Empty,
        parent_id = Empty
    );
    if let Some(trace_context::TraceContext { trace, parent }) = trace_context::given(request.headers()) {
        span.record("trace_id", trace).record("parent_id", parent);
    }
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status().as_u16(), clock::since(begun));
    metrics::request_observed(route, method, status, took);
    span.in_scope(|| {
        if let Some((event, address, path)) = audited {
            audit::write(event, status, address, &path);
        }
        tracing::debug!(status, us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), "answered");
    });
    if is_returned {
        response.headers_mut().insert(request_id::HEADER, id);
    }
    response
}

/// All unknown methods share one label, because labels must not grow without end.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
