//! `/api/v1/screen-pairings` and `/api/v1/games/{id}/screens/pair`: a screen shows a code, and the host types it.
//!
//! Codes are in the database, so screen and host may be on different nodes. A screen's token is computed from the
//! secret that the screen presents and from its game, at each request, so the token is never stored. Wrong codes are
//! limited by account and address, and the number of codes that an address requests is limited too.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quizhall_protocol::http::screens::{NewPairing, PairScreen, PairedScreen, Pairing};
use quizhall_rules::{Actor, Command, CommandRow, Refusal, Screen, ScreenId};
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Carrier, PairingSecret, random_code, tidy_code};
use crate::clock;
use crate::games::CommandError;
use crate::http::address::{Address, Client};
use crate::http::body::JsonBody;
use crate::http::games::screens::link;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::players::code_search::{Guess, screen_name};
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::TakesJson;
use crate::http::token_search::by_token;
use crate::store::{PAIRING_KEPT_MS, Paired, PairingOpening, PairingState};

/// How many codes are drawn before giving up.
const DRAWS: usize = 8;

/// Open a pairing
///
/// For a screen without a game: returns a code to show, which a host types within ten minutes. An address may request
/// 60 codes within ten minutes.
#[utoipa::path(
    post, path = "/api/v1/screen-pairings", tag = "screens", operation_id = "openPairing",
    responses(
        (status = 201, description = "The code, and the secret for asking", body = NewPairing),
        (status = 429, description = "Too many codes from this address"),
        (status = 503, description = "The database is not available, or 10,000 screens show codes"),
    )
)]
pub(in crate::http) async fn open_pairing(
    State(app): State<Arc<App>>,
    Client(address): Client,
) -> Result<(StatusCode, Json<NewPairing>), Refused> {
    app.joins.spend_pairing(address).await?;
    let secret = PairingSecret::random();
    for _ in 0..DRAWS {
        let code = random_code();
        match app.store.open_pairing(code.clone(), secret.hash()).await? {
            PairingOpening::Opened => {
                app.joins.learn(address, screen_name(&code));
                let expires_in = u32::try_from(PAIRING_KEPT_MS / 1_000).unwrap_or(u32::MAX);
                let secret = secret.expose().expose_secret().to_owned();
                return Ok((StatusCode::CREATED, Json(NewPairing { code, secret, expires_in })));
            }
            PairingOpening::CodeTaken => {}
            PairingOpening::TooMany => break,
        }
    }
    Err(Refused::new(Kind::BUSY, "Too many screens wait for a host. Try again in some minutes."))
}

/// Ask for the screen's link
///
/// With the secret of the pairing as bearer token. Once a host has typed the code, the screen belongs to the game, and
/// the answer contains its link.
#[utoipa::path(
    get, path = "/api/v1/screen-pairings/own", tag = "screens", operation_id = "askPairing",
    params(("Authorization" = String, Header, description = "`Bearer` and the secret")),
    responses(
        (status = 200, description = "What became of the code", body = Pairing),
        (status = 404, description = "The code has expired, or no screen has this secret"),
        (status = 409, description = "The game has 50 screens, or a node of an earlier version is still in service"),
        (status = 429, description = "Too many invalid secrets from this address"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(in crate::http) async fn ask_pairing(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
) -> Result<Json<Pairing>, Refused> {
    let secret = match Carrier::read(&headers, None) {
        Carrier::Token(presented) => presented.as_pairing(),
        _ => None,
    };
    let hash = secret.as_ref().map(PairingSecret::hash);
    let look = async {
        match hash {
            Some(hash) => Ok(app.store.pairing(hash).await?),
            None => Ok(None),
        }
    };
    let state = by_token(&app, address, look).await?;
    match (state, secret) {
        (Some(PairingState::Open), _) => Ok(Json(Pairing { url: None })),
        (Some(PairingState::Paired(paired)), Some(secret)) => added(&app, paired, &secret).await.map(Json),
        _ => Err(Refused::not_found()),
    }
}

/// Adds the screen to its game, once, and answers with its link.
async fn added(app: &App, paired: Paired, secret: &PairingSecret) -> Result<Pairing, Refused> {
    let token = secret.token(paired.game);
    let game = app.registry.by_id(paired.game).await?.ok_or_else(Refused::not_found)?;
    if !paired.added {
        let screen = Screen { id: paired.screen, token: token.hash(), at_ms: clock::unix_ms() };
        game.command(Actor::Host, Command::AddScreen(screen.into())).await?;
        // A screen that the host removes does not come back by asking again, and a request that is under way does not
        // add it.
        if !app.store.pairing_added(secret.hash()).await? {
            game.command(Actor::Host, Command::RemoveScreen { screen: paired.screen }).await?;
            return Err(Refused::not_found());
        }
    }
    Ok(Pairing { url: Some(link(app, game.code(), &token)) })
}

/// Pair a screen
///
/// Puts the screen that shows this code into the game. Wrong codes are limited by account and address, apart from game codes.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/screens/pair", tag = "games", operation_id = "pairScreen",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = PairScreen,
    responses(
        (status = 202, description = "The screen is informed at its next request", body = PairedScreen),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 404, description = "No game of this host, or no screen that shows the code"),
        (status = 409, description = "The game has 50 screens, its code has expired, or a node of an earlier version is still in service"),
        (status = 422, description = "A field is missing, or no code has this form"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, or the game is damaged"),
        TakesJson,
    )
)]
pub(in crate::http) async fn pair_screen(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Address(address): Address,
    Id(id): Id,
    JsonBody(body): JsonBody<PairScreen>,
) -> Result<(StatusCode, Json<PairedScreen>), Refused> {
    let game = asks.game(&app, id).await?;
    let code = tidy_code(&body.code)
        .ok_or_else(|| Refused::invalid("code", "A code has six letters and numbers, such as ABC234."))?;
    game.needs_host()?;
    // The screen asks for the command later.
    if !CommandRow::ADD_SCREEN.is_known_to(app.registry.oldest_log()) {
        return Err(CommandError::OlderNode(CommandRow::ADD_SCREEN.feature).into());
    }
    game.refuse_past()?;
    if game.view(&app, |state| state.screens().are_full()).await? {
        return Err(Refusal::TooManyScreens.into());
    }
    let screen = ScreenId::from(Uuid::now_v7());
    let pair = async { Ok(app.store.pair(code.clone(), game.id(), screen).await?.then_some(())) };
    // Guesses are counted by account, so an account with many games has no more of them than one with a single game.
    let guess = Guess { address, name: screen_name(&code), scope: Some(game.row().host.uuid()) };
    let paired = app.joins.find_within(guess, pair).await?;
    paired.ok_or_else(|| Refused::new(Kind::NOT_FOUND, "No screen shows this code.").at("code"))?;
    Ok((StatusCode::ACCEPTED, Json(PairedScreen { screen_id: screen.uuid() })))
}
