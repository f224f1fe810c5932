//! Names of host accounts: what they may be, and how two are compared.

use thiserror::Error;
use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

/// The most characters of a name.
pub const MAX_NAME: usize = 64;

/// Why a text is no account name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NameMistake {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// More than [`MAX_NAME`] characters.
    #[error("must have at most 64 characters")]
    TooLong,
    /// Control characters, characters that turn the direction of text or have no ink, or none that can be seen.
    #[error("must be made of letters, numbers, signs and single spaces")]
    Characters,
}

/// The name as it is stored: trimmed, runs of white space as one space. Of characters without ink only the joiners of some scripts and
/// of emoji, and the tags of flags, are kept.
///
/// # Errors
/// What is wrong with it.
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

/// A name as a provider gives it, without the characters that cannot be part of an account's.
pub fn visible(name: &str) -> String {
    name.chars().filter(|c| c.is_whitespace() || !is_hidden(*c)).collect()
}

/// What two names are compared by: case does not count.
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests;
