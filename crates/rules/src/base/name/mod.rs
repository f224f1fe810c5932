//! The name that a player shows. It is checked once, when the player joins: it contains nothing invisible, does not extend beyond
//! its line, and cannot be taken for the host. The rules are in messages.md#limits.
//!
//! The handler of `POST /join` parses it; the state keeps names apart by [`DisplayName::looks`]. Forbidden characters are
//! refused, never silently removed, because the rest would be another name than the one typed.

mod characters;
mod error;
mod skeleton;

pub use error::NameError;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Longer input is refused before it is normalized. White space that collapses may take the input past `LARGEST`.
const LARGEST_INPUT: usize = 1_024;
/// The most bytes in a name.
const LARGEST: usize = 256;
/// The most grapheme clusters (characters, as people count them) in a name.
const WIDEST: usize = 40;

/// A player's name: NFC, trimmed, single spaces, 1 to 40 grapheme clusters, at most 96 code points and 256 bytes.
///
/// A name read from the log is not checked again, so that stricter rules never make an old game unreadable. `Debug` does not show
/// it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DisplayName(Arc<str>);

impl DisplayName {
    /// The most code points in a name.
    pub const LONGEST: usize = 96;

    /// Normalizes white space and Unicode form of a typed name, and checks it.
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

    /// The looks of the name, ignoring white space: with letter case folded, and as written. Two names in one game may not share
    /// a look. The looks are only for comparison and are never shown.
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
