//! Unit tests of `http::layers`.

#![allow(clippy::unwrap_used)]
use super::*;
use axum::body::{Body, to_bytes};
use axum::routing::get;
use tower::ServiceExt as _;

#[tokio::test]
async fn a_panic_is_a_problem_and_says_nothing() {
    let broken = || async { assert!(std::env::args().count() == 0, "canary") };
    let routes = Router::new()
        .route("/broken", get(broken))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(as_problem))
        .layer(map_response(secured));
    let response = routes.oneshot(Request::get("/broken").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
    assert_eq!(response.headers()[X_CONTENT_TYPE_OPTIONS], "nosniff");
    let body = to_bytes(response.into_body(), 10_000).await.unwrap();
    assert!(!String::from_utf8_lossy(&body).contains("canary"));
}
