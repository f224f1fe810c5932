//! `/api/v1/games/{id}/moments` and `/api/v1/results/{token}/moments`: what the screen of a game showed, moment by moment, for the
//! host and by a results link.
//!
//! Everything is read from the log of the game, so an erased name, a deleted game and a purge take effect at once. A link shows the
//! replay only once the game has ended: before that, it would let in spectators, about whom the host decides separately.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use quizhall_engine::Film;
use quizhall_protocol::http::moments::{GameMoment, MomentList};
use quizhall_rules::{GameId, Phase};
use uuid::Uuid;

use super::beside;
use super::link::{NO_INDEX, shared_game};
use crate::app::App;
use crate::auth::Presented;
use crate::clock;
use crate::http::address::Client;
use crate::http::in_charge::InCharge;
use crate::http::path::{Id, id};
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::OfGame;

/// List the moments
///
/// Each picture that the screen of the game showed and that differs from the one before in more than running times, in a game that
/// runs as in one that has ended. Changes that follow each other in less than 250 ms make one moment. The list grows at its end
/// only, until a player is erased; a last moment whose time has not passed yet can still be replaced.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/moments", tag = "games", operation_id = "listMoments",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The moments so far", body = MomentList),
        OfGame,
    )
)]
pub(in crate::http) async fn list_moments(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
) -> Result<Response, Refused> {
    let game = asks.game(&app, id).await?;
    listed(&app, game.id()).await
}

/// Read a moment
///
/// The picture that a screen was sent at this moment: the payload of `screen_update`. Its times left are those of then. The files of
/// its questions are loaded with the names and keys in it, as a screen loads them.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/moments/{index}", tag = "games", operation_id = "readMoment",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("index" = u32, Path, description = "The place of the moment, from 0"),
    ),
    responses(
        (status = 200, description = "The picture", body = Object),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No game of this host, or no such moment"),
        (status = 503, description = "The database is not available, or the game is damaged"),
    )
)]
pub(in crate::http) async fn read_moment(
    State(app): State<Arc<App>>,
    asks: InCharge,
    OfOwnGame(id, index): OfOwnGame,
) -> Result<Response, Refused> {
    let game = asks.game(&app, id).await?;
    picture(&app, game.id(), index).await
}

/// List the shared moments
///
/// The moments of the game that the link belongs to, without an account, once the game has ended and if the host shares the replay.
#[utoipa::path(
    get, path = "/api/v1/results/{token}/moments", tag = "players", operation_id = "listSharedMoments",
    params(("token" = String, Path, description = "The part of the link after the `#`")),
    responses(
        (status = 200, description = "The moments", body = MomentList),
        (status = 404, description = "No link has this token, it was revoked, or it does not show the replay"),
        (status = 409, description = "The game has not ended"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are asking at once"),
    )
)]
pub(in crate::http) async fn list_shared_moments(
    State(app): State<Arc<App>>,
    Client(address): Client,
    token: Result<Path<String>, PathRejection>,
) -> Result<Response, Refused> {
    let token = token.map(|Path(token)| token).unwrap_or_default();
    let game = shared(&app, (address, &token)).await?;
    Ok(unlisted(listed(&app, game).await?))
}

/// Read a shared moment
///
/// The picture that a screen was sent at this moment: the payload of `screen_update`.
#[utoipa::path(
    get, path = "/api/v1/results/{token}/moments/{index}", tag = "players", operation_id = "readSharedMoment",
    params(
        ("token" = String, Path, description = "The part of the link after the `#`"),
        ("index" = u32, Path, description = "The place of the moment, from 0"),
    ),
    responses(
        (status = 200, description = "The picture", body = Object),
        (status = 404, description = "No link has this token, it was revoked, it does not show the replay, or there is no such moment"),
        (status = 409, description = "The game has not ended"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are asking at once"),
    )
)]
pub(in crate::http) async fn read_shared_moment(
    State(app): State<Arc<App>>,
    Client(address): Client,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Refused> {
    let (token, number) = path.map(|Path(path)| path).unwrap_or_default();
    let game = shared(&app, (address, &token)).await?;
    Ok(unlisted(picture(&app, game, index(&number)?).await?))
}

/// The game whose replay a link shows.
async fn shared(app: &App, (address, token): (std::net::IpAddr, &str)) -> Result<GameId, Refused> {
    let shared = shared_game(app, address, &Presented::new(token)).await?;
    if !shared.replay {
        return Err(Refused::not_found());
    }
    if shared.row.phase != Phase::Ended {
        return Err(Refused::new(Kind::WRONG_PHASE, "The replay is shown once the game has ended."));
    }
    Ok(shared.row.id)
}

async fn listed(app: &App, game: GameId) -> Result<Response, Refused> {
    let film = app.registry.moments(game).await?.ok_or_else(Refused::not_found)?;
    beside(move || Ok(Json(list_of(&film)).into_response())).await
}

async fn picture(app: &App, game: GameId, index: usize) -> Result<Response, Refused> {
    let picture: Bytes = app.registry.picture(game, index).await?.ok_or_else(Refused::not_found)?;
    Ok(([(CONTENT_TYPE, "application/json")], picture).into_response())
}

fn list_of(film: &Film) -> MomentList {
    let moment = |(index, moment): (u32, &quizhall_engine::moments::Moment)| GameMoment {
        index,
        at: moment.at_ms.and_then(|at| i64::try_from(at).ok()).map(clock::rfc3339),
        kind: moment.kind,
        round: moment.round,
        question_id: moment.question.map(quizhall_rules::QuestionId::uuid),
    };
    MomentList { moments: (0..).zip(&film.moments).map(moment).collect() }
}

/// Keeps search engines from listing what a link shows.
fn unlisted(mut response: Response) -> Response {
    response.headers_mut().extend([NO_INDEX]);
    response
}

/// The game and the place of a moment in the path.
pub(in crate::http) struct OfOwnGame(Uuid, usize);

impl<S: Send + Sync> FromRequestParts<S> for OfOwnGame {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((game, place)) = path.map_err(|_| Refused::not_found())?;
        Ok(Self(id(&game)?, index(&place)?))
    }
}

/// A text that is no number is not found, like a number without a moment.
fn index(text: &str) -> Result<usize, Refused> {
    let number: Option<u32> = text.parse().ok().filter(|_| text.bytes().all(|digit| digit.is_ascii_digit()));
    number.and_then(|number| usize::try_from(number).ok()).ok_or_else(Refused::not_found)
}
