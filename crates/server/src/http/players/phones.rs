//! Phones of teams: the host or the captain of the team removes one phone; the team and its other phones stay.
//!
//! The token of the phone opens nothing from then on, and its socket is closed on every node. With the code of the team
//! the phone can join again, like any phone.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use quizhall_rules::{Actor, Command, DeviceId, PlayerId, State as GameState, TokenHash};
use uuid::Uuid;

use crate::app::App;
use crate::auth::Presented;
use crate::games::GameHandle;
use crate::http::address::Client;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::players::seats::found;
use crate::http::problem::{Kind, Refused};
use crate::http::token_search::{Asking, of_token};

/// Remove a phone of a team
///
/// The token of the phone opens nothing from then on, and its socket is closed (4401) within a second. The team, its answers and its other
/// phones stay. With the code of the team the phone can join it again.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/players/{playerId}/phones/{deviceId}", tag = "games", operation_id = "removePhone",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("playerId" = Uuid, Path, description = "The team"),
        ("deviceId" = Uuid, Path, description = "The phone; the first one of a team has the team's id"),
    ),
    responses(
        (status = 204, description = "The phone is not in the team any more"),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 404, description = "No game of this host, or no such phone of a team"),
        (status = 409, description = "The game has ended, and its code has expired; or a node of an earlier version is still in service"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(in crate::http) async fn remove_phone(
    State(app): State<Arc<App>>,
    asks: InCharge,
    path: Result<Path<(Uuid, Uuid, Uuid)>, PathRejection>,
) -> Result<StatusCode, Refused> {
    let Ok(Path((id, team, phone))) = path else { return Err(Refused::not_found()) };
    let own = asks.game(&app, id).await?;
    own.refuse_past()?;
    let game = app.registry.by_id(own.id()).await?.ok_or_else(Refused::not_found)?;
    remove(&game, (team.into(), phone.into()), own.actor()).await
}

/// Remove a phone of the own team
///
/// With the session token of the team's captain as bearer token, in a game with `captainOnly`. The effect is the same
/// as when the host removes it.
#[utoipa::path(
    delete, path = "/api/v1/phones/{deviceId}", tag = "players", operation_id = "removeTeamPhone",
    params(
        ("deviceId" = Uuid, Path, description = "The phone"),
        ("Authorization" = String, Header, description = "`Bearer` and the captain's session token"),
    ),
    responses(
        (status = 204, description = "The phone is not in the team any more"),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a player"),
        (status = 403, description = "The phone is not the captain of a team, or names itself"),
        (status = 404, description = "No such phone of the team"),
        (status = 409, description = "A node of an earlier version is still in service"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn remove_team_phone(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
    Id(phone): Id,
) -> Result<StatusCode, Refused> {
    let find = |state: &GameState, token: &TokenHash| {
        state.device_by_token(token).map(|(player, device)| (player.id, state.is_captain(player, device)))
    };
    let (game, (team, is_captain)) =
        of_token(&app, Asking { address, headers: &headers }, Presented::as_player, find).await?;
    if !is_captain || phone == team.uuid() {
        return Err(Refused::new(Kind::FORBIDDEN, "Only the captain of a team can remove its other phones."));
    }
    app.joins.pace(game.id()).await?;
    remove(&game, (team, phone.into()), Actor::Service).await
}

async fn remove(game: &GameHandle, (player, phone): (PlayerId, DeviceId), actor: Actor) -> Result<StatusCode, Refused> {
    let device = found(game, move |state| state.device_with_id(player, phone)).await?.ok_or_else(Refused::not_found)?;
    game.command(actor, Command::RemovePhone { player, device }).await?;
    Ok(StatusCode::NO_CONTENT)
}
