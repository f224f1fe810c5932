//! Signing in with an OpenID Connect provider: the people who get an account, the refusals, and the secrets that are never logged.

use quizhall::config::Config;
use serde_json::{Value, json};

use crate::http_stage::{Ask, SCRIPT, Stage};
use crate::oidc_place::{Back, Place};
use crate::oidc_provider::{CLIENT, Return, SECRET, Signature};
use crate::telemetry::Page;

#[tokio::test]
async fn the_first_sign_in_makes_an_account_and_later_ones_find_it() {
    let place = Place::open().await;
    let methods = place.stage.send(Ask::get("/api/v1/sign-in-methods")).await;
    assert_eq!(methods.json(), json!({"oidc": true}));
    let first = place.sign_in(&json!({"sub": "ann", "name": "Ann"})).await;
    assert_eq!(first.status, 201, "{}", first.text());
    let session = first.json();
    assert_eq!(session["host"]["name"], json!("Ann"));
    // The session is like any other.
    let token = session["token"].as_str().unwrap().to_owned();
    let current = place.stage.send(Ask::get("/api/v1/sessions/current").bearer(&token)).await.json();
    assert_eq!((&current["host"], &current["expiresAt"]), (&session["host"], &session["expiresAt"]));
    // The provider's name for the person may change; its subject does not.
    let again = place.sign_in(&json!({"sub": "ann", "name": "Ann Other"})).await.json();
    assert_eq!(again["host"], session["host"]);
    assert_ne!(again["token"], session["token"]);
    let list = place.stage.send(Ask::get("/api/v1/hosts").bearer(SCRIPT)).await.json();
    assert!(list["hosts"].as_array().unwrap().iter().any(|host| host["id"] == session["host"]["id"]));
}

#[tokio::test]
async fn another_identity_never_gets_an_account_by_its_name() {
    let place = Place::open().await;
    place.stage.host("Ann").await;
    let second = place.sign_in(&json!({"sub": "1", "name": "ANN"})).await.json();
    assert_eq!(second["host"]["name"], json!("ANN 2"));
    let third = place.sign_in(&json!({"sub": "2", "name": "Ann"})).await.json();
    assert_eq!(third["host"]["name"], json!("Ann 3"));
    let of_mail = place.sign_in(&json!({"sub": "3", "name": "\u{0}", "email": "bob@example.org"})).await.json();
    assert_eq!(of_mail["host"]["name"], json!("bob"));
    let nameless = place.sign_in(&json!({"sub": "4"})).await.json();
    assert_eq!(nameless["host"]["name"], json!("host"));
    // The account has no password that could be guessed.
    for password in ["", "long enough", "null"] {
        let body = json!({"name": "Ann 3", "password": password});
        assert_eq!(place.stage.send(Ask::post("/api/v1/sessions", &body)).await.status, 401);
    }
}

#[tokio::test]
async fn of_sign_ins_at_once_one_makes_the_account() {
    let place = Place::open().await;
    let claims = json!({"sub": "ann", "name": "Ann"});
    let replies = futures_util::future::join_all((0..4).map(|_| place.sign_in(&claims))).await;
    let first = replies[0].json()["host"].clone();
    assert!(replies.iter().all(|reply| reply.status == 201 && reply.json()["host"] == first));
}

#[tokio::test]
async fn a_sign_in_is_finished_once_and_by_its_own_browser() {
    let place = Place::open().await;
    let back = place.back(&json!({}), Signature::Right).await;
    assert_eq!(place.finish(&back).await.status, 201);
    let expired = (403, "sign-in-expired".to_owned());
    assert_eq!(place.finish(&back).await.kind(), expired);

    // Another browser uses the address to which the provider sent this one.
    let stolen = place.back(&json!({}), Signature::Right).await;
    let other = Back { at: stolen.at.clone(), verifier: place.begin().await["verifier"].as_str().unwrap().to_owned() };
    assert_eq!(place.finish(&other).await.kind(), expired);
    assert_eq!(place.finish(&stolen).await.kind(), expired, "a wrong try uses up the attempt");

    let made_up = Back { at: Return { state: "made-up".to_owned(), ..stolen.at.clone() }, ..stolen };
    assert_eq!(place.finish(&made_up).await.kind(), expired);
    let refused = place.back(&json!({}), Signature::Right).await;
    let refused = Back { at: Return { code: "no-code".to_owned(), ..refused.at.clone() }, ..refused };
    assert_eq!(place.finish(&refused).await.kind(), (403, "sign-in-refused".to_owned()));
}

