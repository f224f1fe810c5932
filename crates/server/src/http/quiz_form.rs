//! A quiz between its three forms: what an author sends, what is stored (the same, with ids), and what a game plays.
//!
//! Called by the quiz and game handlers and by `quizhall quiz import|export`. Pure: no request, no database.

use quizhall_protocol::http::quizzes::{QuizBody, QuizUpload};
use quizhall_rules::{HostId, Quiz, QuizError};
use uuid::Uuid;

use crate::store::{QuizRow, StoreError};

/// The quiz that a new host finds waiting.
const SAMPLE: &str = include_str!("../../quizzes/sample.json");

/// Checks what an author sent and gives its questions fresh ids.
///
/// # Errors
/// The first field that breaks a limit (messages.md#limits).
pub fn checked(body: QuizBody) -> Result<Quiz, QuizError> {
    let quiz = body.into_quiz(|_| Uuid::now_v7())?;
    quiz.validate()?;
    Ok(quiz)
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
        created_at_ms: now_ms,
        updated_at_ms: now_ms,
    }
}

/// The row with this report of an import; an empty report is none.
pub fn with_report(row: QuizRow, quiz: &Quiz, report: Vec<String>) -> QuizRow {
    let stored = QuizUpload::new(QuizBody::from(quiz), report);
    QuizRow { body: serde_json::to_string(&stored).expect("strings and finite numbers are always JSON"), ..row }
}

/// A stored quiz with what is kept beside its questions.
///
/// # Errors
/// When it cannot be read.
pub fn stored_upload(row: &QuizRow) -> Result<QuizUpload, StoreError> {
    serde_json::from_str(&row.body).map_err(|_| StoreError::Corrupt("a quiz"))
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

#[cfg(test)]
mod tests;
