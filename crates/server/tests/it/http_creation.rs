//! What integrators rely on: repeated requests that create once, lists in pages, `RateLimit`, and the descriptions.

use quizhall_protocol::http::problem::ProblemTypeList;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

fn quiz(title: &str) -> Value {
    let question = json!({"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]});
    json!({"title": title, "rounds": [{"title": "One", "questions": [question]}]})
}

async fn create(stage: &Stage, path: &str, body: &Value, key: &str) -> Reply {
    stage.send(Ask::post(path, body).bearer(SCRIPT).header("idempotency-key", key)).await
}

async fn listed(stage: &Stage, path: &str) -> Value {
    let reply = stage.send(Ask::get(path).bearer(SCRIPT)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

#[tokio::test]
async fn a_repeated_request_creates_one_quiz() {
    let stage = Stage::new().await;
    let before = listed(&stage, "/api/v1/quizzes").await["quizzes"].as_array().unwrap().len();
    let first = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "key-1").await;
    let again = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "key-1").await;
    assert_eq!(first.bytes(), again.bytes());
    assert_eq!(listed(&stage, "/api/v1/quizzes").await["quizzes"].as_array().unwrap().len(), before + 1);

    let other = create(&stage, "/api/v1/quizzes", &quiz("Other"), "key-1").await;
    assert_eq!(other.kind(), (422, "idempotency-key-of-another-request".to_owned()));
    let bad = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "").await;
    assert_eq!(bad.kind(), (400, "bad-idempotency-key".to_owned()));
    // Bob's keys are separate from those of other hosts.
    let bob = stage.host("Bob").await;
    let ask = Ask::post("/api/v1/quizzes", &quiz("Mine")).bearer(&bob).header("idempotency-key", "key-1");
    let his = stage.send(ask).await;
    assert!(his.status == 201 && his.json()["id"] != first.json()["id"]);

    let path = format!("/api/v1/quizzes/{}", first.json()["id"].as_str().unwrap());
    stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await;
    let late = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "key-1").await;
    assert_eq!(late.kind(), (409, "conflict".to_owned()), "a deleted quiz is not created again");
}

#[tokio::test]
async fn a_repeated_request_creates_one_game() {
    let stage = Stage::new().await;
    let question = json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]);
    let quiz = stage.quiz(question.clone()).await;
    let body = json!({"quizId": quiz});
    let at_once = (0..4).map(|_| create(&stage, "/api/v1/games", &body, "key-1"));
    let replies = futures_util::future::join_all(at_once).await;
    assert!(replies.iter().all(|reply| reply.status == 201 && reply.body == replies[0].body), "{}", replies[0].text());
    assert_eq!(listed(&stage, "/api/v1/games").await["games"].as_array().unwrap().len(), 1);

    // The repeated request still works after its quiz was deleted, and returns the present state of the game.
    stage.join(replies[0].json()["gameCode"].as_str().unwrap(), "Ann").await;
    stage.send(Ask::new("DELETE", &format!("/api/v1/quizzes/{quiz}")).bearer(SCRIPT)).await;
    let again = create(&stage, "/api/v1/games", &body, "key-1").await;
    assert_eq!((again.status, &again.json()["playerCount"]), (201, &json!(1)), "{}", again.text());
    let other = json!({"quizId": stage.quiz(question).await});
    let other = create(&stage, "/api/v1/games", &other, "key-1").await;
    assert_eq!(other.kind(), (422, "idempotency-key-of-another-request".to_owned()));
    let of_a_game = create(&stage, "/api/v1/quizzes", &self::quiz("Mine"), "key-1").await;
    assert_eq!(of_a_game.status, 422, "one key, one request");

    let path = format!("/api/v1/games/{}", replies[0].json()["id"].as_str().unwrap());
    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204);
    assert_eq!(create(&stage, "/api/v1/games", &body, "key-1").await.kind(), (409, "conflict".to_owned()));
}

