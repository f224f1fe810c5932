//! The kinds of questions, and the words for them in JSON.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// How a question is answered and marked (the interface's question `type`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum QuestionKind {
            $($(#[$doc])* #[serde(rename = $word)] $kind,)*
        }

        impl QuestionKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The word in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $word,)*
                }
            }
        }
    };
}

kinds! {
    /// Free text, compared leniently.
    Text = "text",
    /// The text of one of the choices.
    MultipleChoice = "multiple_choice",
    /// One of two choices.
    TrueFalse = "true_false",
    /// A number, compared within the tolerance.
    Numeric = "numeric",
    /// The texts of any number of choices, one per line; partly right answers earn a part of the points.
    MultiSelect = "multi_select",
    /// The texts of all choices in the right order, one per line; partly right answers earn a part of the points.
    Order = "order",
    /// The text of one of the choices, without a mark: the host shows how many players chose each.
    Poll = "poll",
    /// A short text, without a mark: the host shows the most frequent ones.
    WordCloud = "word_cloud",
    /// A number; those nearest to the accepted one are right, marked when the round ends.
    Nearest = "nearest",
}

impl QuestionKind {
    /// Whether its questions have choices.
    pub const fn has_choices(self) -> bool {
        match self {
            Self::MultipleChoice | Self::TrueFalse | Self::MultiSelect | Self::Order | Self::Poll => true,
            Self::Text | Self::Numeric | Self::WordCloud | Self::Nearest => false,
        }
    }

    /// Whether its answers are right or wrong; the others earn nothing, and the host may show their tally.
    pub const fn is_marked(self) -> bool {
        !matches!(self, Self::Poll | Self::WordCloud)
    }

    /// Whether each of its answers is marked by itself, by a key that the host can change.
    pub const fn has_key(self) -> bool {
        self.is_marked() && !matches!(self, Self::Nearest)
    }

    /// Whether its answers are numbers.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Numeric | Self::Nearest)
    }

    /// Whether the right answer consists of several choices together.
    pub const fn is_of_several_choices(self) -> bool {
        matches!(self, Self::MultiSelect | Self::Order)
    }
}

/// The kind of a question in JSON of another program, which may use kinds that this version does not know. Keeps an
/// unknown word.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum WireKind {
    /// A kind of this version.
    Known(QuestionKind),
    /// Another word.
    Unknown(String),
}

/// Why a question cannot be stored: its answers could not be marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be {}", words())]
pub struct UnknownKind;

impl WireKind {
    /// The kind of a question to be stored.
    ///
    /// # Errors
    /// When this version does not know it.
    pub fn known(&self) -> Result<QuestionKind, UnknownKind> {
        match self {
            Self::Known(kind) => Ok(*kind),
            Self::Unknown(_) => Err(UnknownKind),
        }
    }

    /// The kind as which a client treats the question: text for an unknown one.
    pub fn or_text(&self) -> QuestionKind {
        self.known().unwrap_or(QuestionKind::Text)
    }

    /// The word in JSON.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(kind) => kind.as_str(),
            Self::Unknown(word) => word,
        }
    }
}

impl From<QuestionKind> for WireKind {
    fn from(kind: QuestionKind) -> Self {
        Self::Known(kind)
    }
}

impl From<String> for WireKind {
    fn from(word: String) -> Self {
        let known = QuestionKind::ALL.iter().find(|kind| kind.as_str() == word);
        known.map_or(Self::Unknown(word), |kind| Self::Known(*kind))
    }
}

impl PartialEq<QuestionKind> for WireKind {
    fn eq(&self, kind: &QuestionKind) -> bool {
        matches!(self, Self::Known(known) if known == kind)
    }
}

impl fmt::Display for WireKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Serialize for WireKind {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.as_str())
    }
}

/// `text, multiple_choice, true_false or numeric`. The sentence names only the types of the interface, so that clients
/// of the interface receive the same text as before the other types existed; docs/host/quiz-csv.md lists all of them.
fn words() -> String {
    let of_interface =
        [QuestionKind::Text, QuestionKind::MultipleChoice, QuestionKind::TrueFalse, QuestionKind::Numeric];
    let [others @ .., last] = of_interface.map(QuestionKind::as_str);
    format!("{} or {last}", others.join(", "))
}
