//! By which rule the answers of a game are compared. A game keeps the one that it was created with: what its log holds of texts is in
//! the forms of that rule, and a replay gives the state that it gave (decision 34).

use quizhall_quiz::number;
use serde::{Deserialize, Serialize};

use crate::base::fold;

/// How texts and numbers are read when they are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkingRule {
    /// Punctuation never counts; of games created before there was another rule.
    #[default]
    First,
    /// Signs count that make another word or number, and letters and digits of more scripts are alike.
    Second,
}

impl MarkingRule {
    /// The rule of new games.
    pub const LATEST: Self = Self::Second;

    /// Whether it is that of games of the first version.
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
