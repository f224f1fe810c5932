//! A quiz between its three forms: what an author sends, what is stored (the same, with ids), and what a game plays.
//!
//! Called by the quiz and game handlers and by `quizhall quiz import|export`. Knows no requests; the database is read
//! only to find which files a host has.

use std::collections::{BTreeSet, HashMap, HashSet};

use quizhall_protocol::http::quizzes::{QuizBody, QuizUpload, UploadExtras};
use quizhall_rules::{HostId, Question, Quiz, QuizError};
use thiserror::Error;
use uuid::Uuid;

use crate::media::MediaType;
use crate::store::{MediaLine, QuizRow, Store, StoreError};

/// The quiz that a new host starts with.
const SAMPLE: &str = include_str!("../../quizzes/sample.json");

/// Checks what an author sent. A question keeps its id; a question without an id, or with the id of an earlier question
/// in the body, gets a fresh one.
///
/// # Errors
/// The first field that breaks a limit (messages.md#limits).
pub fn checked(body: QuizBody) -> Result<Quiz, QuizError> {
    let mut ids = HashSet::new();
    let quiz = body.into_quiz(|sent| sent.filter(|id| ids.insert(*id)).unwrap_or_else(Uuid::now_v7))?;
    quiz.validate()?;
    Ok(quiz)
}

/// Why the files of a quiz cannot be used.
#[derive(Debug, Error)]
pub enum MediaError {
    /// A file does not belong to the host, or is of another type than the question states.
    #[error(transparent)]
    Wrong(#[from] QuizError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks that the host has every picture and sound of the quiz, and writes the type, length and size of each into its
/// question. Resolves to their ids, without duplicates.
///
/// # Errors
/// The first file that cannot be used, or a failing database.
pub async fn with_media(store: &Store, host: HostId, quiz: &mut Quiz) -> Result<Vec<Uuid>, MediaError> {
    let used = media_of(quiz);
    if used.is_empty() {
        return Ok(used);
    }
    let files: HashMap<Uuid, MediaLine> = store.media_of(host).await?.into_iter().map(|file| (file.id, file)).collect();
    for (at, round) in quiz.rounds.iter_mut().enumerate() {
        for (number, question) in round.questions.iter_mut().enumerate() {
            let Some(media) = &mut question.media else { continue };
            let wrong = |field: &str, problem: &str| QuizError {
                field: format!("rounds[{at}].questions[{number}].media.{field}"),
                problem: problem.to_owned(),
            };
            let file = files.get(&media.id).ok_or_else(|| wrong("id", "must be a file of this account"))?;
            let of = MediaType::of_name(&file.media_type).ok_or(StoreError::Corrupt("the type of a file"))?;
            if of.kind() != media.kind {
                return Err(wrong("kind", "must be what the file is").into());
            }
            media.media_type = Some(file.media_type.clone());
            media.bytes = u32::try_from(file.bytes).ok();
            let side = |length: Option<i64>| length.and_then(|length| u32::try_from(length).ok());
            (media.width, media.height) = (side(file.width), side(file.height));
        }
    }
    Ok(used)
}

/// The pictures and sounds of a quiz, without duplicates.
pub fn media_of(quiz: &Quiz) -> Vec<Uuid> {
    let questions = quiz.rounds.iter().flat_map(|round| &round.questions);
    let media = |question: &Question| question.media.as_ref().map(|media| media.id);
    questions.filter_map(media).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A checked quiz as it is stored.
pub fn row(id: Uuid, host: HostId, quiz: &Quiz, now_ms: i64) -> QuizRow {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    QuizRow {
        id,
        host,
        title: quiz.title.clone(),
        round_count: count(quiz.rounds.len()),
        question_count: count(quiz.rounds.iter().map(|round| round.questions.len()).sum()),
        body: serde_json::to_string(&QuizBody::from(quiz)).expect("strings and finite numbers are always JSON"),
        tags: "[]".to_owned(),
        created_at_ms: now_ms,
        updated_at_ms: now_ms,
    }
}

/// The row with what is kept in addition to the questions; an empty report is stored as none.
pub fn with_extras(row: QuizRow, quiz: &Quiz, extras: UploadExtras) -> QuizRow {
    let stored = QuizUpload::new(QuizBody::from(quiz), extras.import_report.unwrap_or_default());
    QuizRow {
        body: serde_json::to_string(&stored).expect("strings and finite numbers are always JSON"),
        tags: serde_json::to_string(&extras.tags.unwrap_or_default()).expect("strings are always JSON"),
        ..row
    }
}

/// A stored quiz with its report and its tags.
///
/// # Errors
/// When it cannot be read.
pub fn stored_upload(row: &QuizRow) -> Result<QuizUpload, StoreError> {
    let stored: QuizUpload = serde_json::from_str(&row.body).map_err(|_| StoreError::Corrupt("a quiz"))?;
    Ok(QuizUpload { tags: Some(stored_tags(&row.tags)?), ..stored })
}

/// A stored quiz as it is exported: with its tags, but without the report of an import.
///
/// # Errors
/// When it cannot be read.
pub fn exported(row: &QuizRow) -> Result<QuizUpload, StoreError> {
    let stored = stored_upload(row)?;
    Ok(QuizUpload { import_report: None, tags: stored.tags.filter(|tags| !tags.is_empty()), ..stored })
}

/// The tags of a quiz, as they are stored.
///
/// # Errors
/// When they cannot be read.
pub fn stored_tags(tags: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(tags).map_err(|_| StoreError::Corrupt("the tags of a quiz"))
}

/// The body of a stored quiz.
///
/// # Errors
/// When it cannot be read.
pub fn stored_body(row: &QuizRow) -> Result<QuizBody, StoreError> {
    serde_json::from_str(&row.body).map_err(|_| StoreError::Corrupt("a quiz"))
}

/// A stored quiz as a game plays it; its questions keep their ids.
///
/// # Errors
/// When it cannot be read.
pub fn stored_quiz(row: &QuizRow) -> Result<Quiz, StoreError> {
    let quiz = stored_body(row)?.into_quiz(|id| id.unwrap_or_else(Uuid::now_v7));
    quiz.map_err(|_| StoreError::Corrupt("a quiz"))
}

/// The sample quiz, for a new host.
pub fn sample_quiz(host: HostId, now_ms: i64) -> Option<QuizRow> {
    let body = serde_json::from_str(SAMPLE).ok()?;
    Some(row(Uuid::now_v7(), host, &checked(body).ok()?, now_ms))
}
