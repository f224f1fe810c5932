//! `POST /api/v1/seats/next` and `/api/v1/screens/next`: from a game to the one that follows it in the same room.
//!
//! A token of the previous game is exchanged for one of the next game. The new token is derived, so a client whose
//! answer was lost repeats the request and gets the same token.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::http::screens::NewScreen;
use quizhall_rules::{
    Actor, Command, Device, DisplayName, Player, PlayerId, Screen, ScreenId, State as GameState, TokenHash,
};

use super::join;
use crate::app::App;
use crate::auth::{Presented, ScreenToken, ViewerToken, idempotency_hash, next_game_key};
use crate::clock;
use crate::games::{GameHandle, Viewer};
use crate::http::address::Client;
use crate::http::games::screens;
use crate::http::games::spectators;
use crate::http::players::join::{Entry, Wanted};
use crate::http::problem::{Kind, Refused};
use crate::http::token_search::{self, Asking};

/// Most phones of a team.
const MOST_PHONES: u8 = 12;

/// Continue in the next game
///
/// With the player's session token of the previous game as bearer token: adds the player to the game that the host has
/// started after it (`follows`), under the same name, and returns the same player each time.
#[utoipa::path(
    post, path = "/api/v1/seats/next", tag = "players", operation_id = "nextSeat",
    params(("Authorization" = String, Header, description = "`Bearer` and the player's session token")),
    responses(
        (status = 201, description = "The player in the next game", body = JoinResponse),
        (status = 204, description = "No game follows, or the last one that did has ended"),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a player"),
        (status = 409, description = "The name is taken there, the game is full, the host removed this player, or another phone has the seat"),
        (status = 423, description = "The host has locked the game"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, a game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn next_seat(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let find =
        |state: &GameState, token: &TokenHash| state.device_by_token(token).map(|(player, at)| Leaving::of(player, at));
    let (before, leaving) =
        token_search::of_token(&app, Asking { address, headers: &headers }, Presented::as_player, find).await?;
    let Some(next) = following(&app, &before).await? else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let key = leaving.key(leaving.device);
    let seat = next.view(move |state| leaving.seat_in(state)).await?;
    let seat: JoinResponse = join::go_on(&app, next, seat, key).await?;
    // Other guests of the venue may type the code of the next game.
    app.joins.learn(address, seat.game_code.clone());
    join::learn_team(&app, &seat, address);
    Ok((StatusCode::CREATED, Json(seat)).into_response())
}

/// A player of the previous game, or a phone of a team.
struct Leaving {
    player: PlayerId,
    device: Device,
    is_team: bool,
    name: DisplayName,
    /// The name of the phone in its team; the first phone has the name of the team.
    own: DisplayName,
}

impl Leaving {
    fn of(player: &Player, device: Device) -> Self {
        let phone = player.phones().find(|phone| phone.device == device);
        let name = player.display_name.clone();
        let own = phone.map_or_else(|| name.clone(), |phone| phone.display_name.clone());
        Self { player: player.id, device, is_team: player.team_code().is_some(), name, own }
    }

    fn key(&self, device: Device) -> String {
        next_game_key(self.player, device)
    }

    /// The first phone of a team that moves on makes the team, under the team's name; the other phones join it.
    fn seat_in(&self, next: &GameState) -> Entry {
        if !self.is_team || next.teams().is_none() {
            return Entry { name: self.own.clone(), wanted: Wanted::Player };
        }
        let there = |device| next.device_by_idempotency(&idempotency_hash(&self.key(device)));
        let has_made_it = there(self.device).is_some_and(|(_, device, _)| device.is_first());
        let made = (0..=MOST_PHONES).find_map(|number| there(Device(number))).and_then(|(team, ..)| team.team_code());
        match made {
            Some(code) if !has_made_it => Entry { name: self.name_beside_the_first(), wanted: Wanted::Phone(code) },
            _ => Entry { name: self.name.clone(), wanted: Wanted::Team },
        }
    }

    /// The former first phone is called like the team, and so is the present first phone, so the former one gets
    /// another name.
    fn name_beside_the_first(&self) -> DisplayName {
        let another = || DisplayName::parse(&format!("{} 2", self.name.as_str())).ok();
        if self.own == self.name { another().unwrap_or_else(|| self.own.clone()) } else { self.own.clone() }
    }
}

/// Show the next game
///
/// With the token of a screen of the previous game as bearer token: adds the screen to the game that the host has
/// started after it, and returns the same link each time. With the token of a spectator: the page of the spectators of
/// that game, once its host lets them watch.
#[utoipa::path(
    post, path = "/api/v1/screens/next", tag = "games", operation_id = "nextScreen",
    params(("Authorization" = String, Header, description = "`Bearer` and the token of the screen, or of the spectator")),
    responses(
        (status = 201, description = "The screen with its link", body = NewScreen),
        (status = 204, description = "No game follows, the last one that did has ended, or its host does not let spectators watch"),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a screen"),
        (status = 409, description = "The game has 50 screens, or its host removed this screen"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, or a game is damaged"),
    )
)]
pub(in crate::http) async fn next_screen(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let viewer_in = |state: &GameState, token: &ViewerToken| token.viewer_in(state);
    let (before, viewer) =
        token_search::of_token(&app, Asking { address, headers: &headers }, Presented::as_viewer, viewer_in).await?;
    let Some(next) = following(&app, &before).await? else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    app.joins.learn(address, next.code().to_owned());
    let shown = match viewer {
        Viewer::Screen(screen) => add_screen(&app, &next, screen).await?,
        Viewer::Spectator(screen_id) if spectators::may_watch(&next).await? => {
            NewScreen { screen_id, url: spectators::link(&app, next.code()) }
        }
        Viewer::Spectator(_) => return Ok(StatusCode::NO_CONTENT.into_response()),
    };
    Ok((StatusCode::CREATED, Json(shown)).into_response())
}

/// An owner of an earlier version would add a removed screen again, so it is not asked. Whether the host has removed
/// the screen meanwhile is checked afterwards.
async fn add_screen(app: &App, next: &GameHandle, screen: ScreenId) -> Result<NewScreen, Refused> {
    refuse_removed(next, screen).await?;
    let secret = next.view(|state| *state.join_secret()).await?;
    let token = ScreenToken::following(next.id(), &secret, screen);
    let added = Screen { id: screen, token: token.hash(), at_ms: clock::unix_ms() };
    next.command(Actor::Host, Command::AddScreen(added.into())).await?;
    refuse_removed(next, screen).await?;
    Ok(NewScreen { screen_id: screen.uuid(), url: screens::link(app, next.code(), &token) })
}

async fn refuse_removed(next: &GameHandle, screen: ScreenId) -> Result<(), Refused> {
    if next.fresh_view(move |state| state.screens().is_removed(screen)).await? {
        return Err(Refused::new(Kind::SEAT_REMOVED, "The host removed this screen."));
    }
    Ok(())
}

async fn following(app: &App, before: &GameHandle) -> Result<Option<GameHandle>, Refused> {
    match app.store.next_game(before.id()).await? {
        Some(next) => Ok(app.registry.by_id(next).await?),
        None => Ok(None),
    }
}
