//! Quizzes as the store keeps them: the body is the documented JSON of the HTTP interface, opaque here.

use quizhall_rules::HostId;
use sqlx::FromRow;
use uuid::Uuid;

/// A quiz with its body.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct QuizRow {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    #[sqlx(rename = "host_id", try_from = "Uuid")]
    pub host: HostId,
    /// Its title.
    pub title: String,
    /// How many rounds.
    #[sqlx(try_from = "i64")]
    pub round_count: u32,
    /// How many questions in all rounds.
    #[sqlx(try_from = "i64")]
    pub question_count: u32,
    /// JSON of `protocol::http::quizzes::QuizBody`, with the ids of its questions.
    pub body: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
}

/// A line of the list of quizzes.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct QuizLine {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// How many rounds.
    #[sqlx(try_from = "i64")]
    pub round_count: u32,
    /// How many questions in all rounds.
    #[sqlx(try_from = "i64")]
    pub question_count: u32,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
    /// When the newest game of it that got beyond its lobby was created, milliseconds since 1970.
    pub last_played_at_ms: Option<i64>,
}
