//! `/api/v1/hosts`: managing accounts. Owners of the service and the operator's fixed token may do it; a host may
//! rename and remove its own account.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use quizhall_protocol::http::hosts::{HostAccount, HostChange, HostList, HostRole};
use quizhall_rules::HostId;
use serde::Deserialize;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{AccountError, HostTokenHash};
use crate::clock;
use crate::http::body::JsonBody;
use crate::http::path::Id;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::{HasToken, TakesJson};
use crate::http::session::{Host, Owner, for_owners};
use crate::store::AccountLine;

/// List the accounts
#[utoipa::path(
    get, path = "/api/v1/hosts", tag = "hosts", operation_id = "listHosts", security(("hostToken" = [])),
    responses(
        (status = 200, description = "Every account, by name", body = HostList),
        (status = 400, description = "Two different tokens"),
        (status = 403, description = "The account is not an owner"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_hosts(State(app): State<Arc<App>>, _: Owner) -> Result<Json<HostList>, Refused> {
    Ok(Json(HostList { hosts: app.hosts.list().await?.into_iter().map(body).collect() }))
}

/// Rename, disable or enable an account, or change its role
///
/// For owners; a host may rename its own account. A disabled account cannot be signed in to; its
/// sessions end at once, and sockets opened with them are closed (4401) within a second. Its quizzes and games stay. The last account that can be signed in to cannot be disabled, nor
/// can the last owner, which cannot become a host either.
#[utoipa::path(
    patch, path = "/api/v1/hosts/{id}", tag = "hosts", operation_id = "changeHost", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The account")),
    request_body = HostChange,
    responses(
        (status = 200, description = "The account as it is now", body = HostAccount),
        (status = 403, description = "The account is not an owner"),
        (status = 404, description = "No such account"),
        (status = 409, description = "Another account has this name, it is the last account or owner, or it is the service's own"),
        (status = 422, description = "The name is not acceptable"),
        TakesJson,
        HasToken,
    )
)]
pub(in crate::http) async fn change_host(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    JsonBody(change): JsonBody<HostChange>,
) -> Result<Json<HostAccount>, Refused> {
    let host = HostId::from(id);
    let is_own_name = session.host == host && change.disabled.is_none() && change.role.is_none();
    if !(session.is_owner || is_own_name) {
        return Err(for_owners());
    }
    app.hosts.account(host).await?;
    if let Some(name) = change.name {
        app.hosts.rename(host, &name).await?;
    }
    if let Some(role) = change.role {
        app.hosts.set_owner(host, role == HostRole::Owner).await?;
    }
    if let Some(disabled) = change.disabled {
        close_sockets(&app, &app.hosts.disable(host, disabled).await?);
        app.registry.remove_uninvited().await?;
    }
    Ok(Json(body(app.hosts.account(host).await?)))
}

/// What happens to the games and quizzes of a removed account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct Leaving {
    /// The account that gets its games and quizzes.
    games_to: Option<Uuid>,
    /// They are deleted for good.
    #[serde(default)]
    purge_games: bool,
}

/// Remove an account
///
/// Its games and quizzes go to the account `gamesTo`, or are deleted for good with `purgeGames=true`; without either it must own
/// none. For owners, and for the account itself. The last account that can be signed in to and the last owner cannot be removed.
#[utoipa::path(
    delete, path = "/api/v1/hosts/{id}", tag = "hosts", operation_id = "removeHost", security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The account"),
        ("gamesTo" = Option<Uuid>, Query, description = "The account that gets its games and quizzes"),
        ("purgeGames" = Option<bool>, Query, description = "Delete its games and quizzes for good; all of its games must have ended"),
    ),
    responses(
        (status = 204, description = "Removed; its sessions have ended"),
        (status = 400, description = "The parameters cannot be read"),
        (status = 403, description = "It is another account, and this one is not an owner"),
        (status = 404, description = "No such account"),
        (status = 409, description = "It still owns something, a game of it has not ended, it is the last account or owner, or it is the service's own"),
        HasToken,
    )
)]
pub(in crate::http) async fn remove_host(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    leaving: Result<Query<Leaving>, axum::extract::rejection::QueryRejection>,
) -> Result<StatusCode, Refused> {
    let mistake =
        || Refused::new(Kind::BAD_REQUEST, "Give gamesTo (an account's id) or purgeGames (true or false), not both.");
    let leaving = leaving.map(|Query(leaving)| leaving).map_err(|_| mistake())?;
    let (host, heir) = (HostId::from(id), leaving.games_to.map(HostId::from));
    if heir.is_some() && leaving.purge_games {
        return Err(mistake());
    }
    if !(session.is_owner || session.host == host) {
        return Err(for_owners());
    }
    if let Some(heir) = heir {
        let heir = app.hosts.account(heir).await;
        heir.map_err(|error| match error {
            AccountError::NotFound => Refused::not_found().at("gamesTo"),
            error => error.into(),
        })?;
    }
    if leaving.purge_games {
        close_sockets(&app, &app.hosts.close(host).await?);
        app.retention.purge_host(host).await?;
    }
    close_sockets(&app, &app.hosts.remove(host, heir).await?);
    app.registry.remove_uninvited().await?;
    if leaving.purge_games {
        // The account is deleted, but while a reader uses an older state of the database, the deleted bytes stay in the
        // files.
        app.retention.clear().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Closes the sockets of sessions that have ended, on this node.
pub(in crate::http) fn close_sockets(app: &App, ended: &[HostTokenHash]) {
    for token in ended {
        app.sockets.close_host_token(token);
    }
}

fn body(account: AccountLine) -> HostAccount {
    HostAccount {
        id: account.id.uuid(),
        name: account.name,
        created_at: clock::rfc3339(account.created_at_ms),
        disabled: account.disabled_at_ms.is_some(),
        role: role(account.is_owner),
        quizzes: u32::try_from(account.quizzes).unwrap_or(u32::MAX),
        games: u32::try_from(account.games).unwrap_or(u32::MAX),
    }
}

pub(in crate::http) fn role(is_owner: bool) -> HostRole {
    if is_owner { HostRole::Owner } else { HostRole::Host }
}
