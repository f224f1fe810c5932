//! `/api/v1/games/{id}/results`: the results of a game, as JSON or as a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_engine::wire::{appeals, tie_break_status};
use quizhall_protocol::http::results::{AnswerResult, AppealResult, QuestionResults, Results, RoundResults};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::TieBreakStatus;
use quizhall_rules::{Appeal, MarkedBy, PastAnswer, Phase, Question, QuestionId, Standing, State as GameState};

use super::in_charge::InCharge;
use super::path::Id;
use super::problem::Refused;
use super::table;
use crate::app::App;

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
        (status = 401, description = "No valid token"),
        (status = 404, description = "No game of this host"),
        (status = 503, description = "The database is not available, or the game is damaged"),
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
        (status = 401, description = "No valid token"),
        (status = 404, description = "No game of this host"),
        (status = 503, description = "The database is not available, or the game is damaged"),
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
    beside(move || Ok((headers, table::of(&results, &scored)?).into_response())).await
}

/// Runs `work` outside the tasks of the games: writing the answers of 20,000 players takes long enough to delay them.
pub(super) async fn beside(
    render: impl FnOnce() -> Result<Response, Refused> + Send + 'static,
) -> Result<Response, Refused> {
    let rendered = tokio::task::spawn_blocking(render).await;
    rendered.map_err(|_| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR))?
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

/// The results of a game.
pub struct Collected {
    /// The results.
    pub results: Results,
    /// Which of their rounds are scored.
    pub scored: Vec<bool>,
}

/// Collects the results of a game in this state.
pub fn collect(state: &GameState) -> Collected {
    let begun = if state.phase() == Phase::Lobby { 0 } else { state.round() + 1 };
    let mut rounds: Vec<RoundResults> = (0..begun)
        .map(|round| RoundResults {
            title: state.quiz().rounds.get(round).map(|round| round.title.clone()).unwrap_or_default(),
            questions: state.asked_in(round).map(|asked| question(state, asked)).collect(),
            jokers: state.players().filter(|player| player.doubles(round)).map(|player| player.id.uuid()).collect(),
            tie_breaks: tie_breaks_of(state, round),
        })
        .collect();
    for past in state.all_answers() {
        if let Some(question) = rounds.get_mut(past.round).and_then(|round| find(round, past.question.id)) {
            question.answers.push(answer(state, &past));
        }
    }
    for appeal in state.players().flat_map(|player| state.appeals_of(player.id)) {
        if let Some(question) = rounds.iter_mut().find_map(|round| find(round, appeal.question)) {
            question.appeals.push(appealed(&appeal));
        }
    }
    let results = Results {
        game_id: state.game().uuid(),
        game_code: state.code().to_owned(),
        title: state.quiz().title.clone(),
        phase: state.phase().as_str().to_owned(),
        leaderboard: state.board().standings.iter().map(entry).collect(),
        rounds,
        shared: None,
    };
    Collected { results, scored: (0..begun).map(|round| state.is_scored(round)).collect() }
}

fn tie_breaks_of(state: &GameState, round: usize) -> Vec<TieBreakStatus> {
    let of_round = state.tie_breaks().iter().filter(|tie_break| tie_break.round == round);
    of_round.map(|tie_break| tie_break_status(state, tie_break)).collect()
}

fn find(round: &mut RoundResults, id: QuestionId) -> Option<&mut QuestionResults> {
    round.questions.iter_mut().find(|question| question.question_id == id.uuid())
}

fn question(state: &GameState, (question, players): (&Question, usize)) -> QuestionResults {
    QuestionResults {
        question_id: question.id.uuid(),
        text: question.text.clone(),
        kind: question.kind.into(),
        correct_answer: question.shown_key(),
        points: question.points,
        players: u32::try_from(players).ok(),
        answers: Vec::new(),
        explanation: question.explanation.clone(),
        corrected: state.is_corrected(question.id),
        withdrawn: state.is_withdrawn(question.id),
        appeals: Vec::new(),
    }
}

fn appealed(appeal: &Appeal<'_>) -> AppealResult {
    AppealResult {
        player_id: appeal.player.id.uuid(),
        display_name: appeal.player.display_name.as_str().to_owned(),
        text: appeal.text.map(str::to_owned),
        outcome: appeals::outcome(appeal.status),
    }
}

fn answer(state: &GameState, past: &PastAnswer<'_>) -> AnswerResult {
    let marker = Some(past.answer.marker).filter(|_| past.answer.is_overruled());
    AnswerResult {
        player_id: past.player.id.uuid(),
        display_name: past.player.display_name.as_str().to_owned(),
        answer: past.answer.text.as_ref().to_owned(),
        correct: past.answer.correct(),
        overridden: past.answer.is_overruled(),
        marker: marker.and_then(|device| state.co_host_label(device)).map(|label| label.as_str().to_owned()),
        by_changed_key: past.answer.marked_by() == MarkedBy::ChangedKey,
        points: past.earned.points,
        streak_points: past.earned.for_streak,
        speed_points: past.earned.for_speed,
        joker_points: past.earned.for_joker,
        elapsed_ms: past.answer.elapsed,
    }
}

fn entry(standing: &Standing) -> LeaderboardEntry {
    LeaderboardEntry {
        player_id: standing.player.uuid(),
        display_name: standing.display_name.to_string(),
        score: standing.score,
        rank: standing.rank,
        round_score: Some(standing.round_score),
    }
}

#[cfg(test)]
mod tests;
