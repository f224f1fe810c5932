//! What is asked of the provider over HTTP: its description, its keys, and the ID token for a code.
//!
//! Called by `oidc` alone. Every request has a time limit, every answer a limit of bytes; redirections are not followed, and
//! nothing is sent to an address that is neither https nor this machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::JwkSet;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use url::{Url, form_urlencoded};

use super::OidcError;
use crate::clock;
use crate::config::{Oidc, is_trusted};

/// How long the provider may take for an answer.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Bytes of an answer.
const MOST_BYTES: usize = 256 * 1_024;

/// How long the description of the provider is believed.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// The provider's description of itself, as far as it is used.
#[derive(Debug, Deserialize)]
pub(super) struct Description {
    issuer: String,
    pub authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// What the browser brought back.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub code: &'a str,
    pub verifier: &'a str,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: String,
}

/// The connection to the provider.
pub(super) struct ProviderClient {
    http: Client,
    known: Mutex<Option<(Instant, Arc<Description>)>>,
}

impl ProviderClient {
    pub fn new() -> Self {
        let http = Client::builder().timeout(TIME_LIMIT).redirect(Policy::none()).build();
        Self { http: http.expect("a client with a TLS provider and no other options"), known: Mutex::new(None) }
    }

    /// The provider's description, at most ten minutes old.
    pub async fn discover(&self, issuer: &str) -> Result<Arc<Description>, OidcError> {
        let mut known = self.known.lock().await;
        if let Some((read_at, description)) = known.as_ref()
            && clock::since(*read_at) < FRESH
        {
            return Ok(Arc::clone(description));
        }
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let read_at = clock::now();
        let description: Description = self.json(self.http.get(trusted(&address)?)).await?;
        if description.issuer != issuer {
            return Err(OidcError::Provider("it describes another issuer than OIDC_ISSUER"));
        }
        trusted(&description.authorization_endpoint)?;
        let description = Arc::new(description);
        *known = Some((read_at, Arc::clone(&description)));
        Ok(description)
    }

    /// The provider's keys, as they are now.
    pub async fn keys(&self, provider: &Description) -> Result<JwkSet, OidcError> {
        self.json(self.http.get(trusted(&provider.jwks_uri)?)).await
    }

    /// The ID token for a code.
    pub async fn redeem(&self, provider: &Description, settings: &Oidc, code: Code<'_>) -> Result<String, OidcError> {
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
            // Without a list a provider takes the first.
            if methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic") {
                request = request.basic_auth(encoded(&settings.client_id), Some(encoded(secret.expose_secret())));
            } else {
                form.push(("client_secret", secret.expose_secret()));
            }
        }
        let answer: TokenAnswer = self.json(request.form(&form)).await?;
        Ok(answer.id_token)
    }

    async fn json<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, OidcError> {
        let broken = |_| OidcError::Provider("it cannot be reached");
        let mut response = request.send().await.map_err(broken)?;
        if response.status().is_client_error() {
            return Err(OidcError::Refused("the provider refuses the request"));
        }
        if !response.status().is_success() {
            return Err(OidcError::Provider("it answers with an error"));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(broken)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MOST_BYTES {
                return Err(OidcError::Provider("its answer is too long"));
            }
        }
        serde_json::from_slice(&bytes).map_err(|_| OidcError::Provider("its answer cannot be read"))
    }
}

fn trusted(address: &str) -> Result<Url, OidcError> {
    Url::parse(address).ok().filter(is_trusted).ok_or(OidcError::Provider("it names an address that is not https"))
}

/// As the credentials of a client are encoded before they become a user name and a password.
fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
