//! Errors: a panic and a bare status become problems, and a client that has to wait learns how long.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Path;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Request, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use quizhall::http::{PROBLEM_JSON, Refused, around};
use quizhall_protocol::http::problem::Problem;
use quizhall_rules::Refusal;
use tower::ServiceExt as _;

use crate::http_stage::Stage;

/// A service with a handler that panics, and one that answers with a status and nothing else.
async fn service() -> (Stage, Router) {
    let stage = Stage::new().await;
    let broken = || async { assert!(std::env::args().count() == 0, "canary") };
    let bare = |Path(status): Path<u16>| async move { StatusCode::from_u16(status).unwrap() };
    let routes = Router::new().route("/broken", get(broken)).route("/bare/{status}", get(bare));
    let routes = around(routes, &stage.app);
    (stage, routes)
}

async fn ask(routes: &Router, path: &str) -> Response {
    routes.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_panic_is_a_problem_and_says_nothing() {
    let (_stage, routes) = service().await;
    let response = ask(&routes, "/broken").await;
    assert_eq!(response.status(), 500);
    assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
    assert_eq!(response.headers()[X_CONTENT_TYPE_OPTIONS], "nosniff");
    let body = to_bytes(response.into_body(), 10_000).await.unwrap();
    assert!(!String::from_utf8_lossy(&body).contains("canary"));
}

#[tokio::test]
async fn every_status_has_a_problem_of_the_same_status() {
    let (_stage, routes) = service().await;
    for status in [400, 401, 403, 404, 405, 408, 413, 415, 426, 431, 500, 503] {
        let response = ask(&routes, &format!("/bare/{status}")).await;
        assert_eq!(response.status(), status);
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        assert_eq!(serde_json::from_slice::<Problem>(&body).unwrap().status, status);
    }
}

#[test]
fn a_client_that_has_written_too_much_learns_when_to_try_again() {
    let response = Refused::from(Refusal::TooMuch).into_response();
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers().get(RETRY_AFTER), Some(&HeaderValue::from(2)));
}
