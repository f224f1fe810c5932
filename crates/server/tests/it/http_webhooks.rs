//! What the owner of a webhook may ask for, and that other accounts learn nothing of it.

use quizhall::store::MOST_OLD_KEYS;
use quizhall::webhooks::SENDS_PER_MINUTE;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_stage::{Ask, Reply, Stage};

const ALLOWED: [(&str, &str); 1] = [("WEBHOOK_HOSTS", "hooks.example.org")];

/// A webhook of this account: its id and its key. Nothing is sent here.
async fn webhook(stage: &Stage, owner: &str) -> (String, String) {
    let new = json!({"url": "https://hooks.example.org/", "events": ["game.ended"]});
    let reply = stage.send(Ask::post("/api/v1/webhooks", &new).bearer(owner)).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let created = reply.json();
    (created["webhook"]["id"].as_str().unwrap().to_owned(), created["secret"].as_str().unwrap().to_owned())
}

async fn ask(stage: &Stage, (method, path): (&str, &str), token: &str) -> Reply {
    stage.send(Ask::new(method, path).bearer(token)).await
}

/// All requests about a webhook and one of its deliveries.
fn requests(webhook: &str, delivery: &str) -> [(&'static str, String); 4] {
    let path = |rest: &str| format!("/api/v1/webhooks/{webhook}/{rest}");
    [
        ("GET", path("deliveries")),
        ("POST", path("test")),
        ("POST", path(&format!("deliveries/{delivery}/redelivery"))),
        ("POST", path("secret")),
    ]
}

#[tokio::test]
async fn webhooks_of_others_are_answered_like_random_ids_and_tokens_for_programs_are_refused() {
    let stage = Stage::with(&ALLOWED).await;
    let (ann, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let (id, secret) = webhook(&stage, &ann).await;
    assert_eq!(stage.send(Ask::get("/api/v1/me").bearer(&ann)).await.json()["webhooks"], true);
    let [list, test, ..] = requests(&id, "");
    let sent = ask(&stage, (test.0, &test.1), &ann).await;
    assert_eq!(sent.status, 202, "{}", sent.text());
    let delivery = sent.json()["id"].as_str().unwrap().to_owned();
    let scopes = json!({"name": "Robot", "scopes": ["read", "quizzes", "games"]});
    let robot = stage.send(Ask::post("/api/v1/me/tokens", &scopes).bearer(&ann)).await.json()["token"].clone();

    let random = Uuid::new_v4().to_string();
    for (theirs, unknown) in requests(&id, &delivery).iter().zip(requests(&random, &random)) {
        let (method, path) = theirs;
        let answer = ask(&stage, (method, path), &bob).await;
        assert_eq!(answer.kind(), (404, "not-found".to_owned()), "{path}");
        assert_eq!(answer.body, ask(&stage, (unknown.0, &unknown.1), &bob).await.body, "{path}");
        assert_eq!(ask(&stage, (method, path), robot.as_str().unwrap()).await.kind(), (403, "forbidden".to_owned()));
    }
    let read = ask(&stage, (list.0, &list.1), &ann).await;
    let line = read.json()["deliveries"][0].clone();
    assert_eq!((&line["id"], &line["state"], &line["attempts"]), (&json!(delivery), &json!("waiting"), &json!(0)));
    assert!(line.get("status").is_none() && line.get("trouble").is_none(), "{line}");
    assert!(!read.text().contains("whsec_") && !read.text().contains(secret.trim_start_matches("whsec_")));
    assert_eq!(ask(&stage, ("POST", &requests(&id, "none")[2].1), &ann).await.status, 404, "this is not an id");
}

#[tokio::test]
async fn an_account_sends_a_bounded_number_and_replaces_a_bounded_number_of_keys() {
    let stage = Stage::with(&ALLOWED).await;
    let (ann, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let (id, first) = webhook(&stage, &ann).await;
    let [_, test, _, secret] = requests(&id, "");
    let post = async |path: &str| ask(&stage, ("POST", path), &ann).await;
    let delivery = post(&test.1).await.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(post(&test.1).await.kind(), (409, "test-waits".to_owned()));
    let [_, _, again, _] = requests(&id, &delivery);
    for _ in 2..SENDS_PER_MINUTE {
        assert_eq!(post(&again.1).await.status, 202);
    }
    for path in [&again.1, &test.1] {
        let refused = post(path).await;
        assert_eq!(refused.kind(), (429, "too-often".to_owned()));
        assert!(refused.headers.contains_key("retry-after"));
        assert!(refused.headers["ratelimit"].to_str().unwrap().starts_with(r#""webhook-sends";r=0;t="#));
    }
    let (other, _) = webhook(&stage, &bob).await;
    assert_eq!(ask(&stage, ("POST", &requests(&other, "")[1].1), &bob).await.status, 202, "only for this account");

    let mut keys = vec![first];
    for _ in 0..MOST_OLD_KEYS {
        let answer = post(&secret.1).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.headers["cache-control"], "no-store");
        let Value::String(key) = answer.json()["secret"].clone() else { panic!("no key") };
        assert!(key.starts_with("whsec_") && !keys.contains(&key));
        keys.push(key);
    }
    let refused = post(&secret.1).await;
    assert_eq!(refused.kind(), (429, "too-often".to_owned()));
    let wait: i64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((86_000..=86_400).contains(&wait), "{wait}");
}
