//! `POST /api/v1/games/{id}/answers`: a page of the answers to a question of the closed round.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shapes::ReviewAnswer;

/// Which answers are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct AnswersAsked {
    /// A question of the round under review.
    pub question_id: Uuid,
    /// One of the `texts` of a group in `review_groups`: only its answers. Absent: all answers to the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How many answers to leave out; absent: none.
    #[serde(default)]
    #[ts(as = "Option<_>", optional)]
    pub skip: u32,
}

/// A page of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct AnswersPage {
    /// At most 200, in order of arrival.
    pub answers: Vec<ReviewAnswer>,
    /// How many there are on all pages together.
    pub total: u32,
}

impl AnswersPage {
    /// Most answers of a page.
    pub const MOST: usize = 200;
}
