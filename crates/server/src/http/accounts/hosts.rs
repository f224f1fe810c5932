//! `/api/v1/hosts` and `/api/v1/sessions`: accounts, signing in and out.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::hosts::{CurrentSession, Host as HostBody, HostRole, NewHost, Session, SignIn};

use crate::app::App;
use crate::auth::{Presented, SignedIn, account_name};
use crate::clock;
use crate::http::address::Client;
use crate::http::body::JsonBody;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::{HasToken, TakesJson};
use crate::http::session::{Host, MaybeHost, for_owners, note_host};

/// Create an account
///
/// The first account needs the token of the one-time set-up link that the server prints at its first start; every later
/// account needs the token of an owner. The first account is an owner; later ones are hosts unless `role` is sent.
#[utoipa::path(
    post, path = "/api/v1/hosts", tag = "hosts", operation_id = "createHost",
    request_body = NewHost, security((), ("hostToken" = [])),
    responses(
        (status = 201, description = "The account", body = HostBody),
        (status = 401, description = "Neither a set-up token nor a valid host token"),
        (status = 403, description = "The set-up token is wrong or was used, or the account is not an owner"),
        (status = 409, description = "Another account has this name"),
        (status = 422, description = "The name or the password is not acceptable"),
        (status = 503, description = "Too many passwords are being checked, or the database is not available"),
        TakesJson,
    )
)]
pub(in crate::http) async fn create_host(
    State(app): State<Arc<App>>,
    MaybeHost(session): MaybeHost,
    JsonBody(body): JsonBody<NewHost>,
) -> Result<(StatusCode, Json<HostBody>), Refused> {
    let password = body.password.into();
    let id = if let Some(token) = body.setup_token {
        app.hosts.create_first(&body.name, password, &Presented::new(&token)).await?
    } else {
        if !session?.is_owner {
            return Err(for_owners());
        }
        app.hosts.create(&body.name, password, body.role == Some(HostRole::Owner)).await?
    };
    let name = account_name(&body.name).unwrap_or_default();
    Ok((StatusCode::CREATED, Json(HostBody { id: id.uuid(), name })))
}

/// Sign in
///
/// Gives a bearer token for this interface and for the socket, valid for 12 hours or until you sign out.
#[utoipa::path(
    post, path = "/api/v1/sessions", tag = "hosts", operation_id = "signIn",
    request_body = SignIn,
    responses(
        (status = 201, description = "The session", body = Session),
        (status = 401, description = "Name or password is wrong"),
        (status = 422, description = "A field is missing"),
        (status = 429, description = "Too many attempts"),
        (status = 503, description = "Too many passwords are being checked, or the database is not available"),
        TakesJson,
    )
)]
pub(in crate::http) async fn sign_in(
    State(app): State<Arc<App>>,
    Client(address): Client,
    JsonBody(body): JsonBody<SignIn>,
) -> Result<(StatusCode, Json<Session>), Refused> {
    let session = app.hosts.sign_in(&body.name, body.password.into(), address).await?;
    note_host(session.host);
    Ok((StatusCode::CREATED, Json(session_body(session))))
}

/// A new session, as it is shown to its owner.
pub(in crate::http) fn session_body(session: SignedIn) -> Session {
    Session {
        token: session.token.expose().to_owned(),
        expires_at: clock::rfc3339(session.expires_at_ms),
        host: HostBody { id: session.host.uuid(), name: session.name },
    }
}

/// Whose token is this?
#[utoipa::path(
    get, path = "/api/v1/sessions/current", tag = "hosts", operation_id = "currentSession",
    security(("hostToken" = [])),
    responses(
        (status = 200, description = "The session", body = CurrentSession),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token"),
    )
)]
pub(in crate::http) async fn current_session(Host(session): Host) -> Json<CurrentSession> {
    Json(CurrentSession {
        host: HostBody { id: session.host.uuid(), name: session.name },
        expires_at: session.grant.expires_at_ms.map(clock::rfc3339),
    })
}

/// Sign out
///
/// Ends the session of this token; sockets opened with it are closed (4401) within a second.
#[utoipa::path(
    delete, path = "/api/v1/sessions/current", tag = "hosts", operation_id = "signOut",
    security(("hostToken" = [])),
    responses(
        (status = 204, description = "Signed out"),
        (status = 400, description = "Two different tokens"),
        (status = 409, description = "The fixed token of the settings cannot be signed out"),
        HasToken,
    )
)]
pub(in crate::http) async fn sign_out(State(app): State<Arc<App>>, Host(session): Host) -> Result<StatusCode, Refused> {
    if session.grant.expires_at_ms.is_none() {
        return Err(Refused::new(Kind::CONFLICT, "The token of the settings ends when the settings change."));
    }
    app.hosts.sign_out(session.grant.token).await?;
    app.sockets.close_host_token(&session.grant.token);
    Ok(StatusCode::NO_CONTENT)
}
