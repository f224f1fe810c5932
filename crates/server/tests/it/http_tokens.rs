//! An account's tokens for programs: shown once, limited to their scopes, and how they end.

use quizhall_protocol::CloseCode;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};
use crate::ws_stage;
use crate::ws_wire::Handshake;

const TOKENS: &str = "/api/v1/me/tokens";

async fn create(stage: &Stage, by: &str, body: Value) -> Reply {
    stage.send(Ask::post(TOKENS, &body).bearer(by)).await
}

/// Creates a token with these scopes; returns it and its id.
async fn made(stage: &Stage, by: &str, scopes: Value) -> (String, String) {
    let reply = create(stage, by, json!({"name": "Robot", "scopes": scopes})).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let made = reply.json();
    (made["token"].as_str().unwrap().to_owned(), made["about"]["id"].as_str().unwrap().to_owned())
}

async fn status(stage: &Stage, (method, path): (&str, &str), token: &str) -> u16 {
    stage.send(Ask::new(method, path).bearer(token)).await.status
}

#[tokio::test]
async fn a_token_is_shown_once_and_does_what_its_scopes_say() {
    let stage = Stage::new().await;
    let ann = stage.host("Ann").await;
    let (token, id) = made(&stage, &ann, json!(["read"])).await;
    assert!(token.starts_with("qk_") && token.len() == 46, "{}", token.len());
    let list = async || stage.send(Ask::get(TOKENS).bearer(&ann)).await;
    assert!(!list().await.text().contains(&token[3..]), "it is not shown again");
    assert!(list().await.json()["tokens"][0].get("lastUsedAt").is_none());

    let me = stage.send(Ask::get("/api/v1/me").bearer(&token)).await.json();
    assert_eq!((&me["name"], &me["role"]), (&json!("Ann"), &json!("host")));
    let listed = list().await.json()["tokens"][0].clone();
    assert_eq!((&listed["id"], &listed["name"], &listed["scopes"]), (&json!(id), &json!("Robot"), &json!(["read"])));
    // As moments: a fraction of a second has no trailing zeros, so its text does not sort.
    let moment = |field: &str| listed[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert!(moment("lastUsedAt") >= moment("createdAt"));
    let sessions = stage.send(Ask::get("/api/v1/me/sessions").bearer(&ann)).await.json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "it is not a session");

    for path in ["/api/v1/games", "/api/v1/sessions/current"] {
        assert_eq!(status(&stage, ("GET", path), &token).await, 200, "{path}");
    }
    let quiz =
        json!({"title": "t", "rounds": [{"questions": [{"text": "?", "type": "text", "correctAnswers": ["!"]}]}]});
    let (quizzes, _) = made(&stage, &ann, json!(["quizzes"])).await;
    let (games, _) = made(&stage, &ann, json!(["games"])).await;
    let save = async |token: &str| stage.send(Ask::post("/api/v1/quizzes", &quiz).bearer(token)).await;
    let saved = save(&quizzes).await.json()["id"].clone();
    assert!(saved.is_string());
    let play =
        async |token: &str| stage.send(Ask::post("/api/v1/games", &json!({"quizId": saved})).bearer(token)).await;
    assert_eq!(play(&games).await.status, 201);
    for refused in [save(&token).await, save(&games).await, play(&token).await, play(&quizzes).await] {
        assert_eq!(refused.kind(), (403, "forbidden".to_owned()));
    }
    let (all, _) = made(&stage, &ann, json!(["read", "quizzes", "games"])).await;
    // What a scope allows, the unit tests of `auth::scopes` say.
    for (method, path) in [("GET", TOKENS), ("DELETE", "/api/v1/sessions/current"), ("GET", "/api/v1/nodes")] {
        assert_eq!(status(&stage, (method, path), &all).await, 403, "{method} {path}");
    }
    assert_eq!(create(&stage, &all, json!({"name": "Another", "scopes": ["read"]})).await.status, 403);
    let (of_owner, _) = made(&stage, SCRIPT, json!(["read", "quizzes", "games"])).await;
    assert_eq!(stage.send(Ask::get("/api/v1/me").bearer(&of_owner)).await.json()["role"], json!("host"));
    assert_eq!(status(&stage, ("GET", "/api/v1/hosts"), &of_owner).await, 403, "nor does an owner's");
}

