//! Accounts and sessions: setting up, signing in, and the refusal of bad tokens.

use futures_util::future::join_all;
use quizhall::auth::HostToken;
use serde_json::json;

use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn the_set_up_link_works_once() {
    let stage = Stage::new().await;
    let link = stage.app.hosts.set_up_token().map(|token: HostToken| token.expose().to_owned()).unwrap();
    let ask = |name: &str, token: &str| {
        Ask::post("/api/v1/hosts", &json!({"name": name, "password": "long enough", "setupToken": token}))
    };
    assert_eq!(stage.send(ask("Ann", "qs_wrong")).await.kind(), (403, "set-up-refused".to_owned()));
    let bad = json!({"name": "Ann", "password": "short", "setupToken": link});
    assert_eq!(stage.send(Ask::post("/api/v1/hosts", &bad)).await.field(), (422, Some("password".to_owned())));

    let replies = join_all((0..4).map(|number| stage.send(ask(&format!("Ann {number}"), &link)))).await;
    let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403, 403, 403]);
    assert!(stage.app.hosts.set_up_token().is_none());
    let accounts = stage.send(Ask::get("/api/v1/hosts").bearer(SCRIPT)).await.json();
    let first = accounts["hosts"].as_array().unwrap().iter().find(|host| host["name"] != "script").cloned().unwrap();
    assert_eq!(first["role"], json!("owner"), "the account of the set-up link");
    let token = stage.app.hosts.issue_token(first["name"].as_str().unwrap()).await.unwrap().token;
    let quizzes = stage.send(Ask::get("/api/v1/quizzes").bearer(token.expose())).await.json();
    assert_eq!(quizzes["quizzes"][0]["questionCount"], json!(30), "the first host finds the sample quiz");
}

#[tokio::test]
async fn the_fixed_token_is_an_account_with_a_quiz() {
    let stage = Stage::new().await;
    let current = stage.send(Ask::get("/api/v1/sessions/current").bearer(SCRIPT)).await.json();
    assert_eq!(current["host"]["name"], json!("script"));
    assert!(current.get("expiresAt").is_none());
    let quizzes = stage.send(Ask::get("/api/v1/quizzes").bearer(SCRIPT)).await.json();
    assert_eq!(quizzes["quizzes"].as_array().unwrap().len(), 1);
    assert_eq!(stage.send(Ask::new("DELETE", "/api/v1/sessions/current").bearer(SCRIPT)).await.kind().0, 409);
    // A person may have the same name as the script, and cannot sign in as the script.
    let sign_in = Ask::post("/api/v1/sessions", &json!({"name": "script", "password": "long enough"}));
    assert_eq!(stage.send(sign_in).await.status, 401);
    assert!(stage.app.hosts.set_up_token().is_some(), "no person has an account yet");
    let person = stage.host("script").await;
    assert!(stage.app.hosts.set_up_token().is_none());
    let session = stage.send(Ask::get("/api/v1/sessions/current").bearer(&person)).await.json();
    assert_ne!(session["host"]["id"], current["host"]["id"]);
    assert!(session["expiresAt"].as_str().unwrap().ends_with('Z'), "a person's session expires");
}

#[tokio::test]
async fn bad_tokens_all_look_the_same() {
    let stage = Stage::new().await;
    let ended = stage.host("Ann").await;
    stage.send(Ask::new("DELETE", "/api/v1/sessions/current").bearer(&ended)).await;
    let (_, code) = stage.game().await;
    let player = stage.join(&code, "Ann").await.json()["sessionToken"].as_str().unwrap().to_owned();
    let path = "/api/v1/quizzes";
    let plain = stage.send(Ask::get(path)).await;
    assert_eq!((plain.status, plain.header("www-authenticate")), (401, "Bearer"));
    let long = "x".repeat(4_096);
    let unknown = format!("qh_{}", "A".repeat(43));
    for token in ["", "x", &long, &unknown, &ended, &player, &SCRIPT[1..], "qh_"] {
        assert_eq!(stage.send(Ask::get(path).bearer(token)).await.bytes(), plain.bytes(), "promise 19");
        let query = format!("{path}?token={token}");
        assert_eq!(stage.send(Ask::get(&query)).await.bytes(), plain.bytes());
    }
    assert_eq!(stage.send(Ask::get(path).header("authorization", "Basic YTpi")).await.bytes(), plain.bytes());
    let twice = Ask::get(path).bearer(SCRIPT).bearer(SCRIPT);
    assert_eq!(stage.send(twice).await.status, 400);
}

