//! `/api/v1/games/{id}/co-hosts`: the co-hosts who run a game with its host, each by a link with a role.
//!
//! Only the link contains a co-host's token; the game's log keeps its hash. Revoking closes the socket on every node,
//! because each edge applies the event. The rules decide what a role may do. Whatever ends the sessions of an account
//! also ends its invitations.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::co_hosts::{CoHost, CoHostList, CurrentCoHost, InviteCoHost, NewCoHost};
use quizhall_rules::{Actor, CoHostId, Command, Device, DisplayName, State as GameState};
use uuid::Uuid;

use crate::app::App;
use crate::auth::CoHostToken;
use crate::clock;
use crate::http::body::JsonBody;
use crate::http::game_access;
use crate::http::in_charge::CoHostSession;
use crate::http::path::{Id, Ids};
use crate::http::problem::Refused;
use crate::http::refusals::{OfGame, TakesJson};
use crate::http::session::Host;

/// Invite a co-host
///
/// Returns a link, once. The person who opens it runs the game with this role, over `quizhall.v1`, until the co-host is
/// removed, the code of the game expires, or the account signs out everywhere, changes its password, is disabled or
/// gives the game away. A game has at most 10 co-hosts.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/co-hosts", tag = "games", operation_id = "inviteCoHost",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = InviteCoHost,
    responses(
        (status = 201, description = "The co-host with the link", body = NewCoHost),
        (status = 409, description = "The game has 10 co-hosts or has ended, or a node of an earlier version is still in service"),
        (status = 422, description = "A field is missing or not acceptable"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn invite_co_host(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    JsonBody(body): JsonBody<InviteCoHost>,
) -> Result<(StatusCode, Json<NewCoHost>), Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    let label = DisplayName::parse(&body.label);
    let label = label.map_err(|mistake| Refused::invalid_name("label", mistake))?;
    let (token, id) = (CoHostToken::random(game.id()), CoHostId::from(Uuid::now_v7()));
    let (role, at_ms) = (body.role, clock::unix_ms());
    let added = quizhall_rules::CoHost { id, role, label, token: token.hash(), at_ms };
    game.command(&app, Actor::Host, Command::AddCoHost(added.into())).await?;
    let url = format!("{}/host/invited#{}", app.config.public_url(), token.expose());
    Ok((StatusCode::CREATED, Json(NewCoHost { co_host_id: id.uuid(), role: body.role, url })))
}

/// List the co-hosts
#[utoipa::path(
    get, path = "/api/v1/games/{id}/co-hosts", tag = "games", operation_id = "listCoHosts",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The co-hosts, in order of adding", body = CoHostList),
        OfGame,
    )
)]
pub(in crate::http) async fn list_co_hosts(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<CoHostList>, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    let co_hosts = if game.is_past() { Vec::new() } else { game.view(&app, listed).await? };
    Ok(Json(CoHostList { co_hosts }))
}

/// Remove a co-host
///
/// Closes the co-host's socket (4401); the link no longer opens anything. Does nothing when there is no such co-host.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/co-hosts/{coHostId}", tag = "games", operation_id = "removeCoHost",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game"), ("coHostId" = Uuid, Path, description = "The co-host")),
    responses(
        (status = 204, description = "There is no such co-host any more"),
        OfGame,
    )
)]
pub(in crate::http) async fn remove_co_host(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Ids(id, co_host): Ids,
) -> Result<StatusCode, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    // Once the code of the game has expired, no link opens it.
    if !game.is_past() {
        game.command(&app, Actor::Host, Command::RemoveCoHost { co_host: co_host.into() }).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Read the own invitation
///
/// With a co-host's token as bearer token: the game that the token opens, and what the co-host may do.
#[utoipa::path(
    get, path = "/api/v1/co-hosts/current", tag = "games", operation_id = "readCurrentCoHost",
    params(("Authorization" = String, Header, description = "`Bearer` and the co-host's token")),
    responses(
        (status = 200, description = "The co-host", body = CurrentCoHost),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a co-host"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn read_current_co_host(session: CoHostSession) -> Result<Json<CurrentCoHost>, Refused> {
    let CoHostSession { game, device, .. } = session;
    let game_id = game.id().uuid();
    let game_code = game.code().to_owned();
    let found =
        game.view(move |state| state.co_hosts().all().find(|(known, _)| *known == device).map(described)).await?;
    let CoHost { co_host_id, role, label, .. } = found.ok_or_else(Refused::unauthorized)?;
    Ok(Json(CurrentCoHost { co_host_id, game_id, game_code, role, label }))
}

fn listed(state: &GameState) -> Vec<CoHost> {
    state.co_hosts().all().map(described).collect()
}

fn described((_, co_host): (Device, &quizhall_rules::CoHost)) -> CoHost {
    let (co_host_id, added_at) = (co_host.id.uuid(), clock::rfc3339(co_host.at_ms));
    CoHost { co_host_id, role: co_host.role, label: co_host.label.as_str().to_owned(), added_at }
}
