//! The rule by which the answers of a game are compared. A game keeps the rule that it was created with: its log stores texts in
//! the forms of that rule, so a replay gives the same state as before (decision 34).

use quizhall_quiz::number;
use serde::{Deserialize, Serialize};

use crate::base::fold;

/// How texts and numbers are read when they are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkingRule {
    /// Punctuation never counts. Used by games that were created before there was a second rule.
    #[default]
    First,
    /// Signs count if they make another word or number, and letters and digits of more scripts are treated as equal.
    Second,
}

impl MarkingRule {
    /// The rule of new games.
    pub const LATEST: Self = Self::Second;

    /// The newest rule that nodes down to this version of the log know.
    pub fn known_to(oldest: u32) -> Self {
        [Self::Second].into_iter().find(|rule| rule.since() <= oldest).unwrap_or_default()
    }

    /// The `LOG_VERSION` in which it came.
    const fn since(self) -> u32 {
        match self {
            Self::First | Self::Second => 1,
        }
    }

    /// Whether it is the first rule.
    pub fn is_first(&self) -> bool {
        *self == Self::First
    }

    /// The form in which two texts are compared.
    pub(crate) fn fold(self, text: &str) -> String {
        match self {
            Self::First => fold::loose(text),
            Self::Second => fold::answer(text),
        }
    }

    /// The plausible readings of a text as a number.
    pub(crate) fn readings(self, text: &str) -> impl Iterator<Item = f64> + use<> {
        let is_read = self == Self::Second || number::is_of_first_rule(text);
        is_read.then(|| number::readings(text)).into_iter().flatten()
    }
}
