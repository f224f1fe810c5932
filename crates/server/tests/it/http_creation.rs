//! What integrators rely on: repeated requests that create once, and lists in pages.

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
async fn a_repeated_request_creates_one_quiz_or_one_game() {
    let stage = Stage::new().await;
    let before = listed(&stage, "/api/v1/quizzes").await["quizzes"].as_array().unwrap().len();
    let first = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "key-1").await;
    let again = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "key-1").await;
    assert_eq!(first.bytes(), again.bytes());
    assert_eq!(listed(&stage, "/api/v1/quizzes").await["quizzes"].as_array().unwrap().len(), before + 1);
    let bad = create(&stage, "/api/v1/quizzes", &quiz("Mine"), "").await;
    assert_eq!(bad.kind(), (400, "bad-idempotency-key".to_owned()));
    // Bob's keys are separate from those of other hosts.
    let bob = stage.host("Bob").await;
    let ask = Ask::post("/api/v1/quizzes", &quiz("Mine")).bearer(&bob).header("idempotency-key", "key-1");
    let his = stage.send(ask).await;
    assert!(his.status == 201 && his.json()["id"] != first.json()["id"]);

    let id = |reply: &Reply| reply.json()["id"].as_str().unwrap().to_owned();
    let body = json!({"quizId": id(&first)});
    let game = create(&stage, "/api/v1/games", &body, "key-2").await;
    assert_eq!(create(&stage, "/api/v1/games", &body, "key-2").await.bytes(), game.bytes());
    let other = create(&stage, "/api/v1/quizzes", &quiz("Other"), "key-3").await;
    for (path, body, key) in [
        ("/api/v1/quizzes", quiz("Other"), "key-1"),
        ("/api/v1/games", json!({"quizId": id(&other)}), "key-2"),
        ("/api/v1/quizzes", quiz("Mine"), "key-2"),
    ] {
        let refused = create(&stage, path, &body, key).await;
        assert_eq!(refused.kind(), (422, "idempotency-key-of-another-request".to_owned()), "{path} {key}");
    }

    // The repeated request still works after its quiz was deleted, and returns the present state of the game.
    stage.join(game.json()["gameCode"].as_str().unwrap(), "Ann").await;
    let delete = async |path: String| stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status;
    assert_eq!(delete(format!("/api/v1/quizzes/{}", id(&first))).await, 204);
    let again = create(&stage, "/api/v1/games", &body, "key-2").await;
    assert_eq!((again.status, &again.json()["playerCount"]), (201, &json!(1)), "{}", again.text());
    assert_eq!(delete(format!("/api/v1/games/{}", id(&game))).await, 204);
    for (path, body, key) in [("/api/v1/quizzes", &quiz("Mine"), "key-1"), ("/api/v1/games", &body, "key-2")] {
        let late = create(&stage, path, body, key).await;
        assert_eq!(late.kind(), (409, "conflict".to_owned()), "what was deleted is not created again");
    }
}

#[tokio::test]
async fn lists_come_in_pages() {
    let stage = Stage::new().await;
    let questions: Vec<Value> =
        (0..5).map(|at| json!({"text": format!("{at}?"), "type": "text", "correctAnswers": ["x"]})).collect();
    let quiz = stage.quiz(json!(questions)).await;
    for _ in 0..5 {
        stage.game_of(&quiz).await;
    }
    for lines in ["games", "quizzes", "questions"] {
        let path = format!("/api/v1/{lines}");
        let whole = listed(&stage, &path).await;
        assert_eq!(whole.as_object().unwrap().len(), 1, "without parameters there is no cursor");
        let mut paged = Vec::new();
        let mut page = listed(&stage, &format!("{path}?limit=1")).await;
        loop {
            paged.extend(page[lines].as_array().unwrap().clone());
            let Some(next) = page.get("next").and_then(Value::as_str) else { break };
            assert_eq!(page[lines].as_array().unwrap().len(), 1);
            page = listed(&stage, &format!("{path}?limit=1&cursor={next}")).await;
        }
        assert_eq!(json!(paged), whole[lines]);
        let all = listed(&stage, &format!("{path}?limit={}", paged.len())).await;
        assert_eq!(all, whole, "a page that holds everything has no next one");
        for bad in ["limit=1001", "limit=x", "cursor=x", "cursor=", &format!("cursor={}", "%C3%A9".repeat(24))] {
            let reply = stage.send(Ask::get(&format!("{path}?{bad}")).bearer(SCRIPT)).await;
            assert_eq!(reply.kind(), (400, "bad-request".to_owned()), "{path}?{bad}");
        }
    }
}