#[tokio::test]
async fn the_settings_say_whose_accounts_may_sign_in() {
    let place =
        Place::new(&[("OIDC_ALLOWED_DOMAINS", "example.org, Example.NET"), ("OIDC_ALLOWED_GROUPS", "quiz,hosts")])
            .await;
    let account = |email: &str, verified: Value, groups: Value| json!({"email": email, "email_verified": verified, "groups": groups});
    for (claims, status) in [
        (account("ann@example.org", json!(true), json!(["staff", "quiz"])), 201),
        (account("ann@EXAMPLE.net", json!("true"), json!("hosts")), 201),
        (account("ann@example.org", json!(false), json!(["quiz"])), 403),
        (account("ann@example.org", json!(null), json!(["quiz"])), 403),
        (account("ann@sub.example.org", json!(true), json!(["quiz"])), 403),
        (account("example.org", json!(true), json!(["quiz"])), 403),
        (account("ann@example.org", json!(true), json!(["quizzes"])), 403),
        (account("ann@example.org", json!(true), json!({"quiz": true})), 403),
        (json!({"groups": ["quiz"]}), 403),
    ] {
        let reply = place.sign_in(&claims).await;
        assert_eq!(reply.status, status, "{claims}: {}", reply.text());
        if status == 403 {
            assert_eq!(reply.kind().1, "account-not-allowed");
        }
    }
}

#[tokio::test]
async fn a_disabled_account_cannot_be_signed_in_to() {
    let place = Place::open().await;
    let session = place.sign_in(&json!({})).await.json();
    let path = format!("/api/v1/hosts/{}", session["host"]["id"].as_str().unwrap());
    let disable = |disabled: bool| Ask::new("PATCH", &path).json(&json!({"disabled": disabled})).bearer(SCRIPT);
    assert_eq!(place.stage.send(disable(true)).await.status, 200);
    assert_eq!(place.sign_in(&json!({})).await.kind(), (401, "wrong-credentials".to_owned()));
    let token = session["token"].as_str().unwrap();
    assert_eq!(place.stage.send(Ask::get("/api/v1/sessions/current").bearer(token)).await.status, 401);
    assert_eq!(place.stage.send(disable(false)).await.status, 200);
    assert_eq!(place.sign_in(&json!({})).await.json()["host"], session["host"]);
    // A removed account is created again as a different account.
    assert_eq!(place.stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 409, "it owns its sample");
    let purge = format!("{path}?purgeGames=true");
    assert_eq!(place.stage.send(Ask::new("DELETE", &purge).bearer(SCRIPT)).await.status, 204);
    assert_ne!(place.sign_in(&json!({})).await.json()["host"]["id"], session["host"]["id"]);
}

#[tokio::test]
async fn beginning_is_limited_by_address() {
    let place = Place::new(&[("OIDC_ALLOWED_DOMAINS", "*"), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "2")]).await;
    for status in [201, 201, 429] {
        assert_eq!(place.stage.send(Ask::new("POST", "/api/v1/oidc/attempts")).await.status, status);
    }
    let wrong = json!({"name": "Ann", "password": "not the one"});
    for status in [401, 401, 429] {
        let sign_in = Ask::post("/api/v1/sessions", &wrong);
        assert_eq!(place.stage.send(sign_in).await.status, status, "attempts with a password are counted apart");
    }
    let elsewhere = Ask::new("POST", "/api/v1/oidc/attempts").from("198.51.100.7");
    assert_eq!(place.stage.send(elsewhere).await.status, 201);
}

