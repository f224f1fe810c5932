//! A quiz as its author sends it over HTTP and as it is stored: the questions, and the author's further data.
//!
//! Used by the HTTP API. A game never has the further data: it plays a [`crate::Quiz`].

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::check::{QuizError, count, line};
use crate::quiz::{QuizBody, RoundBody};
use crate::tags::check_tags;

/// A quiz with further data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct QuizUpload {
    /// 1 to 200 characters.
    pub title: String,
    /// 1 to 50 rounds, together at most 500 questions.
    pub rounds: Vec<RoundBody>,
    /// What an import left out and why: at most 200 lines of 1 to 200 characters. An empty list removes the report; when a quiz is
    /// replaced without it, the report stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_report: Option<Vec<String>>,
    /// Up to 20 tags of 1 to 40 characters without a comma, each once. When a quiz is replaced without them, its tags stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// The further data of a [`QuizUpload`]; `None` for data that its author did not send.
#[derive(Debug, Default)]
pub struct UploadExtras {
    /// The report of an import.
    pub import_report: Option<Vec<String>>,
    /// The tags of the quiz.
    pub tags: Option<Vec<String>>,
}

impl QuizUpload {
    /// Most lines of an import's report.
    pub const REPORT_LINES: usize = 200;

    /// Most code points of such a line.
    pub const REPORT_LINE: usize = 200;

    /// Separates the questions and the further data.
    ///
    /// # Errors
    /// The first part of the report or the tags that breaks a limit.
    pub fn into_parts(self) -> Result<(QuizBody, UploadExtras), QuizError> {
        let Self { title, rounds, import_report, tags } = self;
        let lines = import_report.as_deref().unwrap_or_default();
        count("importReport", lines.len(), 0, Self::REPORT_LINES)?;
        for (at, text) in lines.iter().enumerate() {
            line(&format!("importReport[{at}]"), text, Self::REPORT_LINE)?;
        }
        check_tags("tags", tags.as_deref().unwrap_or_default())?;
        Ok((QuizBody { title, rounds }, UploadExtras { import_report, tags }))
    }

    /// The body of a quiz to be stored with this report; an empty report is none. Tags are stored separately.
    pub fn new(body: QuizBody, report: Vec<String>) -> Self {
        let import_report = (!report.is_empty()).then_some(report);
        Self { title: body.title, rounds: body.rounds, import_report, tags: None }
    }
}
