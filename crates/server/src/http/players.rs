//! `/api/v1/games/{id}/players`: who has a seat, and taking one away.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::games::PlayerList;
use quizhall_protocol::shapes::Player;
use quizhall_rules::{Actor, Command};

use super::game_access;
use super::path::{Id, Ids};
use super::problem::Refused;
use super::session::Host;
use crate::app::App;

/// List the players
#[utoipa::path(
    get, path = "/api/v1/games/{id}/players", tag = "games", operation_id = "listPlayers",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "Every seat, in order of joining", body = PlayerList),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No game of this host"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(super) async fn list_players(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<PlayerList>, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    let players = game.view(&app, |state| {
        let player = |player: &quizhall_rules::Player| Player {
            id: player.id.uuid(),
            display_name: player.display_name.as_str().to_owned(),
        };
        state.players().map(player).collect()
    });
    Ok(Json(PlayerList { players: players.await? }))
}

/// Remove a player
///
/// Closes the player's socket (4411); the token does not work any more.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/players/{playerId}", tag = "games", operation_id = "removePlayer",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game"), ("playerId" = Uuid, Path, description = "The player")),
    responses(
        (status = 204, description = "Removed"),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No game of this host, or no player of the game"),
        (status = 409, description = "The game has ended"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(super) async fn remove_player(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Ids(id, player): Ids,
) -> Result<StatusCode, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    game.command(&app, Actor::Host, Command::Remove { player: player.into() }).await?;
    Ok(StatusCode::NO_CONTENT)
}
