//! `/api/v1/games/{id}/league`: the table of games that follow each other, as JSON or as CSV.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::league::League;
use quizhall_rules::{Actor, Refusal};

use super::{beside, wants_csv, written};
use crate::app::App;
use crate::http::game_access;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::problem::Refused;
use crate::results::league::{self, Evening, Table};

/// Read the league
///
/// The points of the games that follow each other (`follows`): at most 52 before this one and 52 after it. A seat that
/// moved on to the next game has one line; so has a player who joined again under the same name. As CSV with `Accept:
/// text/csv`.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/league", tag = "games", operation_id = "readLeague",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "Any of the games")),
    responses(
        (status = 200, description = "The table so far", content(
            (League = "application/json"), (String = "text/csv"))),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host, who is invited to only one of the games"),
        (status = 404, description = "No game of this host"),
        (status = 503, description = "The database is not available, or a game is damaged"),
    )
)]
pub(in crate::http) async fn read_league(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let asked = asks.game(&app, id).await?;
    // A co-host is invited to one game only, and the table includes others.
    if asked.actor() != Actor::Host {
        return Err(Refusal::WrongRole.into());
    }
    let mut table = Table::default();
    for row in app.store.chain_of(asked.id()).await? {
        let before = table.seats();
        let evening = game_access::view(&app, &row, move |state| Evening::of(state, &before)).await?;
        table.add(&row, evening);
    }
    let league = table.finish();
    let mut response = beside(move || {
        if !wants_csv(&headers) {
            return Ok(Json(league).into_response());
        }
        let file = "attachment; filename=\"quizhall-league.csv\"";
        let headers = [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, file)];
        let bytes = written(league::csv_of(&league))?;
        Ok((headers, bytes).into_response())
    })
    .await?;
    response.headers_mut().insert(VARY, "Accept".parse().expect("a header value"));
    Ok(response)
}
