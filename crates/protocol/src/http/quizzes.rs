//! Quizzes: `/api/v1/quizzes`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

pub use quizhall_quiz::{DEFAULT_POINTS, QuestionBody, QuizBody, QuizUpload, RoundBody};

/// A stored quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quiz {
    /// The quiz's id.
    pub id: Uuid,
    /// Title.
    pub title: String,
    /// Rounds, with the ids of their questions.
    pub rounds: Vec<RoundBody>,
    /// What an import left out and why; absent when there is no report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub import_report: Option<Vec<String>>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
}

/// A line of the list of quizzes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuizSummary {
    /// The quiz's id.
    pub id: Uuid,
    /// Title.
    pub title: String,
    /// How many rounds.
    pub round_count: u32,
    /// How many questions in all rounds.
    pub question_count: u32,
    /// RFC 3339, UTC.
    pub updated_at: String,
    /// When its newest game that was started was opened (RFC 3339, UTC); absent when it was never played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_played_at: Option<String>,
}

/// The host's quizzes, newest change first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct QuizList {
    /// All of them, or a page.
    pub quizzes: Vec<QuizSummary>,
    /// The cursor of the next page; absent on the last page, and where no page was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
}