#[tokio::test]
async fn without_a_provider_there_is_nothing() {
    let stage = Stage::new().await;
    assert_eq!(stage.send(Ask::get("/api/v1/sign-in-methods")).await.json(), json!({"oidc": false}));
    assert_eq!(stage.send(Ask::new("POST", "/api/v1/oidc/attempts")).await.kind(), (404, "not-found".to_owned()));
    let body = json!({"state": "s", "code": "c", "verifier": "v"});
    assert_eq!(stage.send(Ask::post("/api/v1/oidc/sessions", &body)).await.kind(), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn a_provider_that_fails_leaves_the_password() {
    let unavailable = (503, "identity-provider-unavailable".to_owned());
    let place = Place::open().await;
    let back = place.back(&json!({}), Signature::Right).await;
    place.provider.break_down();
    assert_eq!(place.finish(&back).await.kind(), unavailable);
    place.stage.host("Ann").await;

    // No process listens on this port.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let issuer = format!("http://{closed}");
    let settings = [("OIDC_ISSUER", issuer.as_str()), ("OIDC_CLIENT_ID", CLIENT), ("OIDC_ALLOWED_DOMAINS", "*")];
    let stage = Stage::with(&settings).await;
    assert_eq!(stage.send(Ask::new("POST", "/api/v1/oidc/attempts")).await.kind(), unavailable);
}

#[tokio::test]
async fn nothing_of_a_sign_in_is_logged() {
    let log = Page::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let place = Place::open().await;
    let back = place.back(&json!({"name": "Canary Name", "email": "canary@example.org"}), Signature::Right).await;
    let token = place.finish(&back).await.json()["token"].as_str().unwrap().to_owned();
    place.sign_in(&json!({"nonce": "canary"})).await;
    let request = place.provider.last_request();
    tracing::info!("the log is kept");
    drop(guard);
    let text = log.text();
    assert!(text.contains("the log is kept") && text.contains("was refused"), "{text}");
    let secrets =
        [&back.at.code, &back.at.state, &back.verifier, &token, &request["id_token"], &request["code_verifier"]];
    for secret in secrets.into_iter().map(String::as_str).chain(["anary", SECRET]) {
        assert!(!text.contains(secret), "promise 19: {text}");
    }
}

#[test]
fn settings_that_do_not_fit_are_named() {
    let complete = [
        ("PUBLIC_URL", "https://quiz.example.org"),
        ("OIDC_ISSUER", "https://login.example.org"),
        ("OIDC_CLIENT_ID", "quizhall"),
        ("OIDC_ALLOWED_GROUPS", "hosts"),
    ];
    let with = |name: &str, value: Option<&'static str>| {
        let mut pairs: Vec<(&str, &str)> = complete.into_iter().filter(|(known, _)| *known != name).collect();
        pairs.extend(value.map(|value| (name, value)));
        let read = Config::from_pairs(&pairs);
        read.map(|config| config.oidc.is_some()).map_err(|problems| problems[0].to_string())
    };
    assert_eq!(with("OIDC_ISSUER", Some("https://login.example.org/realms/one")), Ok(true));
    assert_eq!(with("OIDC_ISSUER", Some("http://localhost:9000")), Ok(true));
    for (name, value) in [
        ("PUBLIC_URL", None),
        ("OIDC_ISSUER", Some("http://login.example.org")),
        ("OIDC_ISSUER", Some("login.example.org")),
        ("OIDC_ISSUER", Some("https://login.example.org/?tenant=1")),
        ("OIDC_CLIENT_ID", None),
        ("OIDC_SCOPES", Some("email")),
    ] {
        assert!(with(name, value).unwrap_err().starts_with(name), "{name} {value:?}");
    }
    assert!(with("OIDC_ALLOWED_GROUPS", None).unwrap_err().starts_with("OIDC_ALLOWED_DOMAINS"));
    assert_eq!(
        Config::from_pairs(&[]).map(|config| config.oidc.is_some()).map_err(|_| ()),
        Ok(false),
        "off by default"
    );
}

#[tokio::test]
async fn a_group_makes_owners_at_each_sign_in_where_the_settings_say_so() {
    // No other test reaches the log call of the audit, so it is registered with this subscriber.
    let log = Page::default();
    let subscriber = tracing_subscriber::fmt().json().with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let place = Place::new(&[("OIDC_ALLOWED_DOMAINS", "*"), ("OIDC_OWNER_GROUPS", "admins, chiefs")]).await;
    let role = async |claims: Value| {
        let session = place.sign_in(&claims).await.json();
        let token = session["token"].as_str().unwrap().to_owned();
        place.stage.send(Ask::get("/api/v1/me").bearer(&token)).await.json()
    };
    let first = role(json!({"sub": "ann", "name": "Ann", "groups": ["staff", "chiefs"]})).await;
    assert_eq!((&first["role"], &first["password"], &first["oidc"]), (&json!("owner"), &json!(false), &json!(true)));
    // This holds for the last owner as well: the provider decides.
    assert_eq!(role(json!({"sub": "ann", "groups": "staff"})).await["role"], json!("host"));
    assert_eq!(role(json!({"sub": "ann", "groups": "admins"})).await["role"], json!("owner"));
    assert_eq!(role(json!({"sub": "ann"})).await["role"], json!("host"), "no claim");
    assert_eq!(
        role(json!({"sub": "bob", "groups": ["Admins"]})).await["role"],
        json!("host"),
        "names are compared exactly"
    );
    assert_eq!(role(json!({"sub": "ann", "groups": ["chiefs"]})).await["id"], first["id"]);
    assert_eq!(role(json!({"sub": "ann", "groups": ["admins"]})).await["role"], json!("owner"), "and stays one");
    drop(guard);
    let text = log.text();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["fields"].clone());
    let changes: Vec<_> = lines.filter(|fields| fields["audit"] == "change_account").collect();
    assert_eq!(changes.len(), 5, "one line for each sign-in that changed the role: {changes:?}");
    assert!(changes.iter().all(|fields| fields["by"] == "provider" && fields["subject"] == first["id"]), "{changes:?}");

    // Without the setting, the role is the one that owners or the command line gave.
    let place = Place::open().await;
    let session = place.sign_in(&json!({"sub": "ann", "groups": ["admins"]})).await.json();
    let path = format!("/api/v1/hosts/{}", session["host"]["id"].as_str().unwrap());
    let promote = Ask::new("PATCH", &path).json(&json!({"role": "owner"})).bearer(SCRIPT);
    assert_eq!(place.stage.send(promote).await.json()["role"], json!("owner"));
    let again = place.sign_in(&json!({"sub": "ann"})).await.json();
    let me = place.stage.send(Ask::get("/api/v1/me").bearer(again["token"].as_str().unwrap())).await.json();
    assert_eq!(me["role"], json!("owner"));
    let change = json!({"oldPassword": "no such password", "newPassword": "long enough too"});
    let refused = Ask::post("/api/v1/me/password", &change).bearer(again["token"].as_str().unwrap());
    assert_eq!(place.stage.send(refused).await.kind(), (409, "no-password".to_owned()));
}
