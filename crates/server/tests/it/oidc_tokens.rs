//! Which ID tokens are valid, and how little a provider that does not answer delays other people.

use std::time::Duration;

use futures_util::future::join_all;
use quizhall::clock;
use serde_json::json;
use tokio::time::timeout;

use crate::http_stage::{Ask, SCRIPT};
use crate::oidc_place::Place;
use crate::oidc_provider::{CLIENT, Signature};

#[tokio::test]
async fn a_token_that_is_not_valid_makes_no_session() {
    let place = Place::new(&[("OIDC_ALLOWED_DOMAINS", "*"), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000")]).await;
    let now = clock::unix_ms() / 1_000;
    for claims in [
        json!({"nonce": "another"}),
        json!({"nonce": null}),
        json!({"iss": "http://127.0.0.1:1"}),
        json!({"aud": "another"}),
        json!({"aud": null}),
        json!({"azp": "another"}),
        json!({"exp": now - 120}),
        json!({"exp": null}),
        json!({"nbf": now + 600}),
        json!({"sub": ""}),
        json!({"sub": null}),
        json!({"sub": "s".repeat(256)}),
        json!({"sub": "ann\u{0}"}),
        json!({"sub": "ann\n"}),
        json!({"sub": 42}),
        json!({"iss": [place.provider.issuer(), "https://login.example.org"]}),
        json!({"iss": [place.provider.issuer()]}),
        json!({"iat": now + 86_400}),
        json!({"aud": [CLIENT, "another"]}),
        json!({"aud": [CLIENT, "another"], "azp": "another"}),
        json!({"aud": [CLIENT, "another"], "azp": [CLIENT]}),
        json!({"aud": CLIENT, "azp": "another"}),
    ] {
        assert_eq!(place.sign_in(&claims).await.kind(), (403, "sign-in-refused".to_owned()), "{claims}");
    }
    for signature in
        [Signature::OtherKey, Signature::SharedSecret, Signature::None, Signature::EncryptionKey, Signature::Critical]
    {
        let back = place.back(&json!({}), signature).await;
        assert_eq!(place.finish(&back).await.kind(), (403, "sign-in-refused".to_owned()));
    }
    let list = place.stage.send(Ask::get("/api/v1/hosts").bearer(SCRIPT)).await.json();
    assert_eq!(list["hosts"].as_array().unwrap().len(), 1, "no account but the script's: {list}");
}

#[tokio::test]
async fn a_token_may_be_valid_in_several_ways() {
    let place = Place::open().await;
    for claims in [
        json!({"aud": CLIENT}),
        json!({"aud": [CLIENT, CLIENT]}),
        json!({"aud": CLIENT, "azp": CLIENT}),
        json!({"aud": [CLIENT, "another"], "azp": CLIENT}),
        json!({"iat": clock::unix_ms() / 1_000 + 30}),
        json!({"iat": null, "azp": null}),
        json!({"sub": "s".repeat(255)}),
    ] {
        assert_eq!(place.sign_in(&claims).await.status, 201, "{claims}");
    }
    // It is the only key for signatures; the provider also publishes one for encryption.
    let back = place.back(&json!({}), Signature::Unnamed).await;
    assert_eq!(place.finish(&back).await.status, 201);
}

/// The most sign-ins that may wait for a provider at once.
const PLACES: usize = 64;

#[tokio::test]
async fn a_provider_that_hangs_holds_up_no_one_else() {
    let place = Place::new(&[("OIDC_ALLOWED_DOMAINS", "*"), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000")]).await;
    place.stage.host("Ann").await;
    place.provider.hang();
    let began = clock::now();
    let asking = async || {
        let reply = place.stage.send(Ask::new("POST", "/api/v1/oidc/attempts")).await;
        (reply.kind(), clock::since(began))
    };
    let hanging = join_all((0..PLACES + 8).map(|_| asking()));
    let password = async {
        let body = json!({"name": "Ann", "password": "long enough"});
        place.stage.send(Ask::post("/api/v1/sessions", &body)).await.status
    };
    let (answers, signed_in) = tokio::join!(
        async { timeout(Duration::from_secs(25), hanging).await.expect("no sign-in waits for the turn of another") },
        async { timeout(Duration::from_secs(8), password).await.expect("the password needs no provider") },
    );
    assert_eq!(signed_in, 201);
    assert!(answers.iter().all(|(kind, _)| *kind == (503, "identity-provider-unavailable".to_owned())));
    let at_once = answers.iter().filter(|(_, after)| *after < Duration::from_secs(8)).count();
    assert_eq!(at_once, 8, "the others are refused at once");
}
