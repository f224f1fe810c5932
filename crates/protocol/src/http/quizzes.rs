//! Quizzes: `/api/v1/quizzes`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// A quiz as its author writes it; also the format of `quizhall quiz import|export`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct QuizBody {
    /// 1 to 200 characters.
    pub title: String,
    /// 1 to 50 rounds, together at most 500 questions.
    pub rounds: Vec<RoundBody>,
}

/// A round of a quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct RoundBody {
    /// At most 200 characters; may be empty.
    #[serde(default)]
    pub title: String,
    /// 1 to 100 questions.
    pub questions: Vec<QuestionBody>,
}

/// A question with its key; only ever shown to the quiz's owner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionBody {
    /// Given by the server; ignored in what a client sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<Uuid>,
    /// 1 to 2,000 characters.
    pub text: String,
    /// `text`, `multiple_choice`, `true_false` or `numeric`.
    #[serde(rename = "type")]
    pub kind: String,
    /// 2 to 20 choices of 1 to 300 characters (`multiple_choice`); `true_false` has `True` and `False` unless it names two others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub choices: Option<Vec<String>>,
    /// 1 to 50 accepted answers; the first is the one that is shown. A number is read as players write it: `1,665` is 1665 and
    /// 1.665, except where `tolerance` exceeds the smaller one.
    pub correct_answers: Vec<String>,
    /// 0 to 1,000,000; 1,000 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub points: Option<u32>,
    /// `numeric` only: how far off an answer may be; 0 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tolerance: Option<f64>,
}

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
    /// All of them.
    pub quizzes: Vec<QuizSummary>,
}
