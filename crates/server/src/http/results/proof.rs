//! `GET /api/v1/games/{id}/proof`: the proof of a sealed game that has ended, for its host, and by a results link that gives it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use quizhall_protocol::http::proof::Proof;
use quizhall_rules::{Event, Phase};
use serde::Deserialize;
use tokio::time::timeout;

use super::beside;
use super::link::{NO_INDEX, TIMEOUT, shared_game};
use crate::app::App;
use crate::auth::{Carrier, HostSession, Presented};
use crate::http::address::Address;
use crate::http::game_access;
use crate::http::path::Id;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::OfGame;
use crate::http::session::Host;
use crate::limits::JoinQueueFull;
use crate::sealed;
use crate::store::{GameRow, LogRow};

/// Who asks for a proof.
pub(in crate::http) enum Reader {
    /// A host.
    Host(HostSession),
    /// A visitor with the token of a results link.
    Link(Presented),
}

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        match Carrier::read(&parts.headers, None) {
            Carrier::Token(presented) if presented.as_results().is_some() => Ok(Self::Link(presented)),
            _ => Host::from_request_parts(parts, app).await.map(|Host(session)| Self::Host(session)),
        }
    }
}

/// The parameters of a proof.
#[derive(Deserialize)]
pub(in crate::http) struct Wanted {
    #[serde(default)]
    names: bool,
}

/// Download the proof of a game
///
/// Of a game that was created with `sealed`, once it has ended: its questions with their salts, everything that was answered and
/// marked, and the boards. `quizhall verify-game` checks the file (docs/sealed.md). The bearer token is that of the host, or of a
/// results link with `proof`; names are only in the file of a host who asks for them.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/proof", tag = "games", operation_id = "readProof",
    security(("hostToken" = [])),
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("names" = Option<bool>, Query, description = "Whether the file has the names of the players. Absent: false"),
    ),
    responses(
        (status = 200, description = "The proof", body = Proof),
        (status = 400, description = "`names` is neither true nor false"),
        (status = 409, description = "The game has not ended"),
        (status = 429, description = "Too many invalid tokens from this address"),
        OfGame,
    )
)]
pub(in crate::http) async fn read_proof(
    State(app): State<Arc<App>>,
    reader: Reader,
    Address(address): Address,
    Id(id): Id,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Refused> {
    let Ok(Query(Wanted { names })) = wanted else {
        return Err(Refused::new(Kind::BAD_REQUEST, "names is true or false."));
    };
    let (row, names) = match reader {
        Reader::Host(session) => (game_access::own(&app, session.host, id).await?.row().clone(), names),
        Reader::Link(presented) => {
            let shared = shared_game(&app, address, &presented).await?;
            let is_it = shared.proof && shared.row.id.uuid() == id;
            (is_it.then_some(shared.row).ok_or_else(Refused::not_found)?, false)
        }
    };
    let Some(ended_at_ms) = row.ended_at_ms.filter(|_| row.phase == Phase::Ended) else {
        return Err(Refused::new(Kind::WRONG_PHASE, "The game has not ended."));
    };
    // Each request reads a whole game.
    let turn = timeout(TIMEOUT, app.joins.shared_results.acquire()).await;
    let _turn = turn.map_err(|_| JoinQueueFull::counted())?;
    let rows = app.store.read_log(row.id, None).await?;
    let asked = sealed::Asked { ended_at_ms, names };
    beside(move || file(&row, &rows, asked)).await
}

fn file(row: &GameRow, rows: &[LogRow], asked: sealed::Asked) -> Result<Response, Refused> {
    let unreadable = |_| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR);
    let mut events: Vec<Event> = Vec::new();
    for row in rows {
        events.extend(serde_json::from_str::<Vec<Event>>(&row.body).map_err(unreadable)?);
    }
    let proof: Proof = sealed::proof(&events, asked).ok_or_else(Refused::not_found)?;
    let name = format!("attachment; filename=\"quizhall-{}-proof.json\"", row.code);
    let headers = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_DISPOSITION, name)];
    let pieces = stream::iter(sealed::Pieces::of(proof));
    let mut response = (headers, Body::from_stream(pieces)).into_response();
    response.headers_mut().insert(VARY, HeaderValue::from_static("Authorization"));
    response.headers_mut().extend([NO_INDEX]);
    Ok(response)
}
