//! Claims as real providers send them: only in `userinfo`, with other types than in the standard, and as Entra ID does.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply};
use crate::oidc_place::Place;
use crate::oidc_provider::MockProvider;
use crate::telemetry::Page;

const BY_DOMAIN: (&str, &str) = ("OIDC_ALLOWED_DOMAINS", "example.org");
const EVERYONE: (&str, &str) = ("OIDC_ALLOWED_DOMAINS", "*");
const BY_GROUP: (&str, &str) = ("OIDC_ALLOWED_GROUPS", "quiz, 6f1c2f6e-8f2b-4f5c-9d6a-0b6f3c1d2e4f");
const TRUSTED: (&str, &str) = ("OIDC_TRUST_EMAIL_DOMAINS", "Example.ORG");

/// A service whose provider answers `userinfo` with this.
async fn with_info(info: Value, settings: &[(&str, &str)]) -> Place {
    Place::at(MockProvider::with_info(Some((StatusCode::OK, info.to_string()))).await, settings).await
}

impl Place {
    /// From now on `userinfo` answers this.
    fn says(&self, info: &Value) {
        self.provider.says(StatusCode::OK, info.to_string());
    }
}

fn refused() -> (u16, String) {
    (403, "sign-in-refused".to_owned())
}

fn not_allowed() -> (u16, String) {
    (403, "account-not-allowed".to_owned())
}

async fn role(place: &Place, reply: &Reply) -> Value {
    let session = reply.json();
    let me = Ask::get("/api/v1/me").bearer(session["token"].as_str().unwrap());
    place.stage.send(me).await.json()["role"].clone()
}

#[tokio::test]
async fn claims_that_are_in_userinfo_only_count() {
    let person = json!({"sub": "ann", "name": "Ann", "email": "ann@example.org", "email_verified": true, "groups": ["quiz", "chiefs"]});
    for setting in [BY_DOMAIN, BY_GROUP] {
        let place = with_info(person.clone(), &[setting]).await;
        let reply = place.sign_in(&json!({"sub": "ann"})).await;
        assert_eq!((reply.status, &reply.json()["host"]["name"]), (201, &json!("Ann")), "{setting:?}");
    }
    let place = with_info(person, &[EVERYONE, ("OIDC_OWNER_GROUPS", "chiefs")]).await;
    assert_eq!(role(&place, &place.sign_in(&json!({"sub": "ann"})).await).await, json!("owner"));
    // A group that was removed at the provider is removed here.
    place.says(&json!({"sub": "ann", "groups": ["staff"]}));
    assert_eq!(role(&place, &place.sign_in(&json!({"sub": "ann"})).await).await, json!("host"));
}

#[tokio::test]
async fn userinfo_is_asked_only_for_what_is_needed() {
    let place = with_info(json!({"sub": "ann", "name": "Another"}), &[BY_DOMAIN, BY_GROUP]).await;
    let full =
        json!({"sub": "ann", "name": "Ann", "email": "ann@example.org", "email_verified": true, "groups": ["quiz"]});
    let reply = place.sign_in(&full).await;
    assert_eq!((reply.status, &reply.json()["host"]["name"]), (201, &json!("Ann")), "the ID token has precedence");
    assert_eq!(place.provider.info_requests(), 0);
    // An empty list counts as a claim.
    assert_eq!(
        place
            .sign_in(&json!({"sub": "ann", "email": "ann@example.org", "email_verified": true, "groups": []}))
            .await
            .kind(),
        not_allowed()
    );
    assert_eq!(place.provider.info_requests(), 0);
}

#[tokio::test]
async fn userinfo_of_another_account_or_without_one_is_refused() {
    let place = with_info(json!({}), &[BY_DOMAIN]).await;
    for sub in [json!("eve"), json!(null), json!(["ann"]), json!("ANN")] {
        place.says(&json!({"sub": sub, "email": "ann@example.org", "email_verified": true}));
        assert_eq!(place.sign_in(&json!({"sub": "ann"})).await.kind(), refused(), "{sub}");
    }
}

#[tokio::test]
async fn an_address_of_one_source_is_not_verified_by_the_other() {
    let place = with_info(json!({"sub": "ann", "email_verified": true}), &[BY_DOMAIN]).await;
    assert_eq!(place.sign_in(&json!({"sub": "ann", "email": "ann@example.org"})).await.kind(), not_allowed());
    place.says(&json!({"sub": "ann", "email": "ann@example.net", "email_verified": true}));
    assert_eq!(place.sign_in(&json!({"sub": "ann", "email": "ann@example.org"})).await.kind(), not_allowed());
    place.says(&json!({"sub": "ann", "email": "ann@example.org", "email_verified": true}));
    assert_eq!(place.sign_in(&json!({"sub": "ann", "email_verified": true})).await.status, 201);
    let no = json!({"sub": "ann", "email": "ann@example.org", "email_verified": false});
    assert_eq!(place.sign_in(&no).await.kind(), not_allowed(), "the ID token says no");
}

