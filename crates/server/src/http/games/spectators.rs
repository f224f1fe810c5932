//! `/api/v1/spectators`: watching a game without a seat, if the host lets spectators watch.
//!
//! A spectator is a screen that is in no list: it has no name and no presence, and nothing of it is stored. Wrong codes
//! are limited as those of joins are.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::screens::{AllowSpectators, Spectator, Watch};
use quizhall_rules::{Command, Setting, State as GameState};
use secrecy::ExposeSecret as _;

use crate::app::App;
use crate::auth::{new_spectator, tidy_code};
use crate::games::GameHandle;
use crate::http::address::Client;
use crate::http::body::JsonBody;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::{OfGame, TakesJson};

/// Let spectators watch
///
/// Or stop it: then their sockets are closed (4401). Spectators are sent what screens are sent. Their page is
/// `watchUrl` in the list of screens.
#[utoipa::path(
    put, path = "/api/v1/games/{id}/spectators", tag = "games", operation_id = "allowSpectators",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = AllowSpectators,
    responses(
        (status = 204, description = "Set"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 409, description = "The game has ended, and its code has expired; or a node of an earlier version is still in service"),
        (status = 422, description = "A field is missing or not acceptable"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn allow_spectators(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(body): JsonBody<AllowSpectators>,
) -> Result<StatusCode, Refused> {
    let game = asks.game(&app, id).await?;
    game.command_while_found(&app, game.actor(), Command::Set(Setting::Spectators(body.allowed))).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Watch a game
///
/// Returns a token for a socket with the role `screen`, which is sent what the room may know. The token is valid as
/// long as the host lets spectators watch and the code of the game is found.
#[utoipa::path(
    post, path = "/api/v1/spectators", tag = "players", operation_id = "watch",
    request_body = Watch,
    responses(
        (status = 201, description = "The token of a spectator", body = Spectator),
        (status = 404, description = "No game has this code"),
        (status = 408, description = "The body did not arrive within 5 s"),
        (status = 409, description = "The host does not let spectators watch"),
        (status = 422, description = "A field is missing, or no code has this form"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
        TakesJson,
    )
)]
pub(in crate::http) async fn watch(
    State(app): State<Arc<App>>,
    Client(address): Client,
    JsonBody(body): JsonBody<Watch>,
) -> Result<(StatusCode, Json<Spectator>), Refused> {
    let code = tidy_code(&body.game_code)
        .ok_or_else(|| Refused::invalid("gameCode", "A code has six letters and numbers, such as ABC234."))?;
    let game = app.joins.find(&app.registry, &code, address).await?;
    let secret = secret_of(&game).await?;
    let secret = secret.ok_or_else(|| Refused::new(Kind::NO_SPECTATORS, "The host does not let spectators watch."))?;
    let token = new_spectator(&secret).expose(game.id()).expose_secret().to_owned();
    Ok((StatusCode::CREATED, Json(Spectator { game_code: game.code().to_owned(), token })))
}

/// Whether the host of a game lets spectators watch.
pub(in crate::http) async fn may_watch(game: &GameHandle) -> Result<bool, Refused> {
    Ok(secret_of(game).await?.is_some())
}

/// The secret of a game that may be watched. The host may have allowed it through another node a moment ago, so the log
/// is read too.
async fn secret_of(game: &GameHandle) -> Result<Option<[u8; 32]>, Refused> {
    let look = |state: &GameState| state.may_watch().then(|| *state.join_secret());
    match game.view(look).await? {
        Some(secret) => Ok(Some(secret)),
        None => Ok(game.fresh_view(look).await?),
    }
}

/// The page of the spectators of a game.
pub(in crate::http) fn link(app: &App, code: &str) -> String {
    format!("{}/watch/{code}", app.config.public_url())
}
