//! `POST /join`: adds a player to a game.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quizhall_protocol::http::join::{JoinRequest, JoinResponse};
use quizhall_rules::{Actor, Command, DisplayName, Join, PlayerId, Refusal};
use uuid::Uuid;

use super::address::Client;
use super::body::JsonBody;
use super::idempotency::idempotency_key;
use super::problem::{Kind, Refused};
use crate::app::App;
use crate::auth::{IssuedToken, idempotency_hash, player_token, tidy_code};
use crate::games::{CommandError, GameHandle};
use crate::telemetry::{Limit, metrics};

/// Join a game
///
/// Adds a player to the game with this code, in every phase but the last, unless the host has locked the game. The
/// session token opens the socket. With an `Idempotency-Key`, a repeated join returns the same player; use a random key
/// (a UUID): a client that knows it receives the player's session token.
#[utoipa::path(
    post, path = "/join", tag = "players", operation_id = "join",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters")),
    request_body = JoinRequest,
    responses(
        (status = 201, description = "The player", body = JoinResponse),
        (status = 400, description = "Not JSON, or a bad key"),
        (status = 404, description = "No game has this code"),
        (status = 408, description = "The body did not arrive within 5 s"),
        (status = 409, description = "The name is taken, the game is full, the host removed this player, or another phone has the seat"),
        (status = 410, description = "The game has ended"),
        (status = 413, description = "The body is larger than 4 KiB"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or not acceptable, or the key was used for another name"),
        (status = 423, description = "The host has locked the game"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(super) async fn join(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
    body: JsonBody<JoinRequest>,
) -> Result<(StatusCode, Json<JoinResponse>), Refused> {
    let outcome = answer(&app, address, &headers, body.0).await;
    let label = match &outcome {
        Ok(_) => "joined",
        Err(refused) if refused.status().is_server_error() => "failed",
        Err(refused) if refused.status() == StatusCode::TOO_MANY_REQUESTS => "limited",
        Err(_) => "refused",
    };
    metrics::join_observed(label);
    outcome.map(|response| (StatusCode::CREATED, Json(response)))
}

async fn answer(
    app: &App,
    address: std::net::IpAddr,
    headers: &HeaderMap,
    request: JoinRequest,
) -> Result<JoinResponse, Refused> {
    let key = idempotency_key(headers)?;
    let code = tidy_code(&request.game_code)
        .ok_or_else(|| Refused::invalid("gameCode", "A code has six letters and numbers, such as ABC234."))?;
    let name = DisplayName::parse(&request.display_name)
        .map_err(|mistake| Refused::invalid("displayName", sentence(&mistake.to_string())))?;
    let game = app.joins.find(&app.registry, &code, address).await?;
    enter(app, game, name, key).await
}

/// Adds a player with this name to a game, or finds the one that the key has added before.
pub(super) async fn enter(
    app: &App,
    game: GameHandle,
    name: DisplayName,
    key: Option<String>,
) -> Result<JoinResponse, Refused> {
    // Held until the player is stored. A client that closes the connection drops this future, and with it the place.
    let _turn = app.joins.enter(game.id()).await?;
    let attempt = JoinAttempt { game, name, key, player_limit: app.config.game.max_players };
    if let Some(response) = attempt.earlier_join().await? {
        return Ok(response);
    }
    app.joins.pace(attempt.game.id()).await?;
    attempt.join().await
}

/// A valid join request for a game that exists.
struct JoinAttempt {
    game: GameHandle,
    name: DisplayName,
    key: Option<String>,
    player_limit: u32,
}

/// What the game knows about an idempotency key.
enum Earlier {
    Nothing,
    Player { player: PlayerId, same_name: bool },
    Removed,
    Moved,
}

impl JoinAttempt {
    /// The answer to the join that this key made before, if it did.
    async fn earlier_join(&self) -> Result<Option<JoinResponse>, Refused> {
        let Some(key) = self.key.as_deref() else { return Ok(None) };
        let (hash, name) = (idempotency_hash(key), self.name.clone());
        let issued = self.token().await?;
        let token = issued.token_hash;
        let earlier = self.game.view(move |state| match state.player_by_idempotency(&hash) {
            _ if state.is_removed_token(&token) => Earlier::Removed,
            Some(player) if player.token() != token => Earlier::Moved,
            Some(player) => Earlier::Player { player: player.id, same_name: player.display_name == name },
            None => Earlier::Nothing,
        });
        match earlier.await? {
            Earlier::Removed => {
                Err(Refused::new(Kind::SEAT_REMOVED, "The host removed this seat. Join with a new key."))
            }
            Earlier::Moved => {
                Err(Refused::new(Kind::SEAT_MOVED, "Another phone has taken this seat. Join with a new key."))
            }
            Earlier::Nothing => Ok(None),
            Earlier::Player { same_name: false, .. } => Err(Refusal::IdempotencyMismatch.into()),
            Earlier::Player { player, .. } => Ok(Some(self.response(player, &issued))),
        }
    }

    async fn join(&self) -> Result<JoinResponse, Refused> {
        let (issued, player) = (self.token().await?, PlayerId::from(Uuid::now_v7()));
        let join = Join {
            player,
            display_name: self.name.clone(),
            token: issued.token_hash,
            idempotency: issued.idempotency,
            player_limit: self.player_limit,
        };
        match self.game.command(Actor::Service, Command::Join(join.into())).await {
            Ok(()) => Ok(self.response(player, &issued)),
            // The same join may have come twice at once: then the player of the first is the answer to both.
            Err(CommandError::Refused(refusal)) => {
                if let Some(response) = self.earlier_join().await? {
                    return Ok(response);
                }
                if refusal == Refusal::Full {
                    metrics::limit_reached(Limit::PlayersPerGame);
                }
                Err(refusal.into())
            }
            Err(CommandError::Game(error)) => Err(error.into()),
        }
    }

    async fn token(&self) -> Result<IssuedToken, Refused> {
        let secret = self.game.view(|state| *state.join_secret()).await?;
        Ok(player_token(self.game.id(), &secret, self.key.as_deref()))
    }

    fn response(&self, player: PlayerId, issued: &IssuedToken) -> JoinResponse {
        JoinResponse {
            session_token: issued.token.expose().to_owned(),
            game_code: self.game.code().to_owned(),
            player_id: player.uuid(),
            display_name: self.name.as_str().to_owned(),
        }
    }
}

/// The rules' words as a sentence of their own.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(letters).chain(['.']).collect()
}
