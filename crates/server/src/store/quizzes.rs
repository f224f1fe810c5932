//! Quizzes as the store keeps them: the body is the documented JSON of the HTTP interface, opaque here.

use quizhall_rules::HostId;
use uuid::Uuid;

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
