//! Common to all answers: problems, security headers, no CORS, the description and its page; and the logs.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

#[tokio::test]
async fn an_unknown_path_is_answered_with_a_problem() {
    let stage = Stage::new().await;
    for path in ["/nowhere", "/api/v1", "/api/v1/nowhere", "/join/", "/..%2f..%2fetc/passwd", "/api/docs/nothing.js"] {
        assert_eq!(stage.send(Ask::get(path)).await.kind(), (404, "not-found".to_owned()), "{path}");
    }
    let wrong = stage.send(Ask::get("/join")).await;
    assert_eq!((wrong.kind().1.as_str(), wrong.header("allow")), ("method-not-allowed", "POST"));
    let wrong = stage.send(Ask::new("DELETE", "/healthz")).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "GET,HEAD"));
    assert_eq!(stage.send(Ask::new("BREW", "/api/v1/games")).await.status, 405);
    let head = stage.send(Ask::new("HEAD", "/livez")).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let stage = Stage::new().await;
    let asks = [
        Ask::get("/livez"),
        Ask::get("/nowhere"),
        Ask::get("/join"),
        Ask::get("/api/v1/quizzes"),
        Ask::get("/api/v1/quizzes").bearer(SCRIPT),
        Ask::get("/api/openapi.json"),
    ];
    for ask in asks {
        let reply = stage.send(ask).await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
}

#[tokio::test]
async fn another_origin_gets_no_permission() {
    let stage = Stage::new().await;
    let asks = [
        Ask::new("OPTIONS", "/api/v1/quizzes").header("access-control-request-method", "POST"),
        Ask::new("OPTIONS", "/join").header("access-control-request-method", "POST"),
        Ask::get("/api/v1/quizzes").bearer(SCRIPT),
    ];
    for ask in asks {
        let reply = stage.send(ask.header("origin", "https://evil.example")).await;
        let cors = |reply: &Reply| reply.headers.keys().any(|name| name.as_str().starts_with("access-control"));
        assert!(!cors(&reply));
    }
}

#[tokio::test]
async fn health_and_metrics() {
    let stage = Stage::new().await;
    let sick = stage.send(Ask::get("/healthz")).await;
    assert_eq!((sick.status, &sick.json()["checks"]["database"]), (503, &json!("down")), "not probed yet");
    stage.app.health.start(Arc::clone(&stage.app.store), None).await;
    for path in ["/healthz", "/readyz", "/livez"] {
        let reply = stage.send(Ask::get(path)).await;
        assert_eq!((reply.status, reply.json()), (200, json!({"status": "ok"})), "{path}");
    }
    stage.app.health.drain();
    assert_eq!(stage.send(Ask::get("/readyz")).await.status, 503);
    assert_eq!(stage.send(Ask::get("/healthz")).await.status, 200);
    let metrics = stage.send(Ask::get("/metrics")).await;
    assert!(metrics.status == 200 && metrics.header("content-type").starts_with("text/plain"));

    let stage = Stage::with(&[("METRICS_TOKEN", "a-token-for-metrics")]).await;
    assert_eq!(stage.send(Ask::get("/metrics")).await.status, 401);
    assert_eq!(stage.send(Ask::get("/metrics").bearer(SCRIPT)).await.status, 401);
    assert_eq!(stage.send(Ask::get("/metrics").bearer("a-token-for-metrics")).await.status, 200);
}

#[tokio::test]
async fn the_description_is_true() {
    let stage = Stage::new().await;
    let openapi = stage.send(Ask::get("/api/openapi.json")).await.json();
    assert!(openapi["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(openapi, serde_json::to_value(quizhall::http::openapi()).unwrap());
    let mut operations = Vec::new();
    for (path, item) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push(operation["operationId"].as_str().unwrap().to_owned());
            let real =
                path.replace("{id}", "x").replace("{playerId}", "x").replace("{screenId}", "x").replace("{name}", "x");
            let reply = stage.send(Ask::new(&method.to_uppercase(), &real)).await;
            assert!(reply.status != 405, "{method} {path}");
            let known = operation["responses"].get(reply.status.to_string()).is_some();
            assert!(known, "{method} {path} answered {}, which is not described", reply.status);
            errors_are_problems(path, operation);
        }
    }
    operations.sort_unstable();
    operations.dedup();
    assert_eq!(operations.len(), 90);
}

fn errors_are_problems(path: &str, operation: &Value) {
    for (status, response) in operation["responses"].as_object().unwrap() {
        if status.starts_with(['4', '5']) && !path.ends_with('z') {
            let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(schema, "#/components/schemas/Problem", "{path} {status}");
        }
    }
}

#[tokio::test]
async fn the_page_of_the_description_works_offline() {
    let stage = Stage::new().await;
    assert_eq!(stage.send(Ask::get("/api/docs")).await.header("location"), "/api/docs/");
    let page = stage.send(Ask::get("/api/docs/")).await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(page.header("content-security-policy").contains("script-src 'self'"));
    let text = page.text();
    let asked = text.split(['"', '\'']).filter(|part| part.starts_with("./") || part.contains("://"));
    let mut files = 0;
    for file in asked {
        let path = file.strip_prefix("./").unwrap_or_else(|| panic!("{file} is on another server"));
        assert_eq!(stage.send(Ask::get(&format!("/api/docs/{path}"))).await.status, 200, "{file}");
        files += 1;
    }
    assert!(files >= 4, "{text}");
    assert!(!text.contains("<script>") && !text.contains(" onload="), "no inline script: the policy would stop it");
    let start = stage.send(Ask::get("/api/docs/swagger-initializer.js")).await;
    assert!(start.text().contains("/api/openapi.json"));
}

#[tokio::test]
async fn no_log_line_holds_a_secret() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let stage = Stage::new().await;
    let token = stage.host("Ann").await;
    let (id, code) = stage.game().await;
    let ask = Ask::join(&code, "Canary Name").header("idempotency-key", "canary-key-of-a-player");
    let player = stage.send(ask).await.json()["sessionToken"].as_str().unwrap().to_owned();
    stage.send(Ask::get(&format!("/api/v1/games/{id}/results.csv?token={token}"))).await;
    stage.send(Ask::get(&format!("/api/v1/games/{id}?token={token}"))).await;
    stage.send(Ask::get("/api/v1/games?token=canary-wrong-token")).await;
    stage.send(Ask::post("/api/v1/sessions", &json!({"name": "Ann", "password": "canary-password"}))).await;
    stage.send(Ask::new("DELETE", "/api/v1/sessions/current").bearer(&token)).await;
    tracing::info!("the log is kept");
    drop(guard);
    let text = log.text();
    assert!(text.contains("the log is kept"));
    for secret in [&token, &player, SCRIPT, "canary", "Canary Name", "long enough"] {
        assert!(!text.contains(secret), "promise 19: {text}");
    }
}

/// The log so far.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
