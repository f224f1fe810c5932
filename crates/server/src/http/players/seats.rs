//! `/api/v1/seats`, and the codes for it: a seat moves to another phone, and the token of the previous phone stops
//! working.
//!
//! A code is issued by the host or by the phone that has the seat. The game's log keeps its hash, and the moment of
//! issue by the clock of the database. Wrong codes are limited as those of games are.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::http::seats::{NewSeatCode, TakeSeat};
use quizhall_rules::{
    Actor, Command, Device, DeviceId, Player, PlayerId, Refusal, SEAT_CODE_KEPT_MS, SeatCode, SeatMove,
    State as GameState, TokenHash,
};
use serde::Deserialize;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Presented, moved_token, random_code, seat_code_hash, tidy_code};
use crate::games::GameHandle;
use crate::http::address::{Address, Client};
use crate::http::body::JsonBody;
use crate::http::idempotency::idempotency_key;
use crate::http::in_charge::InCharge;
use crate::http::path::Ids;
use crate::http::players::code_search::{Guess, seat_name};
use crate::http::problem::{Kind, Refused};
use crate::http::token_search::{Asking, of_token};

/// Issue a seat code
///
/// For a player whose phone is dead or lost: another phone takes the seat with the code, once, within five minutes. The
/// token of the previous phone opens nothing from then on, and its socket is closed (4401). A later code replaces an
/// earlier one. For a team it moves one phone.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/players/{playerId}/seat-code", tag = "games", operation_id = "issueSeatCode",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("playerId" = Uuid, Path, description = "The player"),
        ("deviceId" = Option<Uuid>, Query, description = "Which phone of a team; without it the first"),
    ),
    responses(
        (status = 201, description = "The code", body = NewSeatCode),
        (status = 400, description = "The parameters cannot be read"),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 404, description = "No game of this host, or no player or phone of the game"),
        (status = 409, description = "The game has ended, and its code has expired; or a node of an earlier version is still in service"),
        (status = 429, description = "Six codes of the seat were issued within a minute"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(in crate::http) async fn issue_seat_code(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Address(address): Address,
    Ids(id, player): Ids,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<(StatusCode, Json<NewSeatCode>), Refused> {
    let Ok(Query(which)) = which else { return Err(Refused::new(Kind::BAD_REQUEST, "deviceId is an id.")) };
    let own = asks.game(&app, id).await?;
    own.refuse_past()?;
    let actor = own.actor();
    let (game, player) = (app.registry.by_id(own.id()).await?.ok_or_else(Refused::not_found)?, player.into());
    let device = match which.device_id.map(DeviceId::from) {
        None => Some(Device::FIRST),
        Some(named) => found(&game, move |state| state.device_with_id(player, named)).await?,
    };
    let device = device.ok_or_else(Refused::not_found)?;
    issue(&app, &game, Issuing { player, device, actor, address }).await
}

/// Selects a phone of a team.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct Which {
    device_id: Option<Uuid>,
}

/// Issue a code of the own seat
///
/// With the player's session token as bearer token: to continue on another phone.
#[utoipa::path(
    post, path = "/api/v1/seat-code", tag = "players", operation_id = "issueOwnSeatCode",
    params(("Authorization" = String, Header, description = "`Bearer` and the player's session token")),
    responses(
        (status = 201, description = "The code", body = NewSeatCode),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a player"),
        (status = 409, description = "A node of an earlier version is still in service"),
        (status = 429, description = "Six codes of the seat were issued within a minute, or too many invalid tokens came from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn issue_own_seat_code(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<NewSeatCode>), Refused> {
    let find =
        |state: &GameState, token: &TokenHash| state.device_by_token(token).map(|(player, device)| (player.id, device));
    let (game, (player, device)) =
        of_token(&app, Asking { address, headers: &headers }, Presented::as_player, find).await?;
    app.joins.pace(game.id()).await?;
    issue(&app, &game, Issuing { player, device, actor: Actor::Service, address }).await
}

/// A seat that a code is issued for, who issues it, and from which address.
struct Issuing {
    player: PlayerId,
    device: Device,
    actor: Actor,
    address: IpAddr,
}

async fn issue(
    app: &App,
    game: &GameHandle,
    Issuing { player, device, actor, address }: Issuing,
) -> Result<(StatusCode, Json<NewSeatCode>), Refused> {
    // Each phone of a team has an allowance of its own.
    let seat = Uuid::from_u128(player.uuid().as_u128() ^ (u128::from(device.0) << 64));
    if let Err(wait) = app.joins.seat_codes.take(seat).await {
        let detail = "Too many codes were issued for this seat. Wait a little.";
        return Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait));
    }
    let (secret, seat_code) = (game.view(|state| *state.join_secret()).await?, random_code());
    let (code, at_ms) = (seat_code_hash(&secret, &seat_code), app.store.now_ms().await?);
    let issued = SeatCode { player, device, code, at_ms };
    game.command(actor, Command::IssueSeatCode(issued.into())).await?;
    app.joins.learn(address, game.code().to_owned());
    app.joins.learn(address, seat_name(game.code(), &seat_code));
    let url = format!("{}/?code={}#seat={seat_code}", app.config.public_url(), game.code());
    let expires_in = u32::try_from(SEAT_CODE_KEPT_MS / 1_000).unwrap_or(u32::MAX);
    Ok((StatusCode::CREATED, Json(NewSeatCode { seat_code, url, expires_in })))
}

