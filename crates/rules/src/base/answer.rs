//! A submitted answer that is within the limits. Everything that a player types as an answer passes through it. Marking is in
//! `marking`.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Most bytes in an answer; astral code points take four each.
const LARGEST: usize = 4_096;

/// An answer as the player wrote it: 1 to 1,000 code points, at most 4 KiB, no control characters except tab and line feed.
/// Clones share the text. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnswerText(Arc<str>);

impl AnswerText {
    /// Most code points in an answer.
    pub const LONGEST: usize = 1_000;

    /// Returns the answer unchanged if it is within the limits.
    pub fn parse(text: &str) -> Result<Self, AnswerError> {
        if text.is_empty() {
            return Err(AnswerError::Empty);
        }
        if text.len() > LARGEST || text.chars().count() > Self::LONGEST {
            return Err(AnswerError::TooLong);
        }
        if text.chars().any(|c| c.is_control() && c != '\t' && c != '\n') {
            return Err(AnswerError::ControlCharacter);
        }
        Ok(Self(text.into()))
    }

    /// The answer, as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The answer, shared with the event and with every state built from it.
    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl fmt::Debug for AnswerText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AnswerText(..)")
    }
}

/// Answers named by their texts, for marking them together. `Debug` does not show them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnswerTexts(BTreeSet<String>);

impl AnswerTexts {
    /// Whether it names an answer of exactly this text.
    pub fn name(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    /// Each text once.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl FromIterator<String> for AnswerTexts {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        Self(texts.into_iter().collect())
    }
}

impl fmt::Debug for AnswerTexts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "AnswerTexts({})", self.0.len())
    }
}

/// Why an answer is refused. Never repeats the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// No character at all.
    #[error("the answer is empty")]
    Empty,
    /// More than 1,000 code points or 4 KiB.
    #[error("the answer is longer than 1,000 characters")]
    TooLong,
    /// NUL, escape, carriage return and the like.
    #[error("the answer holds a control character")]
    ControlCharacter,
}
