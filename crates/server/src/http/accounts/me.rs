//! `/api/v1/me`: the account that makes the request, its password and its sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::me::{OwnAccount, OwnSession, OwnSessionList, PasswordUpdate};

use crate::app::App;
use crate::auth::{AccountError, NewPassword};
use crate::clock;
use crate::http::accounts::host_accounts::{close_sockets, role};
use crate::http::address::Address;
use crate::http::body::JsonBody;
use crate::http::problem::Refused;
use crate::http::refusals::{HasToken, TakesJson};
use crate::http::session::Host;

/// Which account am I?
#[utoipa::path(
    get, path = "/api/v1/me", tag = "hosts", operation_id = "ownAccount", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The account of the token", body = OwnAccount),
        (status = 400, description = "Two different tokens"),
        HasToken,
    )
)]
pub(in crate::http) async fn own_account(
    State(app): State<Arc<App>>,
    Host(session): Host,
) -> Result<Json<OwnAccount>, Refused> {
    let account = app.hosts.own(session.host).await?;
    Ok(Json(OwnAccount {
        id: account.id.uuid(),
        name: account.name,
        role: role(session.is_owner),
        created_at: clock::rfc3339(account.created_at_ms),
        password: account.password_hash.is_some(),
        oidc: account.has_identity,
        webhooks: app.webhooks.are_on(),
    }))
}

/// Change the password
///
/// The other sessions of the account and the invitations of its co-hosts end, and their sockets are closed (4401) within a second. A wrong old password counts
/// as a failed sign-in. An account that signs in with a provider has no password.
#[utoipa::path(
    post, path = "/api/v1/me/password", tag = "hosts", operation_id = "changePassword", security(("hostToken" = [])),
    request_body = PasswordUpdate,
    responses(
        (status = 204, description = "Changed"),
        (status = 401, description = "No valid token"),
        (status = 403, description = "The old password is wrong"),
        (status = 409, description = "The account has no password"),
        (status = 422, description = "The new password is not acceptable, or a field is missing"),
        (status = 429, description = "Too many attempts"),
        (status = 503, description = "Too many passwords are being checked, or the database is not available"),
        TakesJson,
    )
)]
pub(in crate::http) async fn change_password(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Address(address): Address,
    JsonBody(body): JsonBody<PasswordUpdate>,
) -> Result<StatusCode, Refused> {
    let passwords = NewPassword { old: body.old_password.into(), new: body.new_password.into() };
    let changed = app.hosts.change_password(&session, passwords, address).await;
    let ended = changed.map_err(|error| match error {
        error @ AccountError::Password(_) => Refused::from(error).at("newPassword"),
        error => error.into(),
    })?;
    close_sockets(&app, &ended);
    app.registry.remove_uninvited().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the sessions of the account
#[utoipa::path(
    get, path = "/api/v1/me/sessions", tag = "hosts", operation_id = "listSessions", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The sessions that have not ended, at most 1,000", body = OwnSessionList),
        (status = 400, description = "Two different tokens"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_sessions(
    State(app): State<Arc<App>>,
    Host(session): Host,
) -> Result<Json<OwnSessionList>, Refused> {
    let sessions = app.hosts.sessions_of(&session).await?.into_iter().map(|(line, current)| OwnSession {
        created_at: clock::rfc3339(line.created_at_ms),
        expires_at: clock::rfc3339(line.expires_at_ms),
        current,
    });
    Ok(Json(OwnSessionList { sessions: sessions.collect() }))
}

/// Sign out everywhere
///
/// Ends every session of the account, this one as well, and the invitations of its co-hosts; their sockets are closed
/// (4401) within a second. The fixed token of the settings stays valid.
#[utoipa::path(
    delete, path = "/api/v1/me/sessions", tag = "hosts", operation_id = "signOutEverywhere",
    security(("hostToken" = [])),
    responses(
        (status = 204, description = "Signed out"),
        (status = 400, description = "Two different tokens"),
        HasToken,
    )
)]
pub(in crate::http) async fn sign_out_everywhere(
    State(app): State<Arc<App>>,
    Host(session): Host,
) -> Result<StatusCode, Refused> {
    close_sockets(&app, &app.hosts.sign_out_everywhere(session.host).await?);
    app.registry.remove_uninvited().await?;
    Ok(StatusCode::NO_CONTENT)
}
