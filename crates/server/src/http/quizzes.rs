//! `/api/v1/quizzes`: a host's quizzes. Another host's are not found.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::quizzes::{Quiz, QuizList, QuizSummary, QuizUpload};
use quizhall_rules::QuizError;
use uuid::Uuid;

use super::body::JsonBody;
use super::path::Id;
use super::problem::{Kind, Refused};
use super::quiz_form::{self, MediaError};
use super::session::Host;
use crate::app::App;
use crate::clock;
use crate::store::QuizRow;
use crate::telemetry::{Limit, metrics};

/// Bytes of a quiz: 500 questions at their longest are not more.
const QUIZ_BYTES: usize = 2 * 1024 * 1024;

/// Quizzes of one host.
pub const MAX_QUIZZES: u32 = 1_000;

/// List the quizzes
#[utoipa::path(
    get, path = "/api/v1/quizzes", tag = "quizzes", operation_id = "listQuizzes", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The quizzes, newest change first", body = QuizList),
        (status = 401, description = "No valid token"),
    )
)]
pub(super) async fn list_quizzes(State(app): State<Arc<App>>, Host(session): Host) -> Result<Json<QuizList>, Refused> {
    let lines = app.store.quizzes_of(session.host).await?;
    let quizzes = lines.into_iter().map(|line| QuizSummary {
        id: line.id,
        title: line.title,
        round_count: line.round_count,
        question_count: line.question_count,
        updated_at: clock::rfc3339(line.updated_at_ms),
        last_played_at: line.last_played_at_ms.map(clock::rfc3339),
    });
    Ok(Json(QuizList { quizzes: quizzes.collect() }))
}

/// Create a quiz
///
/// The server gives the questions their ids and returns the whole quiz with every default written out.
#[utoipa::path(
    post, path = "/api/v1/quizzes", tag = "quizzes", operation_id = "createQuiz", security(("hostToken" = [])),
    request_body = QuizUpload,
    responses(
        (status = 201, description = "The quiz", body = Quiz),
        (status = 400, description = "Not JSON"),
        (status = 401, description = "No valid token"),
        (status = 409, description = "1,000 quizzes are there already"),
        (status = 413, description = "The body is larger than 2 MiB"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or breaks a limit; `field` names it"),
    )
)]
pub(super) async fn create_quiz(
    State(app): State<Arc<App>>,
    Host(session): Host,
    JsonBody(body): JsonBody<QuizUpload, QUIZ_BYTES>,
) -> Result<(StatusCode, Json<Quiz>), Refused> {
    let (body, report) = body.into_parts()?;
    let mut quiz = quiz_form::checked(body)?;
    let media = quiz_form::with_media(&app.store, session.host, &mut quiz).await?;
    let row = quiz_form::row(Uuid::now_v7(), session.host, &quiz, clock::unix_ms());
    let row = quiz_form::with_report(row, &quiz, report.unwrap_or_default());
    let answer = answer(&row)?;
    if !app.store.create_quiz(row, media, MAX_QUIZZES).await? {
        metrics::limit_reached(Limit::QuizzesPerHost);
        return Err(Refused::new(Kind::TOO_MANY_QUIZZES, "Delete a quiz that is not needed any more."));
    }
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Read a quiz
#[utoipa::path(
    get, path = "/api/v1/quizzes/{id}", tag = "quizzes", operation_id = "readQuiz", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The quiz")),
    responses(
        (status = 200, description = "The quiz", body = Quiz),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No quiz of this host"),
    )
)]
pub(super) async fn read_quiz(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<Json<Quiz>, Refused> {
    let row = app.store.quiz(session.host, id).await?.ok_or_else(Refused::not_found)?;
    Ok(Json(answer(&row)?))
}

/// Replace a quiz
///
/// Its questions get new ids. Games made from it keep their own copy. The report of an import stays unless another one is sent.
#[utoipa::path(
    put, path = "/api/v1/quizzes/{id}", tag = "quizzes", operation_id = "replaceQuiz", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The quiz")),
    request_body = QuizUpload,
    responses(
        (status = 200, description = "The quiz", body = Quiz),
        (status = 400, description = "Not JSON"),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No quiz of this host"),
        (status = 413, description = "The body is larger than 2 MiB"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or breaks a limit; `field` names it"),
    )
)]
pub(super) async fn replace_quiz(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
    JsonBody(body): JsonBody<QuizUpload, QUIZ_BYTES>,
) -> Result<Json<Quiz>, Refused> {
    let (body, report) = body.into_parts()?;
    let mut quiz = quiz_form::checked(body)?;
    let before = app.store.quiz(session.host, id).await?.ok_or_else(Refused::not_found)?;
    let media = quiz_form::with_media(&app.store, session.host, &mut quiz).await?;
    let row = quiz_form::row(id, session.host, &quiz, clock::unix_ms());
    let row = QuizRow { created_at_ms: before.created_at_ms, ..row };
    let report = match report {
        Some(report) => report,
        None => quiz_form::stored_upload(&before)?.import_report.unwrap_or_default(),
    };
    let row = quiz_form::with_report(row, &quiz, report);
    let answer = answer(&row)?;
    if app.store.replace_quiz(row, media).await? { Ok(Json(answer)) } else { Err(Refused::not_found()) }
}

/// Delete a quiz
///
/// Games made from it keep their own copy.
#[utoipa::path(
    delete, path = "/api/v1/quizzes/{id}", tag = "quizzes", operation_id = "deleteQuiz",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The quiz")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No quiz of this host"),
    )
)]
pub(super) async fn delete_quiz(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    let deleted = app.store.delete_quiz(session.host, id).await?;
    if deleted { Ok(StatusCode::NO_CONTENT) } else { Err(Refused::not_found()) }
}

fn answer(row: &QuizRow) -> Result<Quiz, Refused> {
    let stored = quiz_form::stored_upload(row)?;
    Ok(Quiz {
        id: row.id,
        title: stored.title,
        rounds: stored.rounds,
        import_report: stored.import_report,
        created_at: clock::rfc3339(row.created_at_ms),
        updated_at: clock::rfc3339(row.updated_at_ms),
    })
}

impl From<MediaError> for Refused {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::Wrong(error) => error.into(),
            MediaError::Store(error) => error.into(),
        }
    }
}

impl From<QuizError> for Refused {
    fn from(error: QuizError) -> Self {
        let detail = error.to_string();
        Self::invalid(error.field, format!("{detail}."))
    }
}
