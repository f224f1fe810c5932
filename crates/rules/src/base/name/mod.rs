//! The name a player shows, checked once, when a player joins: nothing invisible, nothing that climbs out of its line,
//! nothing that passes for the host. The rules are in messages.md#limits.
//!
//! The handler of `POST /join` parses; the state keeps names apart by [`DisplayName::looks`]. Forbidden characters
//! are refused, never silently taken out: what remains would be another name than the one typed.

mod characters;
mod skeleton;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Input beyond this is not even normalized; white space that collapses may take a name past `LARGEST`.
const LARGEST_INPUT: usize = 1_024;
/// Most bytes in a name.
const LARGEST: usize = 256;
/// Most grapheme clusters (what people call characters) in a name.
const WIDEST: usize = 40;

/// A player's name: NFC, trimmed, single spaces, 1 to 40 grapheme clusters, at most 96 code points and 256 bytes.
///
/// Reading it back from the log does not check again, so that stricter rules never make an old game unreadable.
/// `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DisplayName(Arc<str>);

impl DisplayName {
    /// Most code points in a name.
    pub const LONGEST: usize = 96;

    /// Takes what a person typed, tidies white space and Unicode form, and checks it.
    pub fn parse(typed: &str) -> Result<Self, NameError> {
        if typed.len() > LARGEST_INPUT {
            return Err(NameError::TooLong);
        }
        let composed: String = typed.nfc().collect();
        let name = composed.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        if name.len() > LARGEST || name.chars().count() > Self::LONGEST || name.graphemes(true).count() > WIDEST {
            return Err(NameError::TooLong);
        }
        characters::check(&name)?;
        if skeleton::is_reserved(&name) {
            return Err(NameError::Reserved);
        }
        Ok(Self(name.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the name looks like, white space aside, with letter case folded and as written. Two names that share a look
    /// may not meet in one game. Only for comparing; neither is a name to show.
    pub fn looks(&self) -> [String; 2] {
        skeleton::of(&self.0)
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl fmt::Debug for DisplayName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("DisplayName(..)")
    }
}

/// Why a name cannot be taken. Never repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum NameError {
    /// Nothing, or only white space.
    #[error("the name is empty")]
    Empty,
    /// More than 40 characters, 96 code points or 256 bytes.
    #[error("the name is longer than 40 characters, 96 code points or 256 bytes")]
    TooLong,
    /// Control, formatting, private or unassigned code points.
    #[error("the name holds a character that is not allowed")]
    ForbiddenCharacter,
    /// Letters that look like nothing.
    #[error("the name holds an invisible character")]
    Invisible,
    /// Accents piled up, or one without a letter below it.
    #[error("the name holds too many accents on one letter")]
    TooManyMarks,
    /// Punctuation alone.
    #[error("the name needs at least one letter, number or symbol")]
    NothingVisible,
    /// It passes for the host or the service.
    #[error("the name is reserved")]
    Reserved,
}