/// Take a seat
///
/// Another phone takes the seat that the code was issued for, in every phase. With an `Idempotency-Key`, a repeated request gets
/// the same session token as long as the seat has not moved on.
#[utoipa::path(
    post, path = "/api/v1/seats", tag = "players", operation_id = "takeSeat",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters")),
    request_body = TakeSeat,
    responses(
        (status = 201, description = "The player, with the new session token", body = JoinResponse),
        (status = 400, description = "Not JSON, or a bad key"),
        (status = 404, description = "No game, or no seat, has this code"),
        (status = 408, description = "The body did not arrive within 5 s"),
        (status = 409, description = "A node of an earlier version is still in service"),
        (status = 413, description = "The body is too large"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing, or no code has this form"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn take_seat(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
    JsonBody(body): JsonBody<TakeSeat>,
) -> Result<(StatusCode, Json<JoinResponse>), Refused> {
    let key = idempotency_key(&headers)?;
    let tidy = |typed: &str, field| {
        tidy_code(typed).ok_or_else(|| Refused::invalid(field, "A code has six letters and numbers, such as ABC234."))
    };
    let (code, seat_code) = (tidy(&body.game_code, "gameCode")?, tidy(&body.seat_code, "seatCode")?);
    let game = app.joins.find(&app.registry, &code, address).await?;
    let secret = game.view(|state| *state.join_secret()).await?;
    let token = moved_token(game.id(), &secret, &seat_code, key.as_deref());
    let moved =
        SeatMove { code: seat_code_hash(&secret, &seat_code), token: token.hash(), at_ms: app.store.now_ms().await? };
    let guess = Guess { address, name: seat_name(&code, &seat_code), scope: Some(game.id().uuid()) };
    find_seat(&app, &game, guess, &moved).await?;
    let _turn = app.joins.enter(game.id()).await?;
    app.joins.pace(game.id()).await?;
    let hash = moved.token;
    game.command(Actor::Service, Command::MoveSeat(moved.into())).await?;
    let seat = game.view(move |state| state.device_by_token(&hash).map(|(player, device)| seat_of(player, device)));
    let seat = seat.await?.ok_or(Refusal::UnknownSeatCode)?;
    let (session_token, game_code) = (token.expose().to_owned(), game.code().to_owned());
    Ok((StatusCode::CREATED, Json(JoinResponse { session_token, game_code, ..seat })))
}

/// A seat as it is shown to the phone that takes it, without token and code of the game.
fn seat_of(player: &Player, device: Device) -> JoinResponse {
    let phone = player.phones().find(|phone| phone.device == device);
    let name = phone.map_or(&player.display_name, |phone| phone.display_name);
    JoinResponse {
        session_token: String::new(),
        game_code: String::new(),
        player_id: player.id.uuid(),
        display_name: name.as_str().to_owned(),
        team_code: player.team_code().map(|code| code.as_str().to_owned()),
        device_id: phone.map(|phone| phone.id.uuid()),
    }
}

/// Refuses a code that no seat has; the address is charged within this game. A repeated request names a used code, and
/// already has the token.
async fn find_seat(app: &App, game: &GameHandle, guess: Guess, moved: &SeatMove) -> Result<(), Refused> {
    let SeatMove { code: hash, token, at_ms } = *moved;
    let is_good = move |state: &GameState| {
        (state.player_by_token(&token).is_some() || state.seat_of_code(&hash, at_ms).is_some()).then_some(())
    };
    let look = async { found(game, is_good).await };
    app.joins.find_within(guess, look).await?.ok_or_else(|| Refusal::UnknownSeatCode.into())
}

/// Looks in the state of this node, and then in the log, because another node may have stored it a moment ago.
pub(in crate::http) async fn found<T: Send + 'static>(
    game: &GameHandle,
    look: impl Fn(&GameState) -> Option<T> + Clone + Send + 'static,
) -> Result<Option<T>, Refused> {
    match game.view(look.clone()).await? {
        Some(found) => Ok(Some(found)),
        None => Ok(game.fresh_view(look).await?),
    }
}
