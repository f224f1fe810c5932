//! The account that makes a request, as an extractor: a handler that takes a [`Host`] cannot be reached without a valid
//! host token.

use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::Method;
use axum::http::request::Parts;
use quizhall_rules::HostId;

use super::problem::{Kind, Refused, two_tokens};
use crate::app::App;
use crate::auth::{Carrier, HostSession};

/// Paths that a browser loads by itself, without a header. Only there a token may be in the address, which proxies and
/// histories keep.
const DOWNLOADS: [&str; 2] = ["/api/v1/games/{id}/results.csv", "/api/v1/media/{id}"];

/// A host with a valid token. 401 with the same bytes for everything else; 400 for two tokens; 403 for a token for
/// programs whose scopes do not allow the request.
pub(super) struct Host(pub HostSession);

impl FromRequestParts<Arc<App>> for Host {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let carrier = Carrier::read(&parts.headers, parts.uri.query().filter(|_| is_download(parts)));
        if matches!(carrier, Carrier::Conflicting) {
            return Err(two_tokens());
        }
        let session = app.hosts.session(&carrier).await?.ok_or_else(Refused::unauthorized)?;
        note_host(session.host);
        if session.scopes.is_some_and(|scopes| !scopes.allow(route(parts), is_read(&parts.method))) {
            return Err(Refused::new(
                Kind::FORBIDDEN,
                "The scopes of this token do not allow this. Webhooks and accounts need a session.",
            ));
        }
        Ok(Self(session))
    }
}

fn is_download(parts: &Parts) -> bool {
    parts.method == Method::GET && DOWNLOADS.contains(&route(parts))
}

fn is_read(method: &Method) -> bool {
    *method == Method::GET || *method == Method::HEAD
}

fn route(parts: &Parts) -> &str {
    parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// A host with a valid token whose account is an owner of the service, or the fixed token of the settings. 403 for
/// other hosts.
pub(super) struct Owner;

impl FromRequestParts<Arc<App>> for Owner {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let Host(session) = Host::from_request_parts(parts, app).await?;
        if session.is_owner { Ok(Self) } else { Err(for_owners()) }
    }
}

/// The refusal of requests that only owners may make.
pub(super) fn for_owners() -> Refused {
    Refused::new(Kind::FORBIDDEN, "Only owners can manage accounts.")
}

/// Adds the account to the log lines of this request.
pub(super) fn note_host(host: HostId) {
    tracing::Span::current().record("host", tracing::field::display(host.uuid()));
}

/// The same for requests that do not always need a token: the refusal is kept for the handler.
pub(super) struct MaybeHost(pub Result<HostSession, Refused>);

impl FromRequestParts<Arc<App>> for MaybeHost {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, std::convert::Infallible> {
        Ok(Self(Host::from_request_parts(parts, app).await.map(|host| host.0)))
    }
}
