//! An OpenID Connect provider on loopback, with one client: authorization code with PKCE, ID tokens signed with ES256.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use quizhall::clock;
use rcgen::{KeyPair, PublicKeyData as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

pub const CLIENT: &str = "quizhall:client";
pub const SECRET: &str = "a secret/of the client";
/// The address to which the provider sends browsers back.
pub const REDIRECT: &str = "https://quiz.example.org/host/signed-in";

/// How an ID token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    Right,
    /// Signed with another key than the provider publishes.
    OtherKey,
    /// Signed with the client's secret, which the provider does not do.
    SharedSecret,
    /// Signed with a key that the provider publishes for encryption.
    EncryptionKey,
    /// Signed with the right key, whose name is missing in the header.
    Unnamed,
    /// With a header that the recipient must understand.
    Critical,
    /// Not signed.
    None,
}

/// The provider; it ends with the test.
pub struct MockProvider {
    inner: Arc<Inner>,
    task: JoinHandle<()>,
}

struct Inner {
    issuer: String,
    key: KeyPair,
    encryption_key: KeyPair,
    /// The answer of `userinfo`; `None`: the provider has no such endpoint.
    info: Mutex<Option<(StatusCode, String)>>,
    codes: Mutex<HashMap<String, Grant>>,
    /// Whether every request for a token is answered with an error.
    is_down: AtomicBool,
    /// Whether no request is ever answered.
    hangs: AtomicBool,
    /// How many times `userinfo` was requested.
    info_requests: AtomicUsize,
    /// The last token request, for inspection by tests.
    last_request: Mutex<Option<HashMap<String, String>>>,
}

/// A code that was given to a browser.
struct Grant {
    challenge: String,
    claims: Value,
    signature: Signature,
}

/// What the provider gives the browser to bring back to the service.
#[derive(Clone)]
pub struct Return {
    pub state: String,
    pub code: String,
}

impl MockProvider {
    pub async fn start() -> Self {
        Self::with_info(None).await
    }

    /// A provider whose `userinfo` answers this.
    pub async fn with_info(info: Option<(StatusCode, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner {
            issuer: format!("http://{address}"),
            key: KeyPair::generate().unwrap(),
            encryption_key: KeyPair::generate().unwrap(),
            info: Mutex::new(info),
            codes: Mutex::default(),
            is_down: AtomicBool::new(false),
            hangs: AtomicBool::new(false),
            info_requests: AtomicUsize::new(0),
            last_request: Mutex::default(),
        });
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/me", get(user_info))
            .with_state(Arc::clone(&inner));
        let task = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { inner, task }
    }

    pub fn issuer(&self) -> &str {
        &self.inner.issuer
    }

    /// The browser arrives with the address from the service, and its user signs in; `claims` are added to those of every token or
    /// replace them.
    pub fn sign_in(&self, address: &str, claims: &Value, signature: Signature) -> Return {
        let url = Url::parse(address).unwrap();
        assert_eq!(url.origin().ascii_serialization(), self.inner.issuer);
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", CLIENT),
            ("redirect_uri", REDIRECT),
            ("scope", "openid email profile"),
            ("code_challenge_method", "S256"),
            ("kept", "yes"),
        ] {
            assert_eq!(asked[name], value, "{name}");
        }
        let now = clock::unix_ms() / 1_000;
        let mut all = json!({"iss": self.inner.issuer, "aud": [CLIENT], "sub": "42", "iat": now, "exp": now + 300,
            "nonce": asked["nonce"]});
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        let code = format!("code-{:032x}", rand::random::<u128>());
        let grant = Grant { challenge: asked["code_challenge"].clone(), claims: all, signature };
        self.inner.codes.lock().unwrap().insert(code.clone(), grant);
        Return { state: asked["state"].clone(), code }
    }

    /// From now on it answers requests for a token with an error.
    pub fn break_down(&self) {
        self.inner.is_down.store(true, Ordering::SeqCst);
    }

    /// From now on it accepts requests and answers none.
    pub fn hang(&self) {
        self.inner.hangs.store(true, Ordering::SeqCst);
    }

    /// From now on `userinfo` answers this.
    pub fn says(&self, status: StatusCode, body: String) {
        *self.inner.info.lock().unwrap() = Some((status, body));
    }

    /// How many times `userinfo` was requested.
    pub fn info_requests(&self) -> usize {
        self.inner.info_requests.load(Ordering::SeqCst)
    }

    /// Every text of the last token request that must not be logged.
    pub fn last_request(&self) -> HashMap<String, String> {
        self.inner.last_request.lock().unwrap().clone().unwrap()
    }
}

