//! Errors as `application/problem+json` (RFC 9457).

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// An error, for people and programs; it never echoes input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    /// A stable name of the kind of problem: `/problems/name-taken`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What to do about this one.
    pub detail: String,
    /// The field at fault, as a path into the body (`rounds[0].questions[2].choices`), where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub field: Option<String>,
}

/// A kind of error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemType {
    /// The value of `type` in its errors, which is the path of this description.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status of its errors.
    pub status: u16,
}

/// Every kind of error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemTypeList {
    /// In order of their status.
    pub problems: Vec<ProblemType>,
}
