//! `/api/v1/seals/{gameCode}` and `/api/v1/seats/ref`: what anyone may know of a sealed quiz before the proof, and how the proof
//! names a player.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use quizhall_engine::wire::seal::player_ref;
use quizhall_protocol::http::proof::{OwnRef, SealBody};
use quizhall_rules::{Phase, State as GameState, TokenHash};

use crate::app::App;
use crate::auth::Presented;
use crate::clock;
use crate::http::address::Client;
use crate::http::players::join::tidied;
use crate::http::problem::{Kind, Refused};
use crate::http::token_search::{self, Asking};

/// Read the seal of a quiz
///
/// Of a game that was created with `sealed`: a hash of its questions and keys, from the lobby on until the code of the game
/// expires. Unknown codes are limited as those of joins are.
#[utoipa::path(
    get, path = "/api/v1/seals/{gameCode}", tag = "players", operation_id = "readSeal",
    params(("gameCode" = String, Path, description = "The code the host shows, in any case")),
    responses(
        (status = 200, description = "The seal", body = SealBody),
        (status = 404, description = "No game has this code, or its quiz is not sealed"),
        (status = 422, description = "No code has this form"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are asking at once"),
    )
)]
pub(in crate::http) async fn read_seal(
    State(app): State<Arc<App>>,
    Client(address): Client,
    Path(typed): Path<String>,
) -> Result<Json<SealBody>, Refused> {
    let game = app.joins.find(&app.registry, &tidied(&typed)?, address).await?;
    let body = game.view(seal_of).await?;
    body.map(Json).ok_or_else(Refused::not_found)
}

fn seal_of(state: &GameState) -> Option<SealBody> {
    let sealed = state.sealed()?;
    Some(SealBody {
        seal: sealed.seal.to_string(),
        leaves: sealed.leaves.iter().map(ToString::to_string).collect(),
        created_at: clock::rfc3339(state.created_at_ms()),
    })
}

/// Read how the proof names a player
///
/// With the player's session token as bearer token, once the game has ended: with it, a player finds their own answers in the
/// proof of the game.
#[utoipa::path(
    get, path = "/api/v1/seats/ref", tag = "players", operation_id = "readOwnRef",
    params(("Authorization" = String, Header, description = "`Bearer` and the player's session token")),
    responses(
        (status = 200, description = "The player's `ref`", body = OwnRef),
        (status = 400, description = "Two different tokens"),
        (status = 401, description = "No valid token of a player"),
        (status = 404, description = "The quiz is not sealed"),
        (status = 409, description = "The game has not ended"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(in crate::http) async fn read_own_ref(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
) -> Result<Json<OwnRef>, Refused> {
    let find = |state: &GameState, token: &TokenHash| {
        let (player, _) = state.device_by_token(token)?;
        let of_player = state.sealed().map(|_| player_ref(state.join_secret(), player.id).to_string());
        Some((of_player, state.phase() == Phase::Ended))
    };
    let (_, (of_player, has_ended)) =
        token_search::of_token(&app, Asking { address, headers: &headers }, Presented::as_player, find).await?;
    let of_player = of_player.ok_or_else(Refused::not_found)?;
    if !has_ended {
        return Err(Refused::new(Kind::WRONG_PHASE, "The game has not ended."));
    }
    Ok(Json(OwnRef { of_player }))
}
