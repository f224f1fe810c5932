//! Names of host accounts: what they may be, and how two are compared.

use thiserror::Error;

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
    /// Control characters, or none that can be seen.
    #[error("must be made of letters, numbers, signs and single spaces")]
    Characters,
}

/// The name as it is stored: trimmed, runs of white space as one space.
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
    if name.chars().any(char::is_control) || !name.chars().any(char::is_alphanumeric) {
        return Err(NameMistake::Characters);
    }
    Ok(name)
}

/// What two names are compared by: case does not count.
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests;
