//! Why a name cannot be taken.

use thiserror::Error;

/// Why a name is refused. Never repeats the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum NameError {
    /// The name is empty or only white space.
    #[error("the name is empty")]
    Empty,
    /// More than 40 characters, 96 code points or 256 bytes.
    #[error("the name is longer than 40 characters, 96 code points or 256 bytes")]
    TooLong,
    /// Control, formatting, private or unassigned code points.
    #[error("the name holds a character that is not allowed")]
    ForbiddenCharacter,
    /// Invisible letters.
    #[error("the name holds an invisible character")]
    Invisible,
    /// Too many accents on one letter, or an accent without a letter below it.
    #[error("the name holds too many accents on one letter")]
    TooManyMarks,
    /// Only punctuation.
    #[error("the name needs at least one letter, number or symbol")]
    NothingVisible,
    /// The name can be taken for the host or the service.
    #[error("the name is reserved")]
    Reserved,
}
