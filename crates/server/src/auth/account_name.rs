//! Names of host accounts: which texts are allowed, and how two names are compared.

use thiserror::Error;
use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

/// The most characters of a name.
pub const MAX_NAME: usize = 64;

/// Why a text cannot be an account name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NameMistake {
    /// Only white space.
    #[error("must not be empty")]
    Empty,
    /// More than [`MAX_NAME`] characters.
    #[error("must have at most 64 characters")]
    TooLong,
    /// Control characters, characters that change the direction of text or are invisible, or no visible character at
    /// all.
    #[error("must be made of letters, numbers, signs and single spaces")]
    Characters,
}

/// The name as it is stored: trimmed, with runs of white space as one space. Of invisible characters only the joiners
/// of some scripts and of emoji, and the tags of flags, are kept.
///
/// # Errors
/// The mistake in the name.
pub fn account_name(text: &str) -> Result<String, NameMistake> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(NameMistake::Empty);
    }
    if name.chars().count() > MAX_NAME {
        return Err(NameMistake::TooLong);
    }
    if name.chars().any(is_hidden) || !name.chars().any(char::is_alphanumeric) {
        return Err(NameMistake::Characters);
    }
    Ok(name)
}

fn is_hidden(c: char) -> bool {
    let shapes = matches!(c, '\u{200C}' | '\u{200D}' | '\u{E0020}'..='\u{E007F}');
    !shapes && matches!(c.general_category(), Category::Control | Category::Format | Category::PrivateUse)
}

/// A provider's name for a person, without the characters that an account's name cannot have.
pub fn visible(name: &str) -> String {
    name.chars().filter(|c| c.is_whitespace() || !is_hidden(*c)).collect()
}

/// The form in which two names are compared; letter case makes no difference.
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
