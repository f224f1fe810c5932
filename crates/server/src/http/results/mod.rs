//! `/api/v1/games/{id}/results`: the results of a game, as JSON or as a table; its replay; both by a link.

pub(super) mod league;
pub(super) mod link;
pub(super) mod moments;
pub(super) mod proof;
pub(super) mod seal;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::results::Results;

use super::in_charge::InCharge;
use super::path::Id;
use super::problem::Refused;
use super::refusals::OfGame;
use crate::app::App;
use crate::results::{Collected, collect, table};

/// Read the results
///
/// The standing counts the rounds whose scores are released; the answers of every round played are listed. As CSV with
/// `Accept: text/csv`, or under `results.csv`: first a line per player with rank, score and the points of each scored
/// round, then a line per answer; the column `line` names the kind of each line. Text that a spreadsheet would run as a
/// formula, at the start of a cell or after `;`, a tab or a line break inside it, gets an apostrophe in front. UTF-8
/// with a byte order mark.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/results", tag = "games", operation_id = "readResults",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The results so far", content(
            (Results = "application/json"), (String = "text/csv"))),
        OfGame,
    )
)]
pub(super) async fn read_results(
    state: State<Arc<App>>,
    asks: InCharge,
    id: Id,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let collected = results(state, asks, id).await?;
    let mut response = if wants_csv(&headers) { csv(collected).await? } else { json(collected.results).await? };
    response.headers_mut().insert(VARY, "Accept".parse().expect("a header value"));
    Ok(response)
}

/// Read the results as CSV
#[utoipa::path(
    get, path = "/api/v1/games/{id}/results.csv", tag = "games", operation_id = "readResultsCsv",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The results so far", body = String, content_type = "text/csv"),
        OfGame,
    )
)]
pub(super) async fn read_results_csv(state: State<Arc<App>>, asks: InCharge, id: Id) -> Result<Response, Refused> {
    csv(results(state, asks, id).await?).await
}

/// The results, and which of their rounds are scored.
async fn results(State(app): State<Arc<App>>, asks: InCharge, Id(id): Id) -> Result<Collected, Refused> {
    let game = asks.game(&app, id).await?;
    let mut collected = game.view(&app, collect).await?;
    collected.results.shared = app.store.has_results_link(game.id()).await?.then_some(true);
    Ok(collected)
}

async fn json(results: Results) -> Result<Response, Refused> {
    beside(move || Ok(Json(results).into_response())).await
}

async fn csv(Collected { results, scored }: Collected) -> Result<Response, Refused> {
    let file = format!("attachment; filename=\"quizhall-{}.csv\"", results.game_code);
    let headers = [(CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, file)];
    beside(move || Ok((headers, written(table::of(&results, &scored))?).into_response())).await
}

/// Runs `work` outside the tasks of the games: writing the answers of 20,000 players takes long enough to delay them.
pub(super) async fn beside(
    render: impl FnOnce() -> Result<Response, Refused> + Send + 'static,
) -> Result<Response, Refused> {
    let rendered = tokio::task::spawn_blocking(render).await;
    rendered.map_err(|_| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR))?
}

/// A file that was written whole; writing into memory does not fail.
pub(super) fn written(file: Option<Vec<u8>>) -> Result<Vec<u8>, Refused> {
    file.ok_or_else(|| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR))
}

/// Whether `Accept` names CSV before, or with a higher weight than, JSON.
pub(super) fn wants_csv(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (mut csv, mut json) = (0.0, 0.0);
    for (place, item) in accept.split(',').enumerate() {
        let (kind, parameters) = item.split_once(';').unwrap_or((item, ""));
        let weight = parameters.split(';').find_map(|one| one.trim().strip_prefix("q="));
        let weight: f64 = weight.map_or(Some(1.0), |text| text.trim().parse().ok()).unwrap_or_default();
        // Of equal weights, the one named first wins.
        #[expect(clippy::cast_precision_loss, reason = "a handful of places")]
        let weight = if weight > 0.0 { weight - place as f64 * 1e-6 } else { 0.0 };
        match kind.trim().to_ascii_lowercase().as_str() {
            "text/csv" => csv = weight,
            "application/json" => json = weight,
            _ => {}
        }
    }
    csv > json
}