#[tokio::test]
async fn a_token_ends_when_it_is_revoked_and_with_its_account() {
    let stage = Stage::new().await;
    let (ann, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let (first, id) = made(&stage, &ann, json!(["read"])).await;
    let (second, _) = made(&stage, &ann, json!(["read"])).await;
    let me = ("GET", "/api/v1/me");
    assert_eq!((status(&stage, me, &first).await, status(&stage, me, &second).await), (200, 200));
    let revoke = format!("{TOKENS}/{id}");
    assert_eq!(status(&stage, ("DELETE", &revoke), &bob).await, 404, "it belongs to another account");
    assert_eq!(status(&stage, ("DELETE", &revoke), &ann).await, 204);
    assert_eq!((status(&stage, me, &first).await, status(&stage, me, &second).await), (401, 200));
    assert_eq!(status(&stage, ("DELETE", &revoke), &ann).await, 404);

    let change = json!({"oldPassword": "long enough", "newPassword": "long enough too"});
    assert_eq!(stage.send(Ask::post("/api/v1/me/password", &change).bearer(&ann)).await.status, 204);
    assert_eq!(status(&stage, me, &second).await, 200, "a new password does not affect programs");
    assert_eq!(status(&stage, ("DELETE", "/api/v1/me/sessions"), &ann).await, 204);
    assert_eq!(status(&stage, me, &second).await, 401, "signing out everywhere ends tokens for programs too");

    let (of_bob, _) = made(&stage, &bob, json!(["read"])).await;
    let bobs = stage.send(Ask::get("/api/v1/me").bearer(&bob)).await.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/hosts/{bobs}");
    for disabled in [true, false] {
        let change = Ask::new("PATCH", &path).json(&json!({"disabled": disabled})).bearer(SCRIPT);
        assert_eq!(stage.send(change).await.status, 200);
        assert_eq!(status(&stage, me, &of_bob).await, 401, "it does not come back with the account");
    }
}

#[tokio::test]
async fn names_scopes_and_the_number_of_tokens_are_checked() {
    let stage = Stage::new().await;
    let ann = stage.host("Ann").await;
    for (body, field) in [
        (json!({"name": "", "scopes": ["read"]}), "name"),
        (json!({"name": "x".repeat(65), "scopes": ["read"]}), "name"),
        (json!({"name": "a\u{0}b", "scopes": ["read"]}), "name"),
        (json!({"name": "Robot", "scopes": []}), "scopes"),
        (json!({"name": "Robot", "scopes": ["accounts"]}), "scopes[0]"),
    ] {
        assert_eq!(create(&stage, &ann, body.clone()).await.field(), (422, Some(field.to_owned())), "{body}");
    }
    let robot = json!({"name": "Robot", "scopes": ["read", "read"]});
    let replies = futures_util::future::join_all((0..22).map(|_| create(&stage, &ann, robot.clone()))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 20);
    assert_eq!(replies.iter().filter(|reply| reply.status == 409 && reply.kind().1 == "conflict").count(), 2);
    assert_eq!(create(&stage, SCRIPT, robot).await.status, 201, "another account has its own");
}

#[tokio::test]
async fn a_socket_of_a_host_needs_the_scope_and_ends_with_the_token() {
    let stage = ws_stage::Stage::new().await;
    let game = stage.game().await;
    let token = async |scope: &str| {
        let (status, made) = stage.post(TOKENS, (ws_stage::HOST, json!({"name": "Robot", "scopes": [scope]}))).await;
        assert_eq!(status, 201, "{made}");
        (made["token"].as_str().unwrap().to_owned(), made["about"]["id"].as_str().unwrap().to_owned())
    };
    let path = format!("/ws/{}", game.code);
    for scope in ["read", "quizzes"] {
        let refused = stage.knock(&path, &Handshake::bearer(&token(scope).await.0)).await.err().unwrap();
        assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    }
    let (games, id) = token("games").await;
    let mut socket = stage.socket(&game.code, &games).await;
    assert_eq!(stage.delete(&format!("{TOKENS}/{id}"), ws_stage::HOST).await, 204);
    assert_eq!(socket.closed().await.0, CloseCode::Unauthorized.number());
}
