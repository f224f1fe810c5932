//! `/api/v1/games/{id}/players`: the players of a game, and removing one.

mod clean_names;
pub(super) mod code_search;
pub(super) mod join;
pub(super) mod next_game;
pub(super) mod phones;
pub(super) mod seats;

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use quizhall_protocol::http::games::PlayerList;
use quizhall_protocol::shapes::Player;
use quizhall_rules::Command;
use serde::Deserialize;

use super::game_access;
use super::in_charge::InCharge;
use super::path::{Id, Ids};
use super::problem::{Kind, Refused};
use super::refusals::{HasToken, OfGame};
use super::session::Host;
use crate::app::App;

/// List the players
#[utoipa::path(
    get, path = "/api/v1/games/{id}/players", tag = "games", operation_id = "listPlayers",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "Every player, in order of joining", body = PlayerList),
        OfGame,
    )
)]
pub(super) async fn list_players(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
) -> Result<Json<PlayerList>, Refused> {
    let game = asks.game(&app, id).await?;
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
/// Closes the player's socket (4411); the token no longer works.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/players/{playerId}", tag = "games", operation_id = "removePlayer",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("playerId" = Uuid, Path, description = "The player"),
        ("ban" = Option<bool>, Query, description = "Whether the phone cannot join again with the token or key that it had"),
    ),
    responses(
        (status = 204, description = "Removed"),
        (status = 400, description = "The parameters cannot be read"),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 404, description = "No game of this host, or no player of the game"),
        (status = 409, description = "The game has ended"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(super) async fn remove_player(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Ids(id, player): Ids,
    removing: Result<Query<Removing>, QueryRejection>,
) -> Result<StatusCode, Refused> {
    let Ok(Query(removing)) = removing else { return Err(Refused::new(Kind::BAD_REQUEST, "ban is true or false.")) };
    let (game, player) = (asks.game(&app, id).await?, player.into());
    let command = if removing.ban { Command::Ban { player } } else { Command::Remove { player } };
    game.command(&app, game.actor(), command).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Further effects of a removal.
#[derive(Debug, Deserialize)]
pub(super) struct Removing {
    /// The phone cannot join again.
    #[serde(default)]
    ban: bool,
}

/// Further data to erase, besides the name.
#[derive(Debug, Deserialize)]
pub(super) struct Erasing {
    /// Also the texts of the answers.
    #[serde(default)]
    answers: bool,
}

/// Erase a player's data
///
/// Once the game has ended: replaces the player's name by a neutral one, such as "Player 7", everywhere, and forgets the token.
/// Ranks, points and marks stay. With `answers=true` the texts of the answers are replaced as well. The sockets of the game
/// that are still open are closed, and the game cannot be reached for some seconds.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/players/{playerId}/data", tag = "games", operation_id = "erasePlayer",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("playerId" = Uuid, Path, description = "The player; a removed player has data as well"),
        ("answers" = Option<bool>, Query, description = "Whether the texts of the answers are replaced too"),
    ),
    responses(
        (status = 204, description = "Erased"),
        (status = 400, description = "The parameters cannot be read"),
        (status = 404, description = "No game of this host, or no player of the game"),
        (status = 409, description = "The game has not ended, or its data are being changed"),
        HasToken,
    )
)]
pub(super) async fn erase_player(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Ids(id, player): Ids,
    erasing: Result<Query<Erasing>, QueryRejection>,
) -> Result<StatusCode, Refused> {
    let Ok(Query(erasing)) = erasing else { return Err(Refused::new(Kind::BAD_REQUEST, "answers is true or false.")) };
    let game = game_access::own(&app, session.host, id).await?;
    if !game.has_ended() {
        return Err(Refused::new(Kind::WRONG_PHASE, "The game has not ended. End it first, or remove the player."));
    }
    app.retention.erase_player(game.id(), player.into(), erasing.answers).await?;
    Ok(StatusCode::NO_CONTENT)
}
