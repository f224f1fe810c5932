//! Signing in with OpenID Connect (authorization code with PKCE): begins a sign-in, and finishes it when the browser
//! comes back.
//!
//! Called by `http`. State, nonce and code verifier are random and used once; the browser keeps the verifier, so only
//! the browser that began a sign-in can finish it. Checks the provider's answers; `hosts` has the accounts and
//! sessions. Logs no token, no code and no claim.

mod claims;
mod client;
mod id_token;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use url::Url;

use super::token::{random_bytes, sha256};
use crate::config::Oidc;
use crate::store::{ExternalIdentity, SignInAttempt, Store, StoreError};

use claims::Claims;
use client::{Code, Description, Granted, ProviderClient};

/// Most bytes of a state, code or verifier; a longer one is refused.
const LONGEST: usize = 4_096;

/// The time limit for all requests to the provider in one step of a sign-in.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Steps of sign-ins that may wait for the provider at once. Further ones are refused, not queued, while it does not
/// answer.
const MOST_AT_ONCE: usize = 64;

/// Why a sign-in did not succeed.
#[derive(Debug, Error)]
pub enum OidcError {
    /// The provider does not answer, or its answer is not valid.
    #[error("the identity provider does not answer as it should: {0}")]
    Provider(&'static str),
    /// No sign-in of this browser is under way: it was finished, or began too long ago.
    #[error("the sign-in has expired or was used")]
    Expired,
    /// The provider does not accept the code, or its ID token is not valid.
    #[error("the identity provider's answer is not valid: {0}")]
    Refused(&'static str),
    /// This account may not sign in.
    #[error("the account may not sign in: {0}")]
    NotAllowed(&'static str),
    /// Too many sign-ins are under way.
    #[error("too many sign-ins are under way")]
    Busy,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The data with which a browser goes to the provider.
pub struct BegunSignIn {
    /// The address to open.
    pub url: String,
    /// The secret that the browser keeps and shows when it comes back.
    pub verifier: SecretString,
}

/// A person who has signed in, as the provider describes them.
pub struct ExternalAccount {
    /// The identity at the provider.
    pub identity: ExternalIdentity,
    /// Names for a new account, the best first.
    pub names: Vec<String>,
    /// Whether its groups make it an owner of the service; `None` when the settings map no group to that role.
    pub is_owner: Option<bool>,
}

/// The provider of the settings.
pub struct Provider {
    settings: Oidc,
    store: Arc<Store>,
    client: ProviderClient,
    places: Semaphore,
}

impl Provider {
    /// Connects to nothing yet.
    pub fn new(settings: Oidc, store: Arc<Store>) -> Self {
        Self { client: ProviderClient::new(), settings, store, places: Semaphore::new(MOST_AT_ONCE) }
    }

    /// Begins a sign-in.
    ///
    /// # Errors
    /// [`OidcError::Provider`], [`OidcError::Busy`], or a failing database.
    pub async fn begin(&self) -> Result<BegunSignIn, OidcError> {
        let _place = self.place()?;
        let provider = in_time(self.client.discover(&self.settings.issuer)).await?;
        let [state, nonce, verifier] = [(); 3].map(|()| URL_SAFE_NO_PAD.encode(random_bytes()));
        let mut url = Url::parse(&provider.authorization_endpoint)
            .map_err(|_| OidcError::Provider("its authorization endpoint is no address"))?;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", &self.settings.redirect_url)
            .append_pair("scope", &self.settings.scopes)
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(sha256(verifier.as_bytes())))
            .append_pair("code_challenge_method", "S256");
        let attempt = SignInAttempt { state: sha256(state.as_bytes()), verifier: sha256(verifier.as_bytes()), nonce };
        if !self.store.begin_sign_in(attempt).await? {
            return Err(OidcError::Busy);
        }
        Ok(BegunSignIn { url: url.into(), verifier: verifier.into() })
    }

    /// Finishes a sign-in with what the provider gave the browser (`state`, `code`) and what the browser kept.
    ///
    /// # Errors
    /// Every [`OidcError`].
    pub async fn finish(&self, state: &str, code: &str, verifier: &str) -> Result<ExternalAccount, OidcError> {
        if [state, code, verifier].iter().any(|text| text.len() > LONGEST) {
            return Err(OidcError::Expired);
        }
        let _place = self.place()?;
        let nonce = self.store.take_sign_in(sha256(state.as_bytes()), sha256(verifier.as_bytes())).await?;
        let nonce = nonce.ok_or(OidcError::Expired)?;
        let claims = in_time(self.claims(Code { code, verifier }, &nonce)).await?;
        claims.allowed_by(&self.settings).map_err(OidcError::NotAllowed)?;
        let identity = ExternalIdentity { issuer: self.settings.issuer.clone(), subject: claims.subject().to_owned() };
        let is_owner = self.settings.owner_groups.as_ref().map(|groups| claims.is_in(groups));
        Ok(ExternalAccount { identity, is_owner, names: claims.names() })
    }

    /// The provider's claims about the person to whom this code belongs: from the ID token, and from `userinfo` for
    /// claims that the token lacks.
    async fn claims(&self, code: Code<'_>, nonce: &str) -> Result<Claims, OidcError> {
        let provider = self.client.discover(&self.settings.issuer).await?;
        let granted = self.client.redeem(&provider, &self.settings, code).await?;
        let keys = self.client.keys(&provider).await?;
        let mut claims = id_token::verify(&granted.id_token, &keys, &self.settings)?;
        if claims.text("nonce") != Some(nonce) {
            return Err(OidcError::Refused("the nonce of the ID token is another"));
        }
        if claims.lack_for_decision(&self.settings) {
            let more = self.user_info(&provider, &granted).await?;
            claims.complete(more, &self.settings)?;
        } else if claims.names().is_empty()
            // An account gets a name even when the provider gives none, so a failing `userinfo` refuses no sign-in
            // here.
            && let Ok(more) = self.user_info(&provider, &granted).await
        {
            claims.complete(more, &self.settings)?;
        }
        Ok(claims)
    }

    /// The claims of `userinfo`; `None` when the provider has none.
    async fn user_info(&self, provider: &Description, granted: &Granted) -> Result<Option<Claims>, OidcError> {
        self.client.user_info(provider, granted).await.map(|more| more.map(Claims::new))
    }

    fn place(&self) -> Result<SemaphorePermit<'_>, OidcError> {
        self.places.try_acquire().map_err(|_| OidcError::Provider("too many sign-ins wait for it"))
    }
}

async fn in_time<T>(asking: impl Future<Output = Result<T, OidcError>>) -> Result<T, OidcError> {
    timeout(TIME_LIMIT, asking).await.map_err(|_| OidcError::Provider("it does not answer in time"))?
}
