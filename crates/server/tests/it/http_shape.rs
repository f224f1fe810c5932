//! Common to all answers: problems, security headers, and the descriptions with their page.

use quizhall_protocol::http::problem::ProblemTypeList;
use serde_json::{Value, json};

use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn every_answer_is_guarded() {
    let stage = Stage::new().await;
    let asks = [
        (200, Ask::get("/livez")),
        (404, Ask::get("/nowhere")),
        (405, Ask::get("/join")),
        (405, Ask::new("BREW", "/api/v1/games")),
        (401, Ask::get("/api/v1/quizzes")),
        (200, Ask::get("/api/v1/quizzes").bearer(SCRIPT)),
        (200, Ask::get("/api/openapi.json")),
    ];
    for (status, ask) in asks {
        let reply = stage.send(ask).await;
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
}

#[tokio::test]
async fn the_descriptions_are_true() {
    let stage = Stage::new().await;
    let openapi = stage.send(Ask::get("/api/openapi.json")).await.json();
    assert!(openapi["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(openapi, serde_json::to_value(quizhall::http::openapi()).unwrap());
    assert_eq!(openapi["servers"][0]["url"], json!("/"));
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
            let security = operation["security"].as_array().unwrap_or_else(|| panic!("{method} {path}"));
            let is_open = security.is_empty() || security.contains(&json!({}));
            assert!(is_open || reply.status == 401, "{method} {path} needs a token and answered {}", reply.status);
            errors_are_problems(path, operation);
        }
    }
    operations.sort_unstable();
    operations.dedup();
    assert_eq!(operations.len(), 90);

    let asyncapi = stage.send(Ask::get("/api/asyncapi.json")).await;
    assert_eq!((asyncapi.status, asyncapi.header("content-type")), (200, "application/json"));
    assert_eq!(asyncapi.json()["asyncapi"], json!("3.0.0"));
    let schema = stage.send(Ask::get("/api/messages.schema.json")).await.json();
    assert!(schema["$id"].is_string() && schema["$defs"]["FromHost"].is_object());
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
async fn every_kind_of_error_is_described_at_its_path() {
    let stage = Stage::new().await;
    let described = async |path: &str| stage.send(Ask::get(path)).await.json();
    let list: ProblemTypeList = serde_json::from_value(described("/problems").await).unwrap();
    assert!(list.problems.len() > 30 && list.problems.is_sorted_by_key(|kind| kind.status));
    for kind in list.problems {
        assert!((400..600).contains(&kind.status), "{}", kind.kind);
        let one = described(&kind.kind).await;
        assert_eq!(one, json!({"type": kind.kind, "title": kind.title, "status": kind.status}));
    }
    let unknown = stage.send(Ask::get("/api/v1/quizzes")).await.problem();
    assert_eq!(described(&unknown.kind).await["status"], json!(401));
    assert_eq!(stage.send(Ask::get("/problems/none")).await.kind(), (404, "not-found".to_owned()));
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