#[tokio::test]
async fn a_userinfo_that_fails_refuses_only_whom_it_decides_about() {
    let unavailable = (503, "identity-provider-unavailable".to_owned());
    let (decides, names) = (with_info(json!({}), &[BY_DOMAIN]).await, with_info(json!({}), &[EVERYONE]).await);
    for (status, body, kind) in [
        (StatusCode::BAD_GATEWAY, String::new(), unavailable.clone()),
        (StatusCode::UNAUTHORIZED, String::new(), refused()),
        (StatusCode::FOUND, String::new(), unavailable.clone()),
        (StatusCode::OK, "eyJhbGciOiJub25lIn0.e30.".to_owned(), unavailable.clone()),
        (StatusCode::OK, "[]".to_owned(), unavailable.clone()),
        (StatusCode::OK, format!("{{\"sub\":\"ann\",\"x\":\"{}\"}}", "x".repeat(300_000)), unavailable),
    ] {
        decides.provider.says(status, body.clone());
        assert_eq!(decides.sign_in(&json!({"sub": "ann"})).await.kind(), kind, "{status}");
        names.provider.says(status, body);
        let nameless = names.sign_in(&json!({"sub": "ann"})).await;
        assert_eq!((nameless.status, &nameless.json()["host"]["name"]), (201, &json!("host")), "{status}");
    }
    // The provider has no `userinfo` endpoint.
    let place = Place::new(&[BY_DOMAIN]).await;
    assert_eq!(place.sign_in(&json!({"sub": "ann"})).await.kind(), not_allowed());
}

#[tokio::test]
async fn a_claim_of_another_type_counts_as_absent() {
    let odd = json!({"name": {"given": "Ann"}, "preferred_username": 7, "email": ["ann@example.org"], "email_verified": "perhaps",
        "groups": {"quiz": {}}, "azp": null});
    let with = |sub: &str| {
        let mut claims = odd.clone();
        claims["sub"] = json!(sub);
        claims
    };
    let place = Place::new(&[EVERYONE, ("OIDC_OWNER_GROUPS", "quiz")]).await;
    let reply = place.sign_in(&with("ann")).await;
    assert_eq!((reply.status, &reply.json()["host"]["name"]), (201, &json!("host")));
    assert_eq!(role(&place, &reply).await, json!("host"));
    let place = Place::new(&[BY_DOMAIN]).await;
    assert_eq!(place.sign_in(&with("ann")).await.kind(), not_allowed());
    // `userinfo` has the claims with the right types.
    let right = json!({"sub": "ann", "name": "Ann", "email": "ann@example.org", "email_verified": true, "groups": ["quiz", 7, null]});
    let place = with_info(right, &[BY_DOMAIN, BY_GROUP]).await;
    assert_eq!(place.sign_in(&with("ann")).await.json()["host"]["name"], json!("Ann"));
}

/// As Entra ID writes them: no `email_verified`, groups by their ids.
fn of_entra() -> Value {
    json!({"sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "oid": "00000000-0000-0000-66f3-3332eca7ea81",
        "tid": "9122040d-6c67-4c5b-b112-36a304b66dad", "ver": "2.0", "name": "Ann", "preferred_username": "ann@example.org",
        "email": "Ann@example.org", "groups": ["6f1c2f6e-8f2b-4f5c-9d6a-0b6f3c1d2e4f"]})
}

#[tokio::test]
async fn accounts_of_entra_id_sign_in_where_the_operator_trusts_their_addresses() {
    let info = json!({"sub": of_entra()["sub"], "name": "Ann", "email": "Ann@example.org", "picture": "https://graph.example/photo"});
    for (settings, status) in [
        (vec![BY_DOMAIN], 403),
        (vec![BY_DOMAIN, TRUSTED], 201),
        (vec![BY_DOMAIN, TRUSTED, BY_GROUP], 201),
        (vec![EVERYONE, BY_GROUP], 201),
        (vec![BY_DOMAIN, ("OIDC_TRUST_EMAIL_DOMAINS", "example.net")], 403),
        (vec![("OIDC_ALLOWED_DOMAINS", "example.net"), TRUSTED], 403),
    ] {
        let place = with_info(info.clone(), &settings).await;
        assert_eq!(place.sign_in(&of_entra()).await.status, status, "{settings:?}");
    }
    // An address that the provider denies is not trusted, and a name is not an address.
    let place = with_info(info, &[BY_DOMAIN, TRUSTED]).await;
    let mut denied = of_entra();
    denied["email_verified"] = json!(false);
    assert_eq!(place.sign_in(&denied).await.kind(), not_allowed());
    let place = Place::new(&[BY_DOMAIN, TRUSTED]).await;
    let mut without = of_entra();
    without["email"] = json!(null);
    assert_eq!(place.sign_in(&without).await.kind(), not_allowed());
}

#[tokio::test]
async fn the_log_names_the_cause_of_each_refusal_and_not_the_person() {
    let log = Page::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let canary = |more: Value| {
        let mut claims = json!({"sub": "canary-sub", "name": "Canary", "email": "canary@canary.example"});
        claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        claims
    };
    let elsewhere = json!({"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://canary.example/"}}});
    let by_domain = [
        (json!({}), "OIDC_TRUST_EMAIL_DOMAINS"),
        (json!({"email_verified": false}), "is not verified"),
        (json!({"email_verified": true}), "OIDC_ALLOWED_DOMAINS"),
        (json!({"email": null}), "no email address"),
    ];
    let by_group = [
        (json!({}), "OIDC_SCOPES"),
        (json!({"groups": ["canary"]}), "OIDC_ALLOWED_GROUPS"),
        (elsewhere, "_claim_names"),
    ];
    let of_token = [(json!({"exp": 1}), "has expired"), (json!({"aud": "canary"}), "for another service")];
    let cases =
        [(BY_DOMAIN, &by_domain[..]), (("OIDC_ALLOWED_GROUPS", "quiz"), &by_group[..]), (EVERYONE, &of_token[..])];
    for (setting, refused) in cases {
        let place = Place::new(&[setting]).await;
        for (claims, cause) in refused {
            let before = log.text().len();
            assert_eq!(place.sign_in(&canary(claims.clone())).await.status, 403, "{cause}");
            let text = log.text();
            assert!(text[before..].contains(cause), "{cause}: {}", &text[before..]);
        }
    }
    drop(guard);
    assert!(!log.text().to_lowercase().contains("canary"), "promise 19: {}", log.text());
}
