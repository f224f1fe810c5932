//! Accounts and sessions: setting up, signing in and out, and the refusal of bad tokens.

use std::fs;

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
    assert_eq!(stage.send(ask("Bob", &link)).await.status, 403);
    assert!(stage.app.hosts.set_up_token().is_none());
    let accounts = stage.send(Ask::get("/api/v1/hosts").bearer(SCRIPT)).await.json();
    let first = accounts["hosts"].as_array().unwrap().iter().find(|host| host["name"] != "script").cloned().unwrap();
    assert_eq!(first["role"], json!("owner"), "the account of the set-up link");

    // The first host finds the sample quiz in the library.
    let created = replies.iter().find(|reply| reply.status == 201).unwrap().json();
    let sign_in = json!({"name": created["name"], "password": "long enough"});
    let token = stage.send(Ask::post("/api/v1/sessions", &sign_in)).await.json()["token"].clone();
    let quizzes = stage.send(Ask::get("/api/v1/quizzes").bearer(token.as_str().unwrap())).await.json();
    assert_eq!(quizzes["quizzes"][0]["questionCount"], json!(30));
}

#[tokio::test]
async fn later_accounts_are_created_by_hosts() {
    let stage = Stage::new().await;
    let account = |name: &str| Ask::post("/api/v1/hosts", &json!({"name": name, "password": "long enough"}));
    assert_eq!(stage.send(account("Ann")).await.kind(), (401, "unauthorized".to_owned()));
    let created = stage.send(account(" Ann  Lee ").bearer(SCRIPT)).await;
    assert_eq!((created.status, &created.json()["name"]), (201, &json!("Ann Lee")));
    assert_eq!(stage.send(account("ann lee").bearer(SCRIPT)).await.kind(), (409, "name-taken".to_owned()));
    for (name, password, field) in [("", "long enough", "name"), ("Bob", "1234567", "password")] {
        let ask = Ask::post("/api/v1/hosts", &json!({"name": name, "password": password})).bearer(SCRIPT);
        assert_eq!(stage.send(ask).await.field(), (422, Some(field.to_owned())));
    }
}

#[tokio::test]
async fn signing_in_and_out() {
    let stage = Stage::new().await;
    let token = stage.host("Ann").await;
    let current = || stage.send(Ask::get("/api/v1/sessions/current").bearer(&token));
    let session = current().await.json();
    assert_eq!(session["host"]["name"], json!("Ann"));
    assert!(session["expiresAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(stage.send(Ask::new("DELETE", "/api/v1/sessions/current").bearer(&token)).await.status, 204);
    assert_eq!(current().await.status, 401);
    assert_eq!(stage.send(Ask::new("DELETE", "/api/v1/sessions/current").bearer(&token)).await.status, 401);
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
    stage.host("script").await;
    assert!(stage.app.hosts.set_up_token().is_none());
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
    let attempt = |name: &str, password: &str, address: &str| {
        stage.send(Ask::post("/api/v1/sessions", &json!({"name": name, "password": password})).from(address))
    };
    let wrong = attempt("Ann", "not the one", "198.51.100.1").await;
    assert_eq!(wrong.kind(), (401, "wrong-credentials".to_owned()));
    let unknown = attempt("Unknown", "not the one", "198.51.100.2").await;
    assert_eq!(wrong.bytes(), unknown.bytes());
    let long = "x".repeat(2_000);
    for password in ["", "short", &long] {
        assert_eq!(attempt("Ann", password, "198.51.100.3").await.bytes(), wrong.bytes());
    }
}

#[tokio::test]
async fn attempts_to_sign_in_are_limited_by_account_and_address() {
    let stage = Stage::new().await;
    stage.host("Ann").await;
    let attempt = |name: &str, password: &str, address: &str| {
        stage.send(Ask::post("/api/v1/sessions", &json!({"name": name, "password": password})).from(address))
    };
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(attempt("Ann", "not the one", "198.51.100.1").await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429], "five a minute to one account from one address");
    assert_eq!(
        attempt("Ann", "long enough", "198.51.100.1").await.status,
        429,
        "the right password is refused as well"
    );
    assert_eq!(attempt("Ann", "long enough", "198.51.100.2").await.status, 201, "another address is never refused");
    let names: Vec<_> = (0..40).map(|number| format!("name {number}")).collect();
    let replies = join_all(names.iter().map(|name| attempt(name, "not the one", "198.51.100.99"))).await;
    let limited = replies.iter().filter(|reply| reply.status == 429).count();
    assert_eq!(limited, 20, "twenty a minute from one address");
    assert!(replies.iter().all(|reply| matches!(reply.status, 401 | 429)), "and they wait their turn");
}

#[tokio::test]
async fn an_address_that_signed_in_has_an_allowance_of_its_own() {
    let stage = Stage::with(&[("SIGN_INS_PER_MINUTE_PER_ADDRESS", "4")]).await;
    stage.host("Ann").await;
    let attempt = |name: &str, password: &str| {
        stage.send(Ask::post("/api/v1/sessions", &json!({"name": name, "password": password})).from("198.51.100.1"))
    };
    assert_eq!(attempt("Ann", "long enough").await.status, 201);
    for number in 0..10 {
        attempt(&format!("name {number}"), "not the one").await;
    }
    assert_eq!(attempt("Bob", "not the one").await.status, 429, "others have used up the allowance of the address");
    for _ in 0..4 {
        assert_eq!(attempt("Ann", "long enough").await.status, 201);
    }
    assert_eq!(attempt("Ann", "long enough").await.status, 429, "but this allowance is limited, too");
}

#[tokio::test]
async fn a_flood_of_huge_passwords_is_turned_away_unhashed() {
    let stage = Stage::new().await;
    let body = json!({"name": "Ann", "password": "x".repeat(1 << 20)});
    let replies = join_all((0..200).map(|_| stage.send(Ask::post("/api/v1/sessions", &body)))).await;
    assert!(replies.iter().all(|reply| reply.kind().0 == 413));
}

#[tokio::test]
async fn no_token_and_no_password_is_in_the_database() {
    let stage = Stage::new().await;
    let host = stage.host("Ann").await;
    let (_, code) = stage.game().await;
    let random = stage.join(&code, "Bob").await.json()["sessionToken"].as_str().unwrap().to_owned();
    let keyed = Ask::join(&code, "Cid").header("idempotency-key", "a-key-of-a-player");
    let keyed = stage.send(keyed).await.json()["sessionToken"].as_str().unwrap().to_owned();
    let set_up = stage.app.hosts.set_up_token().map(|token| token.expose().to_owned());
    assert!(set_up.is_none(), "a person exists");
    let mut stored = Vec::new();
    for file in ["q.db", "q.db-wal"] {
        stored.extend(fs::read(stage.folder.path().join(file)).unwrap_or_default());
    }
    let holds = |text: &str| stored.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("Bob") && holds("Ann"), "the search finds what is there");
    for secret in [&host, &random, &keyed, SCRIPT, "long enough", "a-key-of-a-player"] {
        assert!(!holds(secret) && !holds(&secret[3..]), "promise 19");
    }
}