#[tokio::test]
async fn lists_come_in_pages() {
    let stage = Stage::new().await;
    for title in ["One", "Two", "Three"] {
        stage.send(Ask::post("/api/v1/quizzes", &quiz(title)).bearer(SCRIPT)).await;
    }
    let quiz = listed(&stage, "/api/v1/quizzes").await["quizzes"][0]["id"].as_str().unwrap().to_owned();
    for _ in 0..5 {
        stage.game_of(&quiz).await;
    }
    for (path, lines) in [("/api/v1/games", "games"), ("/api/v1/quizzes", "quizzes")] {
        let whole = listed(&stage, path).await;
        assert_eq!(whole.as_object().unwrap().len(), 1, "without parameters there is no cursor");
        let mut paged = Vec::new();
        let mut page = listed(&stage, &format!("{path}?limit=2")).await;
        loop {
            paged.extend(page[lines].as_array().unwrap().clone());
            let Some(next) = page.get("next").and_then(Value::as_str) else { break };
            assert_eq!(page[lines].as_array().unwrap().len(), 2);
            page = listed(&stage, &format!("{path}?limit=2&cursor={next}")).await;
        }
        assert_eq!(json!(paged), whole[lines]);
        let all = listed(&stage, &format!("{path}?limit={}", paged.len())).await;
        assert_eq!(all, whole, "a page that holds everything has no next one");
        for bad in ["limit=0", "limit=1001", "limit=x", "cursor=x", "cursor=", &format!("cursor={}", "é".repeat(24))] {
            let reply = stage.send(Ask::get(&format!("{path}?{}", bad.replace('é', "%C3%A9"))).bearer(SCRIPT)).await;
            assert_eq!(reply.kind(), (400, "bad-request".to_owned()), "{bad}");
        }
    }
}

#[tokio::test]
async fn a_refused_sign_in_says_when_to_come_again_and_a_refused_join_is_as_ever() {
    let settings = [("SIGN_INS_PER_MINUTE_PER_ACCOUNT", "1"), ("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "1")];
    let stage = Stage::with(&settings).await;
    let body = json!({"name": "Ann", "password": "wrong and long"});
    assert_eq!(stage.send(Ask::post("/api/v1/sessions", &body)).await.status, 401);
    let refused = stage.send(Ask::post("/api/v1/sessions", &body)).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("ratelimit"), format!("\"sign-in\";r=0;t={}", refused.header("retry-after")));

    assert_eq!(stage.join("ABC234", "Ann").await.status, 404);
    let refused = stage.join("ABC234", "Ann").await;
    assert_eq!((refused.status, refused.header("ratelimit")), (429, ""), "the interface's own answers do not change");
}

#[tokio::test]
async fn the_descriptions_are_served() {
    let stage = Stage::new().await;
    let asyncapi = stage.send(Ask::get("/api/asyncapi.json")).await;
    assert_eq!((asyncapi.status, asyncapi.header("content-type")), (200, "application/json"));
    assert_eq!(asyncapi.json()["asyncapi"], json!("3.0.0"));
    let schema = stage.send(Ask::get("/api/messages.schema.json")).await.json();
    assert!(schema["$id"].is_string() && schema["$defs"]["FromHost"].is_object());
    let openapi = stage.send(Ask::get("/api/openapi.json")).await.json();
    assert_eq!(openapi["servers"][0]["url"], json!("/"));
    for (path, item) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let security = operation["security"].as_array().unwrap_or_else(|| panic!("{method} {path}"));
            let is_open = security.is_empty() || security.contains(&json!({}));
            let reply = stage.send(Ask::new(&method.to_uppercase(), &path.replace(['{', '}'], ""))).await;
            assert!(is_open || reply.status == 401, "{method} {path} needs a token and answered {}", reply.status);
        }
    }
}

#[tokio::test]
async fn every_kind_of_error_is_described_at_its_path() {
    let stage = Stage::new().await;
    let list: ProblemTypeList = serde_json::from_value(listed(&stage, "/problems").await).unwrap();
    assert!(list.problems.len() > 30 && list.problems.is_sorted_by_key(|kind| kind.status));
    for kind in list.problems {
        let one = listed(&stage, &kind.kind).await;
        assert_eq!(one, json!({"type": kind.kind, "title": kind.title, "status": kind.status}));
    }
    let unknown = stage.send(Ask::get("/api/v1/quizzes")).await.problem();
    assert_eq!(listed(&stage, &unknown.kind).await["status"], json!(401));
    assert_eq!(stage.send(Ask::get("/problems/none")).await.kind(), (404, "not-found".to_owned()));
}
