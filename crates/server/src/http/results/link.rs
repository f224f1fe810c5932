//! `/api/v1/games/{id}/results-link` and `/api/v1/results/{token}`: the released results, by a link that needs no
//! account.
//!
//! A valid link is never refused because of other requests from its address. Its content is read from the game each
//! time, so an erased name, a deleted game and a purge take effect at once.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::shared_results::{ResultsLink, ShareResults, SharedResults};
use rand::Rng as _;
use tokio::time::timeout;

use super::{beside, wants_csv, written};
use crate::app::App;
use crate::auth::{Carrier, NONCE_BYTES, Presented, results_token};
use crate::clock;
use crate::http::address::Client;
use crate::http::body::OptionalBody;
use crate::http::game_access;
use crate::http::path::Id;
use crate::http::problem::Refused;
use crate::http::refusals::{HasToken, OfGame, TakesJson};
use crate::http::session::Host;
use crate::http::token_search::{Asking, by_token};
use crate::limits::JoinQueueFull;
use crate::results::by_link;
use crate::store::{ResultsLinkRow, SharedGame};

/// How long a request for results may wait for its turn.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps search engines from listing the page.
pub(super) const NO_INDEX: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));

/// Share the results
///
/// Creates the link to the page with the released results, or returns the existing one. The page needs no account and
/// shows what players have been shown. The link is valid until it is revoked or the game is deleted. The body may be left
/// out. With `proof` it says whether the link also gives the proof of a sealed game once it has ended, without names; with `replay`
/// whether it also shows the replay once the game has ended, with everything that the screen showed, names included.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/results-link", tag = "games", operation_id = "shareResults",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body(content = Option<ShareResults>, description = "What the link shows besides the results"),
    responses(
        (status = 200, description = "The link of the game", body = ResultsLink),
        (status = 422, description = "A field is not acceptable"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn share_results(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    OptionalBody(ShareResults { proof, replay }): OptionalBody<ShareResults>,
) -> Result<Json<ResultsLink>, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    let secret = game.view(&app, |state| *state.join_secret()).await?;
    let mut nonce = vec![0; NONCE_BYTES];
    rand::rng().fill_bytes(&mut nonce);
    let hash = results_token(&secret, &nonce).hash();
    let link = ResultsLinkRow { game: game.id(), nonce, hash, created_at_ms: clock::unix_ms(), proof, replay };
    let link = app.store.keep_results_link(link).await?.ok_or_else(Refused::not_found)?;
    let token = results_token(&secret, &link.nonce);
    let url = format!("{}/results#{}", app.config.public_url(), token.expose());
    Ok(Json(ResultsLink { url, proof: link.proof, replay: link.replay }))
}

/// Revoke the results link
///
/// The link of the game shows nothing from then on; a link created later is a new one. Does nothing when there is none.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/results-link", tag = "games", operation_id = "revokeResultsLink",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 204, description = "There is no link"),
        (status = 404, description = "No game of this host"),
        HasToken,
    )
)]
pub(in crate::http) async fn revoke_results_link(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    app.store.revoke_results_link(game.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Read shared results
///
/// The released results of the game that the link belongs to, without an account. With a player's session token of this
/// game as bearer token, the player's own answers are included, until the token ends 24 h after the game. As CSV with
/// `Accept: text/csv`: a line per player of the standings, then a line per question; the column `line` names the kind
/// of each line.
#[utoipa::path(
    get, path = "/api/v1/results/{token}", tag = "players", operation_id = "readSharedResults",
    params(("token" = String, Path, description = "The part of the link after the `#`")),
    responses(
        (status = 200, description = "The results so far", content(
            (SharedResults = "application/json"), (String = "text/csv"))),
        (status = 404, description = "No link has this token, or it was revoked"),
        (status = 429, description = "Too many invalid tokens from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are asking at once"),
    )
)]
pub(in crate::http) async fn read_shared_results(
    State(app): State<Arc<App>>,
    Client(address): Client,
    token: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    // A path segment that is not text is not a token either.
    let token = token.map(|Path(token)| token).unwrap_or_default();
    let results = results(&app, &token, Asking { address, headers: &headers }).await?;
    let as_csv = wants_csv(&headers);
    let mut response = beside(move || if as_csv { csv(&results) } else { Ok(Json(results).into_response()) }).await?;
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept, Authorization"));
    response.headers_mut().extend([NO_INDEX]);
    Ok(response)
}

async fn results(app: &App, token: &str, asking: Asking<'_>) -> Result<SharedResults, Refused> {
    let SharedGame { row, proof, replay } = shared_game(app, asking.address, &Presented::new(token)).await?;
    let player = match Carrier::read(asking.headers, None) {
        // The token of a player ends with the code of the game.
        Carrier::Token(token) if !game_access::is_past(&row) => {
            token.as_player().filter(|(game, _)| *game == row.id).map(|(_, hash)| hash)
        }
        _ => None,
    };
    // Many people may open the link at once, and each request reads a whole game.
    let turn = timeout(TIMEOUT, app.joins.shared_results.acquire()).await;
    let _turn = turn.map_err(|_| JoinQueueFull::counted())?;
    game_access::view(app, &row, move |state| {
        let mut results = by_link::collect(state, player.as_ref());
        results.proof = proof && results.ended && state.sealed().is_some();
        results.replay = replay && results.ended;
        results
    })
    .await
}

/// The game that the link with this token shows.
pub(super) async fn shared_game(app: &App, address: IpAddr, token: &Presented) -> Result<SharedGame, Refused> {
    let hash = token.as_results();
    let look = async {
        match hash {
            Some(hash) => Ok(app.store.game_of_results_link(hash).await?),
            None => Ok(None),
        }
    };
    by_token(app, address, look).await?.ok_or_else(Refused::not_found)
}

fn csv(results: &SharedResults) -> Result<Response, Refused> {
    let headers =
        [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, "attachment; filename=\"results.csv\"")];
    Ok((headers, written(by_link::table(results))?).into_response())
}
