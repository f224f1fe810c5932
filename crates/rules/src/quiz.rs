//! A quiz as its author wrote it and as a game freezes it: rounds of questions with their key.
//!
//! Serialized as it stands into quiz rows and the log's first event. What a participant may see of a question is
//! chosen by the engine; the limits are in `validate`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::QuestionId;

/// A whole quiz. Limits: see [`Quiz::validate`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quiz {
    /// What the host calls it.
    pub title: String,
    /// The rounds, in the order in which they are played.
    pub rounds: Vec<Round>,
}

/// One round: questions that are reviewed and scored together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// May be empty.
    pub title: String,
    /// In the author's order; the host releases them in any.
    pub questions: Vec<Question>,
}

/// One question with its key. `Debug` shows neither text nor key.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Given by the server; unique within the quiz.
    pub id: QuestionId,
    /// What is asked.
    pub text: String,
    /// How it is answered and marked.
    pub kind: QuestionKind,
    /// The choices offered, in order; empty for `text` and `numeric`.
    pub choices: Vec<String>,
    /// The key: every answer that is right. The first is shown as `correctAnswer`.
    pub accepted: Vec<String>,
    /// What a right answer earns, 0 to 1,000,000.
    pub points: u32,
    /// How far a `numeric` answer may be off, inclusive; 0 otherwise.
    pub tolerance: f64,
}

/// How a question is answered and marked (the interface's question `type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Free text, compared leniently.
    Text,
    /// The text of one of the choices.
    MultipleChoice,
    /// One of two choices.
    TrueFalse,
    /// A number, compared within the tolerance.
    Numeric,
}

impl QuestionKind {
    /// The word on the wire: `text`, `multiple_choice`, `true_false` or `numeric`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::MultipleChoice => "multiple_choice",
            Self::TrueFalse => "true_false",
            Self::Numeric => "numeric",
        }
    }
}

impl fmt::Debug for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Question").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}
