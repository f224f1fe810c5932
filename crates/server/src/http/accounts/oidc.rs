//! `/api/v1/oidc`: signing in with an OpenID Connect provider, if the settings name one; otherwise these paths do not
//! exist.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::hosts::{OidcAttempt, OidcSignIn, Session, SignInMethods};
use secrecy::ExposeSecret as _;

use crate::app::App;
use crate::auth::{OidcError, Provider};
use crate::http::accounts::hosts::session_body;
use crate::http::address::Client;
use crate::http::body::JsonBody;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::TakesJson;
use crate::http::session::note_host;

/// Most bytes of what a provider gives a browser; some codes are long.
pub(in crate::http) const SIGN_IN_BYTES: usize = 16 * 1024;

/// How can a host sign in?
#[utoipa::path(
    get, path = "/api/v1/sign-in-methods", tag = "hosts", operation_id = "signInMethods",
    responses((status = 200, description = "The ways in addition to name and password", body = SignInMethods))
)]
pub(in crate::http) async fn sign_in_methods(State(app): State<Arc<App>>) -> Json<SignInMethods> {
    Json(SignInMethods { oidc: app.provider.is_some() })
}

/// Begin to sign in with the provider
///
/// Send the browser to `url` and keep `verifier` in it: the provider sends it back to `/host/signed-in` within ten minutes.
#[utoipa::path(
    post, path = "/api/v1/oidc/attempts", tag = "hosts", operation_id = "beginOidcSignIn",
    responses(
        (status = 201, description = "Where to go", body = OidcAttempt),
        (status = 404, description = "The settings name no provider"),
        (status = 429, description = "Too many attempts"),
        (status = 503, description = "The provider or the database is not available"),
    )
)]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    Client(address): Client,
) -> Result<(StatusCode, Json<OidcAttempt>), Refused> {
    let provider = provider(&app)?;
    app.hosts.admit_external(address).await?;
    let begun = provider.begin().await?;
    let attempt = OidcAttempt { url: begun.url, verifier: begun.verifier.expose_secret().to_owned() };
    Ok((StatusCode::CREATED, Json(attempt)))
}

/// Finish to sign in with the provider
///
/// With what the provider gave the browser and what the browser kept. The first sign-in makes an account. The session
/// is like one of `POST /api/v1/sessions`.
#[utoipa::path(
    post, path = "/api/v1/oidc/sessions", tag = "hosts", operation_id = "finishOidcSignIn",
    request_body = OidcSignIn,
    responses(
        (status = 201, description = "The session", body = Session),
        (status = 401, description = "The account is disabled"),
        (status = 403, description = "The sign-in expired or was used, the provider refused it, or the account may not sign in"),
        (status = 404, description = "The settings name no provider"),
        (status = 409, description = "Every name for a new account is taken"),
        (status = 422, description = "A field is missing"),
        (status = 503, description = "The provider or the database is not available"),
        TakesJson,
    )
)]
pub(in crate::http) async fn finish(
    State(app): State<Arc<App>>,
    JsonBody(body): JsonBody<OidcSignIn, SIGN_IN_BYTES>,
) -> Result<(StatusCode, Json<Session>), Refused> {
    let external = provider(&app)?.finish(&body.state, &body.code, &body.verifier).await?;
    let session = app.hosts.sign_in_external(external).await?;
    note_host(session.host);
    Ok((StatusCode::CREATED, Json(session_body(session))))
}

fn provider(app: &App) -> Result<&Provider, Refused> {
    app.provider.as_ref().ok_or_else(Refused::not_found)
}

impl From<OidcError> for Refused {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Provider(cause) => {
                tracing::warn!(cause, "the identity provider cannot be used");
                Self::new(Kind::PROVIDER_UNAVAILABLE, "Try again in a moment, or sign in with name and password.")
                    .retry_after(std::time::Duration::from_secs(5))
            }
            OidcError::Expired => {
                tracing::info!(
                    "a sign-in with the identity provider has expired, was used, or began in another browser"
                );
                Self::new(Kind::SIGN_IN_EXPIRED, "Begin to sign in again, in one browser.")
            }
            OidcError::Refused(cause) => {
                tracing::warn!(cause, "a sign-in with the identity provider was refused");
                Self::new(Kind::SIGN_IN_REFUSED, "Begin to sign in again.")
            }
            OidcError::NotAllowed(cause) => {
                tracing::warn!(cause, "an account of the identity provider may not sign in");
                Self::new(Kind::ACCOUNT_NOT_ALLOWED, "The operator decides whose accounts may sign in here.")
            }
            OidcError::Busy => {
                tracing::warn!("more sign-ins with the identity provider are under way than are kept");
                Self::of_status(StatusCode::SERVICE_UNAVAILABLE)
            }
            OidcError::Store(error) => error.into(),
        }
    }
}
