//! Quizzes as the store keeps them: the body is the documented JSON of the HTTP interface, opaque here.

use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::columns::from_row;

/// A quiz with its body.
#[derive(Clone, PartialEq, Eq)]
pub struct QuizRow {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub host: HostId,
    /// Its title.
    pub title: String,
    /// How many rounds.
    pub round_count: u32,
    /// How many questions in all rounds.
    pub question_count: u32,
    /// JSON of `protocol::http::quizzes::QuizBody`, with the ids of its questions.
    pub body: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
}
from_row!(PgRow, SqliteRow => QuizRow {
    id, host = "host_id" as Uuid, title, round_count as i64, question_count as i64, body, created_at_ms, updated_at_ms
});

/// A line of the list of quizzes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuizLine {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// How many rounds.
    pub round_count: u32,
    /// How many questions in all rounds.
    pub question_count: u32,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
    /// When the newest game of it that got beyond its lobby was created, milliseconds since 1970.
    pub last_played_at_ms: Option<i64>,
}
from_row!(PgRow, SqliteRow => QuizLine {
    id, title, round_count as i64, question_count as i64, updated_at_ms, last_played_at_ms
});