impl Drop for MockProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn describe(State(inner): State<Arc<Inner>>) -> Json<Value> {
    if inner.hangs.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    let at = |path: &str| format!("{}{path}", inner.issuer);
    let mut description = json!({
        "issuer": inner.issuer,
        // The query of the endpoint must be kept.
        "authorization_endpoint": at("/authorize?kept=yes"),
        "token_endpoint": at("/token"),
        "jwks_uri": at("/keys"),
    });
    if inner.info.lock().unwrap().is_some() {
        description["userinfo_endpoint"] = json!(at("/me"));
    }
    Json(description)
}

async fn keys(State(inner): State<Arc<Inner>>) -> Json<Value> {
    let published = |key: &KeyPair, purpose: &str, name: &str| {
        let point = key.der_bytes();
        let (x, y) = point[1..].split_at(32);
        json!({"kty": "EC", "crv": "P-256", "use": purpose, "kid": name, "x": URL_SAFE_NO_PAD.encode(x),
            "y": URL_SAFE_NO_PAD.encode(y)})
    };
    Json(json!({"keys": [
        {"kty": "EC", "crv": "P-256", "kid": "other", "use": "enc", "x": "AA", "y": "AA"},
        // A key of a type that this service does not know.
        {"kty": "AKP", "alg": "ML-DSA-44", "kid": "quantum", "pub": "AA"},
        published(&inner.encryption_key, "enc", "two"),
        published(&inner.key, "sig", "one"),
    ]}))
}

async fn user_info(State(inner): State<Arc<Inner>>, headers: HeaderMap) -> (StatusCode, HeaderMap, String) {
    assert_eq!(headers["authorization"], "Bearer an-access-token");
    inner.info_requests.fetch_add(1, Ordering::SeqCst);
    let (status, body) = inner.info.lock().unwrap().clone().unwrap();
    (status, [("content-type".parse().unwrap(), "application/json".parse().unwrap())].into_iter().collect(), body)
}

async fn token(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: String) -> Result<Json<Value>, StatusCode> {
    if inner.is_down.load(Ordering::SeqCst) {
        return Err(StatusCode::BAD_GATEWAY);
    }
    let form: HashMap<String, String> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let credentials = STANDARD.encode("quizhall%3Aclient:a+secret%2Fof+the+client");
    assert_eq!(headers["authorization"], format!("Basic {credentials}"));
    assert_eq!((form["grant_type"].as_str(), form["redirect_uri"].as_str()), ("authorization_code", REDIRECT));
    let grant = inner.codes.lock().unwrap().remove(&form["code"]).ok_or(StatusCode::BAD_REQUEST)?;
    assert_eq!(URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"])), grant.challenge);
    let id_token = signed(&inner, &grant);
    let mut request = form;
    request.insert("id_token".to_owned(), id_token.clone());
    *inner.last_request.lock().unwrap() = Some(request);
    Ok(Json(json!({"access_token": "an-access-token", "token_type": "Bearer", "id_token": id_token})))
}

fn signed(inner: &Inner, grant: &Grant) -> String {
    let named = |algorithm, name: &str| Header { kid: Some(name.to_owned()), ..Header::new(algorithm) };
    let by = |key: &KeyPair, header: &Header| {
        encode(header, &grant.claims, &EncodingKey::from_ec_der(key.serialized_der())).unwrap()
    };
    let header = named(Algorithm::ES256, "one");
    match grant.signature {
        Signature::Right => by(&inner.key, &header),
        Signature::OtherKey => by(&KeyPair::generate().unwrap(), &header),
        Signature::EncryptionKey => by(&inner.encryption_key, &named(Algorithm::ES256, "two")),
        Signature::Unnamed => by(&inner.key, &Header::new(Algorithm::ES256)),
        Signature::Critical => by(&inner.key, &Header { crit: Some(vec!["unknown".to_owned()]), ..header }),
        Signature::SharedSecret => {
            let secret = EncodingKey::from_secret(SECRET.as_bytes());
            encode(&named(Algorithm::HS256, "one"), &grant.claims, &secret).unwrap()
        }
        Signature::None => {
            let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            format!("{}.{}.", part(&json!({"alg": "none", "kid": "one"})), part(&grant.claims))
        }
    }
}