#[tokio::test]
async fn a_token_in_the_address_opens_downloads_only() {
    let stage = Stage::new().await;
    let (id, _) = stage.game().await;
    let by_address = |path: &str| Ask::get(&format!("{path}?token={SCRIPT}"));
    let of_game = format!("/api/v1/games/{id}");
    for path in ["/api/v1/sessions/current", "/api/v1/quizzes", "/api/v1/hosts", "/api/v1/media", &of_game] {
        assert_eq!(stage.send(by_address(path)).await.status, 401, "{path}");
        let other = Ask::get(&format!("{path}?token=qh_another")).bearer(SCRIPT);
        assert_eq!(stage.send(other).await.status, 200, "{path}: the address is not checked");
    }
    let delete = Ask::new("DELETE", &format!("{of_game}?token={SCRIPT}"));
    assert_eq!(stage.send(delete).await.status, 401);
    let picture = format!("/api/v1/media/{}", uuid::Uuid::nil());
    assert_eq!(stage.send(Ask::new("DELETE", &format!("{picture}?token={SCRIPT}"))).await.status, 401);
    assert_eq!(stage.send(by_address(&picture)).await.status, 404, "the token is good");
    let csv = format!("{of_game}/results.csv");
    assert_eq!(stage.send(by_address(&csv)).await.status, 200);
    let disagreeing = Ask::get(&format!("{csv}?token=qh_another")).bearer(SCRIPT);
    assert_eq!(stage.send(disagreeing).await.kind(), (400, "two-tokens".to_owned()));
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_look_the_same() {
    let stage = Stage::new().await;
    stage.host("Ann").await;
    let attempt = |name: &str, password: &str| {
        stage.send(Ask::post("/api/v1/sessions", &json!({"name": name, "password": password})))
    };
    let wrong = attempt("Ann", "not the one").await;
    assert_eq!(wrong.kind(), (401, "wrong-credentials".to_owned()));
    assert_eq!(wrong.bytes(), attempt("Unknown", "not the one").await.bytes());
    for password in ["short", &"x".repeat(2_000)] {
        assert_eq!(attempt("Ann", password).await.bytes(), wrong.bytes());
    }
    assert_eq!(attempt("Ann", &"x".repeat(1 << 20)).await.kind().0, 413, "a huge one is turned away unhashed");
    assert_eq!(attempt("ann", "long enough").await.status, 201);
}

#[tokio::test]
async fn attempts_to_sign_in_are_limited_by_account_and_address() {
    let stage =
        Stage::with(&[("SIGN_INS_PER_MINUTE_PER_ACCOUNT", "2"), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "4")]).await;
    stage.host("Ann").await;
    let attempt = |name: &str, password: &str, address: &str| {
        stage.send(Ask::post("/api/v1/sessions", &json!({"name": name, "password": password})).from(address))
    };
    let (stranger, home, attacker) = ("198.51.100.1", "198.51.100.2", "198.51.100.99");
    for status in [401, 401, 429] {
        assert_eq!(attempt("Ann", "not the one", stranger).await.status, status, "two to one account from one address");
    }
    let refused = attempt("Ann", "long enough", stranger).await;
    assert_eq!(refused.kind(), (429, "too-often".to_owned()), "the right password is refused as well");
    assert_eq!(refused.header("ratelimit"), format!("\"sign-in\";r=0;t={}", refused.header("retry-after")));
    assert_eq!(attempt("Ann", "long enough", home).await.status, 201, "another address is never refused");

    let names: Vec<_> = (0..8).map(|number| format!("name {number}")).collect();
    let replies = join_all(names.iter().map(|name| attempt(name, "not the one", attacker))).await;
    let limited = replies.iter().filter(|reply| reply.status == 429).count();
    assert_eq!(limited, 4, "four from one address");
    assert!(replies.iter().all(|reply| matches!(reply.status, 401 | 429)), "and they wait their turn");

    for name in &names {
        attempt(name, "not the one", home).await;
    }
    assert_eq!(attempt("Bob", "not the one", home).await.status, 429, "others have used up what the address may");
    for status in [201, 201, 201, 201, 429] {
        assert_eq!(attempt("Ann", "long enough", home).await.status, status, "what a known device may, and no more");
    }
}
