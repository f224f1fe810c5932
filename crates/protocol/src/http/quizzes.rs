//! Quizzes: `/api/v1/quizzes`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

pub use quizhall_quiz::{DEFAULT_POINTS, QuestionBody, QuizBody, QuizUpload, RoundBody, UploadExtras};

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
    /// Its tags; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub tags: Vec<String>,
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
    /// Its tags; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub tags: Vec<String>,
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

/// A question that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundQuestion {
    /// The quiz that it is in.
    pub quiz_id: Uuid,
    /// Title of that quiz.
    pub quiz_title: String,
    /// The question, with its id.
    pub question: QuestionBody,
}

/// The questions of a host that a search found: those of the newest quiz first, in the order of the quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct FoundQuestions {
    /// A page of them.
    pub questions: Vec<FoundQuestion>,
    /// The cursor of the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
}

/// When the questions of a quiz were asked, in games that have ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct QuizHistory {
    /// The questions that were asked at least once.
    pub questions: Vec<QuestionHistory>,
    /// Ended games of the account that are not counted yet; the next request counts more of them. Absent when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pending: Option<u32>,
}

/// The games in which a question was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionHistory {
    /// The question.
    pub question_id: Uuid,
    /// The games, newest first.
    pub games: Vec<AskedIn>,
}

/// A game in which a question was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedIn {
    /// The game.
    pub game_id: Uuid,
    /// The title of its quiz.
    pub title: String,
    /// When the game was opened, RFC 3339, UTC.
    pub created_at: String,
    /// Players who were in the game when the round ended.
    pub players: u32,
    /// How many of them answered.
    pub answered: u32,
    /// How many answers are right; absent where answers are not marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub right: Option<u32>,
}
