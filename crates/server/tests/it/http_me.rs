//! The signed-in account: what it shows, changing its password, its sessions.

use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

const PASSWORD: &str = "/api/v1/me/password";

async fn sign_in(stage: &Stage, password: &str) -> Reply {
    stage.send(Ask::post("/api/v1/sessions", &json!({"name": "Ann", "password": password}))).await
}

fn change(old: &str, new: &str) -> Ask {
    Ask::post(PASSWORD, &json!({"oldPassword": old, "newPassword": new}))
}

async fn status(stage: &Stage, token: &str) -> u16 {
    stage.send(Ask::get("/api/v1/me").bearer(token)).await.status
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_all_are_ended_everywhere() {
    let stage = Stage::new().await;
    let (first, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let second = stage.app.hosts.issue_token("Ann").await.unwrap().token.expose().to_owned();
    let me = stage.send(Ask::get("/api/v1/me").bearer(&first)).await.json();
    assert_eq!((&me["name"], &me["role"], &me["password"]), (&json!("Ann"), &json!("host"), &json!(true)));
    assert_eq!((&me["oidc"], &me["webhooks"]), (&json!(false), &json!(false)));
    assert_eq!(status(&stage, &second).await, 200, "the session is cached now");

    let list = stage.send(Ask::get("/api/v1/me/sessions").bearer(&second)).await;
    let sessions = list.json()["sessions"].as_array().unwrap().clone();
    let current: Vec<&Value> = sessions.iter().map(|session| &session["current"]).collect();
    assert_eq!(current.iter().filter(|current| ***current == json!(true)).count(), 1);
    assert_eq!(sessions.len(), 2);
    assert!(sessions.iter().all(|session| session["expiresAt"].as_str() > session["createdAt"].as_str()));
    assert!(!list.text().contains(&first[3..]) && !list.text().contains(&second[3..]), "no token is shown");

    assert_eq!(
        stage.send(change("long enough", "short").bearer(&first)).await.field(),
        (422, Some("newPassword".into()))
    );
    for wrong in ["not the old one", "short"] {
        let wrong = stage.send(change(wrong, "long enough too").bearer(&first)).await;
        assert_eq!(wrong.kind(), (403, "wrong-password".to_owned()));
    }
    assert_eq!((status(&stage, &first).await, status(&stage, &second).await), (200, 200), "nothing was changed");

    assert_eq!(stage.send(change("long enough", "long enough too").bearer(&first)).await.status, 204);
    assert_eq!((status(&stage, &first).await, status(&stage, &second).await), (200, 401));
    assert_eq!(sign_in(&stage, "long enough").await.status, 401);
    assert_eq!(sign_in(&stage, "long enough too").await.status, 201);
    assert_eq!(stage.send(change("long enough", "long enough too").bearer(SCRIPT)).await.kind().1, "no-password");

    let third = stage.app.hosts.issue_token("Ann").await.unwrap().token.expose().to_owned();
    assert_eq!(status(&stage, &third).await, 200);
    for token in [third.as_str(), SCRIPT] {
        assert_eq!(stage.send(Ask::new("DELETE", "/api/v1/me/sessions").bearer(token)).await.status, 204);
    }
    assert_eq!((status(&stage, &first).await, status(&stage, &third).await), (401, 401));
    assert_eq!(status(&stage, &bob).await, 200);
    assert_eq!(status(&stage, SCRIPT).await, 200, "the fixed token of the settings still works");
}

#[tokio::test]
async fn wrong_old_passwords_are_limited_like_sign_ins_and_of_two_changes_at_once_one_succeeds() {
    let stage = Stage::with(&[("SIGN_INS_PER_MINUTE_PER_ACCOUNT", "2")]).await;
    let token = stage.host("Ann").await;
    let attempt = |old: &str| stage.send(change(old, "long enough too").bearer(&token).from("198.51.100.9"));
    for expected in [403, 403, 429] {
        assert_eq!(attempt("not the old one").await.status, expected);
    }
    let limited = attempt("long enough").await;
    assert_eq!(limited.kind(), (429, "too-often".to_owned()), "the right password is refused too, from this address");
    assert!(limited.header("ratelimit").starts_with("\"sign-in\""));

    // The account is not locked for other addresses.
    let (one, other) = tokio::join!(
        stage.send(change("long enough", "the first new one").bearer(&token).from("198.51.100.10")),
        stage.send(change("long enough", "the second new one").bearer(&token).from("198.51.100.11")),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 403]);
    let is_first = one.status == 204;
    assert_eq!(sign_in(&stage, "the first new one").await.status == 201, is_first);
    assert_eq!(sign_in(&stage, "the second new one").await.status == 201, !is_first);
}
