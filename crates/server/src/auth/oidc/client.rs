//! Requests to the provider over HTTP: its description, its keys, the ID token for a code, and `userinfo`.
//!
//! Called only by `oidc`, which limits the time of a whole step. Every answer has a limit of bytes. Redirections are
//! not followed, and nothing is sent to an address that is neither https nor this machine. No lock is held during a
//! request.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::Jwk;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use super::{OidcError, TIME_LIMIT};
use crate::clock;
use crate::config::{Oidc, is_trusted};
use crate::tls;

/// Most bytes of an answer.
const MOST_BYTES: usize = 256 * 1_024;

/// How long the description of the provider is used.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// The used parts of the provider's description of itself.
#[derive(Debug, Deserialize)]
pub(super) struct Description {
    issuer: String,
    pub authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// The code that the browser brought back.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub code: &'a str,
    pub verifier: &'a str,
}

/// The provider's answer to a code.
#[derive(Deserialize)]
pub(super) struct Granted {
    pub id_token: String,
    /// The token for `userinfo`.
    access_token: Option<String>,
}

/// The keys as the provider publishes them; an unreadable one is left out.
#[derive(Deserialize)]
struct PublishedKeys {
    keys: Vec<Value>,
}

/// The provider's reason for refusing a request for a token.
#[derive(Deserialize)]
struct TokenRefusal {
    error: String,
}

pub(super) struct ProviderClient {
    http: Client,
    known: Mutex<Option<(Instant, Arc<Description>)>>,
}

impl ProviderClient {
    pub fn new() -> Self {
        let http = tls::client(|| Client::builder().timeout(TIME_LIMIT).redirect(Policy::none()));
        Self { http, known: Mutex::new(None) }
    }

    /// The provider's description, at most ten minutes old. Sign-ins that find no description request it at once, each
    /// for itself, so none waits for another's request.
    pub async fn discover(&self, issuer: &str) -> Result<Arc<Description>, OidcError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, description)) = known.filter(|(read_at, _)| clock::since(*read_at) < FRESH) {
            return Ok(description);
        }
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let read_at = clock::now();
        let description: Description = self.json(self.http.get(trusted(&address)?)).await?;
        if description.issuer != issuer {
            return Err(OidcError::Provider("it describes another issuer than OIDC_ISSUER"));
        }
        trusted(&description.authorization_endpoint)?;
        let description = Arc::new(description);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((read_at, Arc::clone(&description)));
        Ok(description)
    }

    /// The provider's keys, as they are now.
    pub async fn keys(&self, provider: &Description) -> Result<Vec<Jwk>, OidcError> {
        let published: PublishedKeys = self.json(self.http.get(trusted(&provider.jwks_uri)?)).await?;
        Ok(published.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect())
    }

    /// The claims of `userinfo` about the person to whom these tokens belong; `None` when the provider has no such
    /// endpoint.
    pub async fn user_info(
        &self,
        provider: &Description,
        granted: &Granted,
    ) -> Result<Option<Map<String, Value>>, OidcError> {
        let Some(address) = &provider.userinfo_endpoint else { return Ok(None) };
        let token = granted.access_token.as_ref().ok_or(OidcError::Refused("the provider gives no access token"))?;
        let response = sent(self.http.get(trusted(address)?).bearer_auth(token)).await?;
        if response.status().is_client_error() {
            return Err(OidcError::Refused("the provider refuses its own access token at userinfo"));
        }
        read(response).await.map(Some)
    }

    /// The tokens for a code.
    pub async fn redeem(&self, provider: &Description, settings: &Oidc, code: Code<'_>) -> Result<Granted, OidcError> {
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code.code),
            ("redirect_uri", settings.redirect_url.as_str()),
            ("client_id", settings.client_id.as_str()),
            ("code_verifier", code.verifier),
        ];
        let mut request = self.http.post(trusted(&provider.token_endpoint)?);
        if let Some(secret) = &settings.client_secret {
            let methods = &provider.token_endpoint_auth_methods_supported;
            // A provider without a list accepts the first method.
            if methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic") {
                request = request.basic_auth(encoded(&settings.client_id), Some(encoded(secret.expose_secret())));
            } else {
                form.push(("client_secret", secret.expose_secret()));
            }
        }
        let response = sent(request.form(&form)).await?;
        if response.status() == StatusCode::BAD_REQUEST || response.status() == StatusCode::UNAUTHORIZED {
            let refusal: Option<TokenRefusal> =
                body(response).await.ok().and_then(|body| serde_json::from_slice(&body).ok());
            return Err(OidcError::Refused(cause_of(refusal.as_ref().map_or("", |refusal| &refusal.error))));
        }
        read(response).await
    }

    async fn json<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, OidcError> {
        read(sent(request).await?).await
    }
}

/// Why the provider refuses a code, by its error code. The rest of its answer may name the person.
fn cause_of(error: &str) -> &'static str {
    match error {
        "invalid_client" => "the provider does not know the client: OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong",
        "invalid_grant" => {
            "the provider does not accept the code: it has expired, was used, or is of another redirect address"
        }
        "unauthorized_client" | "unsupported_grant_type" => {
            "the provider has not the code flow switched on for this client"
        }
        "invalid_scope" => "the provider does not accept OIDC_SCOPES",
        _ => "the provider does not accept the code",
    }
}

async fn sent(request: RequestBuilder) -> Result<Response, OidcError> {
    request.send().await.map_err(unreachable_provider)
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, OidcError> {
    if response.status().is_client_error() {
        return Err(OidcError::Refused("the provider refuses the request"));
    }
    if !response.status().is_success() {
        return Err(OidcError::Provider("it answers with an error"));
    }
    let bytes = body(response).await?;
    serde_json::from_slice(&bytes).map_err(|_| OidcError::Provider("its answer cannot be read"))
}

async fn body(mut response: Response) -> Result<Vec<u8>, OidcError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable_provider)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MOST_BYTES {
            return Err(OidcError::Provider("its answer is too long"));
        }
    }
    Ok(bytes)
}

fn unreachable_provider(_: reqwest::Error) -> OidcError {
    OidcError::Provider("it cannot be reached")
}

fn trusted(address: &str) -> Result<Url, OidcError> {
    Url::parse(address).ok().filter(is_trusted).ok_or(OidcError::Provider("it names an address that is not https"))
}

/// Encodes the credentials of a client as they are before they become a user name and a password.
fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
