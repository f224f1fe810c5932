//! Collects all mistakes in the settings, so that they are reported together.
//!
//! Used by the other files of this folder. A reader here always returns a value: after a mistake a placeholder, which
//! no caller sees because [`Problems::into_result`] then fails.

use std::fmt::{self, Display};
use std::fs;
use std::ops::RangeInclusive;
use std::time::Duration;

use secrecy::SecretString;

use super::parse;

/// One mistake in the settings: a sentence that begins with the name of the variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    variable: String,
    sentence: String,
}

impl Problem {
    pub(crate) fn new(variable: &str, sentence: impl Into<String>) -> Self {
        Self { variable: variable.to_owned(), sentence: sentence.into() }
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.variable, self.sentence)
    }
}

/// The mistakes found so far.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a mistake.
    pub fn add(&mut self, variable: &str, sentence: impl Into<String>) {
        self.0.push(Problem::new(variable, sentence));
    }

    /// The value, when there were no mistakes.
    ///
    /// # Errors
    /// All mistakes.
    pub fn into_result<T>(self, value: T) -> Result<T, Vec<Problem>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }

    /// A duration such as `25s` or `200ms`, within limits.
    pub fn duration(&mut self, variable: &str, text: &str, range: RangeInclusive<Duration>) -> Duration {
        match parse::duration(text) {
            Some(value) if range.contains(&value) => value,
            Some(_) => {
                let (from, to) = (parse::show(*range.start()), parse::show(*range.end()));
                self.add(variable, format!("is {text:?} and must be from {from} to {to}."));
                *range.start()
            }
            None => {
                self.add(variable, format!("is {text:?}, which is not a duration such as 25s, 200ms, 5m or 12h."));
                *range.start()
            }
        }
    }

    /// A whole number, within limits.
    pub fn number(&mut self, variable: &str, text: &str, range: RangeInclusive<u32>) -> u32 {
        match text.trim().parse() {
            Ok(value) if range.contains(&value) => value,
            _ => {
                let (from, to) = (range.start(), range.end());
                self.add(variable, format!("is {text:?} and must be a whole number from {from} to {to}."));
                *range.start()
            }
        }
    }

    /// A number of bytes such as `65536`, `64KiB` or `16MiB`, within limits.
    pub fn bytes(&mut self, variable: &str, text: &str, range: RangeInclusive<usize>) -> usize {
        match parse::bytes(text) {
            Some(value) if range.contains(&value) => value,
            _ => {
                let (from, to) = (range.start(), range.end());
                self.add(variable, format!("is {text:?} and must be a size such as 64KiB, from {from} to {to} bytes."));
                *range.start()
            }
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, variable: &str, text: &str) -> bool {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" => true,
            "false" => false,
            _ => {
                self.add(variable, format!("is {text:?} and must be true or false."));
                false
            }
        }
    }

    /// A secret given directly, or by the name of a file that contains it; `None` when neither is given.
    pub fn secret(&mut self, variable: &str, value: Option<&str>, file: Option<&str>) -> Option<SecretString> {
        let value = value.filter(|text| !text.is_empty());
        let file = file.filter(|text| !text.is_empty());
        match (value, file) {
            (None, None) => None,
            (Some(value), None) => Some(value.into()),
            (Some(_), Some(_)) => {
                self.add(variable, format!("and {variable}_FILE are both given; give one."));
                None
            }
            (None, Some(path)) => match fs::read_to_string(path) {
                Ok(text) if text.trim().is_empty() => {
                    self.add(&format!("{variable}_FILE"), format!("names {path:?}, which is empty."));
                    None
                }
                Ok(text) => Some(text.trim_end_matches(['\r', '\n']).into()),
                Err(error) => {
                    self.add(&format!("{variable}_FILE"), format!("names {path:?}, which cannot be read: {error}."));
                    None
                }
            },
        }
    }
}
