//! Answers to one question that were decided together: each text once with its mark, and a row for each answer.
//!
//! A bundle means the events that it expands to (`event/expand.rs`). Applying it gives the state that they give.

use std::fmt;
use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::rows::{Reader, Row, Rows, Writer};
use crate::base::{CommandId, Mark, is_false, is_zero};

/// Answers to one question, from the first devices of players, in the order in which they were decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// The question.
    #[serde(rename = "q")]
    pub question: QuestionId,
    /// The epoch of the owner that gave the sessions.
    #[serde(rename = "e")]
    pub epoch: u64,
    /// The texts that the rows name by their index.
    #[serde(rename = "as")]
    pub texts: Vec<MarkedText>,
    /// The answers.
    #[serde(rename = "rw")]
    pub rows: Rows<BundleRow>,
}

/// A text with the mark that it got. `Debug` does not show the text.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkedText {
    /// The answer as written.
    #[serde(rename = "a")]
    pub text: Arc<str>,
    /// Whether it is marked as right.
    #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
    pub correct: bool,
    /// Whether it is marked wrong but close, so that the host should check it.
    #[serde(rename = "near", default, skip_serializing_if = "is_false")]
    pub near_miss: bool,
    /// The points that it earns although it is not right.
    #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
    pub partial: u32,
}

/// An answer as its edge sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentRow {
    /// The player's session, by its number among those that the owner has given.
    pub session: u32,
    /// The number of the command in its session.
    pub number: u32,
    /// The index of the text.
    pub text: u32,
    /// How long the player took, milliseconds: as measured by the edge, and once it is decided, as it counts.
    pub elapsed: Option<u32>,
}

/// An answer that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundleRow {
    /// The player's number in the order of joining.
    pub slot: u32,
    /// The answer.
    pub sent: SentRow,
}

impl SentRow {
    /// The id of its command, under the owner of this epoch.
    pub fn command_id(&self, epoch: u64) -> CommandId {
        CommandId { session: CommandId::session_of(epoch, self.session.into()), number: self.number.into() }
    }
}

impl MarkedText {
    pub(crate) fn of(text: Arc<str>, mark: Mark) -> Self {
        let Mark { correct, near_miss, partial } = mark;
        Self { text, correct, near_miss, partial }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { correct: self.correct, near_miss: self.near_miss, partial: self.partial }
    }
}

impl Bundle {
    /// The version of the log since which there are bundles.
    pub const SINCE: u32 = 2;

    pub(crate) fn text_of(&self, row: &BundleRow) -> Option<&MarkedText> {
        self.texts.get(row.sent.text as usize)
    }
}

impl Row for SentRow {
    fn write(&self, out: &mut Writer) {
        out.number(self.session);
        out.number(self.number);
        out.number(self.text);
        out.optional(self.elapsed);
    }

    fn read(input: &mut Reader<'_>) -> Option<Self> {
        let (session, number, text) = (input.number()?, input.number()?, input.number()?);
        Some(Self { session, number, text, elapsed: input.optional()? })
    }
}

impl Row for BundleRow {
    fn write(&self, out: &mut Writer) {
        out.number(self.slot);
        self.sent.write(out);
    }

    fn read(input: &mut Reader<'_>) -> Option<Self> {
        Some(Self { slot: input.number()?, sent: SentRow::read(input)? })
    }
}

impl fmt::Debug for MarkedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("MarkedText(..)")
    }
}
