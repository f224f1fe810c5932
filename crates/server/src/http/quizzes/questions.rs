//! `/api/v1/questions`: a search among the questions of all quizzes of a host.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quizhall_protocol::http::quizzes::{FoundQuestion, FoundQuestions};

use super::search::Sought;
use crate::app::App;
use crate::http::paging::Paging;
use crate::http::problem::Refused;
use crate::http::session::Host;
use crate::library::index;
use crate::store::{Page, Place, StoreError};

/// Search the questions
///
/// Finds the questions whose text, choices, accepted answers or tags contain every word of `q`, in any order and also
/// inside a longer word. Letter case, accents and punctuation make no difference, as in answers. `tag` finds the
/// questions with this tag and those of quizzes with it. Questions of the quiz created last come first. Without
/// parameters every question is found.
#[utoipa::path(
    get, path = "/api/v1/questions", tag = "quizzes", operation_id = "searchQuestions", security(("hostToken" = [])),
    params(
        ("q" = Option<String>, Query, description = "Up to 10 words"),
        ("tag" = Option<String>, Query, description = "A whole tag"),
        ("limit" = Option<u32>, Query, description = "Questions of a page; 100 without it"),
        ("cursor" = Option<String>, Query, description = "`next` of the previous page"),
    ),
    responses(
        (status = 200, description = "A page of the questions", body = FoundQuestions),
        (status = 400, description = "The parameters cannot be read"),
        (status = 401, description = "No valid token"),
    )
)]
pub(in crate::http) async fn search_questions(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Sought(search): Sought,
    paging: Paging,
) -> Result<Json<FoundQuestions>, Refused> {
    index::refresh(&app.store, session.host).await?;
    let paging = paging.or_first();
    let page = paging.asked().unwrap_or(Page::first(0));
    let mut rows = app.store.found_questions(session.host, &search.unwrap_or_default(), page).await?;
    let next = paging.cut(&mut rows, |row| Place { time_ms: row.place, id: row.quiz });
    let questions = rows.into_iter().map(|row| {
        let question = serde_json::from_str(&row.body).map_err(|_| StoreError::Corrupt("a question"))?;
        Ok(FoundQuestion { quiz_id: row.quiz, quiz_title: row.title, question })
    });
    Ok(Json(FoundQuestions { questions: questions.collect::<Result<_, StoreError>>()?, next }))
}
