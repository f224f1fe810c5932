//! `/api/v1/quizzes/{id}/history`: when the questions of a quiz were asked, and with which results.
//!
//! The numbers are derived from the logs of ended games. A game is counted once, when a history is first read after its
//! end.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quizhall_protocol::http::quizzes::{AskedIn, QuestionHistory, QuizHistory};
use quizhall_rules::{HostId, State as GameState};

use crate::app::App;
use crate::clock;
use crate::http::path::Id;
use crate::http::problem::Refused;
use crate::http::session::Host;
use crate::library::index;
use crate::store::{AskedCount, AskedRow, StoreError};

/// Most ended games counted by one request.
const GAMES_AT_ONCE: u32 = 20;

/// Most games listed for a question.
const GAMES_OF_QUESTION: u32 = 20;

/// Read the history of a quiz
///
/// For each question that was asked: the newest 20 ended games of the account with a question of this id, which questions keep when a
/// quiz is edited or copied. Games that are deleted or purged are not listed. A request counts up to 20 ended games; `pending` says
/// how many are left for the next one.
#[utoipa::path(
    get, path = "/api/v1/quizzes/{id}/history", tag = "quizzes", operation_id = "readQuizHistory",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The quiz")),
    responses(
        (status = 200, description = "The history", body = QuizHistory),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No quiz of this host"),
    )
)]
pub(in crate::http) async fn read_quiz_history(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<QuizHistory>, Refused> {
    let host = session.host;
    app.store.quiz(host, id).await?.ok_or_else(Refused::not_found)?;
    count_games(&app, host).await?;
    index::refresh(&app.store, host).await?;
    let rows = app.store.history_of(host, id, GAMES_OF_QUESTION).await?;
    let pending = Some(app.store.uncounted(host).await?).filter(|games| *games > 0);
    Ok(Json(QuizHistory { questions: by_question(rows), pending }))
}

/// Counts ended games. A game that cannot be read is left for a later request.
async fn count_games(app: &App, host: HostId) -> Result<(), StoreError> {
    for game in app.store.uncounted_games(host, GAMES_AT_ONCE).await? {
        if let Ok(counts) = app.registry.view_log(&game, counts_of).await {
            app.store.keep_counts(host, game.id, counts).await?;
        }
    }
    Ok(())
}

/// The results of every question that was asked in a game.
fn counts_of(state: &GameState) -> Vec<AskedCount> {
    let mut counts = HashMap::new();
    for (question, players) in (0..=state.round()).flat_map(|round| state.asked_in(round)) {
        let count = AskedCount {
            question: question.id.uuid(),
            players: u32::try_from(players).unwrap_or(u32::MAX),
            answered: 0,
            right: question.kind.is_marked().then_some(0),
        };
        counts.insert(question.id, count);
    }
    for past in state.all_answers() {
        let Some(count) = counts.get_mut(&past.question.id) else { continue };
        count.answered += 1;
        count.right = count.right.map(|right| right + u32::from(past.answer.correct()));
    }
    counts.into_values().collect()
}

fn by_question(rows: Vec<AskedRow>) -> Vec<QuestionHistory> {
    let mut questions: Vec<QuestionHistory> = Vec::new();
    for row in rows {
        let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
        let game = AskedIn {
            game_id: row.game,
            title: row.title,
            created_at: clock::rfc3339(row.created_at_ms),
            players: count(row.players),
            answered: count(row.answered),
            right: row.right.map(count),
        };
        match questions.last_mut() {
            Some(last) if last.question_id == row.question => last.games.push(game),
            _ => questions.push(QuestionHistory { question_id: row.question, games: vec![game] }),
        }
    }
    questions
}
