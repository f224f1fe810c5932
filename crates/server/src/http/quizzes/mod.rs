//! `/api/v1/quizzes`: a host's quizzes. The quizzes of other hosts are not found.

pub(super) mod question_history;
pub(super) mod questions;
pub(super) mod search;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::quizzes::{Quiz, QuizList, QuizSummary, QuizUpload, UploadExtras};
use quizhall_rules::QuizError;
use uuid::Uuid;

use self::search::Sought;
use super::body::JsonBody;
use super::idempotency::{self, KeyedBody};
use super::paging::Paging;
use super::path::Id;
use super::problem::{Kind, Refused};
use super::session::Host;
use crate::app::App;
use crate::clock;
use crate::library::quiz_form::{self, MediaError};
use crate::library::{MAX_QUIZZES, index};
use crate::store::{NewQuiz, Page, Place, QuizCreation, QuizLine, QuizRow, StoreError};
use crate::telemetry::{Limit, metrics};

/// Most bytes of a quiz: 500 questions at their longest have fewer.
const QUIZ_BYTES: usize = 2 * 1024 * 1024;

/// List the quizzes
///
/// With `limit` or `cursor` a page of them: `next` is the cursor of the next page, absent on the last one. A quiz that
/// is changed between two pages moves to the front. Without them, all quizzes.
///
/// `q` finds the quizzes that contain every word in title, rounds, tags, questions, choices or accepted answers, in any
/// order and also inside a longer word; letter case, accents and punctuation make no difference. `tag` finds the
/// quizzes with this tag.
#[utoipa::path(
    get, path = "/api/v1/quizzes", tag = "quizzes", operation_id = "listQuizzes", security(("hostToken" = [])),
    params(
        ("q" = Option<String>, Query, max_length = 200, description = "Up to 10 words"),
        ("tag" = Option<String>, Query, max_length = 200, description = "A whole tag"),
        ("limit" = Option<u32>, Query, description = "Quizzes of a page; 100 with only a cursor"),
        ("cursor" = Option<String>, Query, description = "`next` of the previous page"),
    ),
    responses(
        (status = 200, description = "The quizzes, newest change first", body = QuizList),
        (status = 400, description = "The parameters cannot be read"),
        (status = 401, description = "No valid token"),
    )
)]
pub(super) async fn list_quizzes(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Sought(search): Sought,
    paging: Paging,
) -> Result<Json<QuizList>, Refused> {
    let page = paging.asked().unwrap_or(Page::first(u32::MAX));
    let mut lines = match search {
        Some(search) => {
            index::refresh(&app.store, session.host).await?;
            app.store.found_quizzes(session.host, &search, page).await?
        }
        None => app.store.quizzes_page(session.host, page).await?,
    };
    let next = paging.cut(&mut lines, |line| Place { time_ms: line.updated_at_ms, id: line.id });
    let summary = |line: QuizLine| -> Result<QuizSummary, StoreError> {
        Ok(QuizSummary {
            id: line.id,
            title: line.title,
            round_count: line.round_count,
            question_count: line.question_count,
            updated_at: clock::rfc3339(line.updated_at_ms),
            last_played_at: line.last_played_at_ms.map(clock::rfc3339),
            tags: quiz_form::stored_tags(&line.tags)?,
        })
    };
    let quizzes = lines.into_iter().map(summary).collect::<Result<_, _>>()?;
    Ok(Json(QuizList { quizzes, next }))
}

/// Create a quiz
///
/// The server gives the questions their ids and returns the whole quiz with every default written out. A
/// request that is repeated with the same `Idempotency-Key` within 24 hours creates nothing and returns the quiz as it is now.
#[utoipa::path(
    post, path = "/api/v1/quizzes", tag = "quizzes", operation_id = "createQuiz", security(("hostToken" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters")),
    request_body = QuizUpload,
    responses(
        (status = 201, description = "The quiz", body = Quiz),
        (status = 400, description = "Not JSON, or a bad key"),
        (status = 401, description = "No valid token"),
        (status = 409, description = "There are already 1,000 quizzes, or the quiz of a repeated request is deleted"),
        (status = 413, description = "The body is larger than 2 MiB"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or breaks a limit, `field` names it; or the key was used for another request"),
        (status = 429, description = "1,000 keys of the host were used within 24 hours"),
    )
)]
pub(super) async fn create_quiz(
    State(app): State<Arc<App>>,
    Host(session): Host,
    KeyedBody { body, key }: KeyedBody<QuizUpload, QUIZ_BYTES>,
) -> Result<(StatusCode, Json<Quiz>), Refused> {
    let (body, extras) = body.into_parts()?;
    let mut quiz = quiz_form::checked(body)?;
    let media = quiz_form::with_media(&app.store, session.host, &mut quiz).await?;
    let row = quiz_form::row(Uuid::now_v7(), session.host, &quiz, clock::unix_ms());
    let row = quiz_form::with_extras(row, &quiz, extras);
    let created = answer(&row)?;
    match app.store.create_quiz_by_key(NewQuiz { row, media, key }, MAX_QUIZZES).await? {
        QuizCreation::Created => Ok((StatusCode::CREATED, Json(created))),
        QuizCreation::TooMany => {
            metrics::limit_reached(Limit::QuizzesPerHost);
            Err(Refused::new(Kind::TOO_MANY_QUIZZES, "Delete a quiz that you no longer need."))
        }
        QuizCreation::KeyUsed(used) => {
            let id = idempotency::created_before(used)?;
            let row = app.store.quiz(session.host, id).await?.ok_or_else(idempotency::deleted_since)?;
            Ok((StatusCode::CREATED, Json(answer(&row)?)))
        }
    }
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
/// A question that is sent with its id keeps the id and its history. Games made from the quiz keep their own copy. The
/// report of an import and the tags of the quiz stay unless others are sent.
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
    let (body, extras) = body.into_parts()?;
    let mut quiz = quiz_form::checked(body)?;
    let before = app.store.quiz(session.host, id).await?.ok_or_else(Refused::not_found)?;
    let media = quiz_form::with_media(&app.store, session.host, &mut quiz).await?;
    let row = quiz_form::row(id, session.host, &quiz, clock::unix_ms());
    let row = QuizRow { created_at_ms: before.created_at_ms, ..row };
    let stored = quiz_form::stored_upload(&before)?;
    let import_report = extras.import_report.or(stored.import_report);
    let row = quiz_form::with_extras(row, &quiz, UploadExtras { import_report, tags: extras.tags.or(stored.tags) });
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
        tags: stored.tags.unwrap_or_default(),
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
