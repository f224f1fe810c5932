//! The result of a check of a quiz, and the basic checks.

use thiserror::Error;

use crate::Quiz;

/// A fault of a quiz, and its place. It repeats nothing else of the quiz.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub struct QuizError {
    /// The place in the body of the HTTP API, as in `rounds[0].questions[3].choices`.
    pub field: String,
    /// A sentence without subject, as in `must have 2 to 20 entries`.
    pub problem: String,
}

pub(crate) type Check = Result<(), QuizError>;

/// Checks one line: no control characters.
pub(crate) fn line(place: &str, text: &str, longest: usize) -> Check {
    length(place, text, longest)?;
    ensure(!text.chars().any(char::is_control), || place.into(), "must not hold control characters")
}

/// Checks several lines: of the control characters only tab and line feed are allowed.
pub(crate) fn lines(place: &str, text: &str, longest: usize) -> Check {
    length(place, text, longest)?;
    let control = |c: char| c.is_control() && c != '\t' && c != '\n';
    ensure(!text.chars().any(control), || place.into(), "must not hold control characters")
}

fn length(place: &str, text: &str, longest: usize) -> Check {
    ensure(!text.trim().is_empty(), || place.into(), "must not be blank")?;
    let problem = || format!("must be at most {longest} characters long");
    // Code points are counted only when the number of bytes leaves a doubt, so a hostile megabyte costs little.
    if text.len() > 4 * longest || text.chars().count() > longest { error(place, problem()) } else { Ok(()) }
}

pub(crate) fn count(place: &str, count: usize, least: usize, most: usize) -> Check {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    error(place, format!("must have {least} to {most} entries"))
}

pub(crate) fn ensure(holds: bool, place: impl FnOnce() -> String, problem: &str) -> Check {
    if holds { Ok(()) } else { error(&place(), problem.into()) }
}

pub(crate) fn error(place: &str, problem: String) -> Check {
    Err(QuizError { field: place.into(), problem })
}

/// Checks the time limit of a question or a round, if it has one.
pub(crate) fn check_time_limit(seconds: Option<u16>, place: impl FnOnce() -> String) -> Check {
    let (least, most) = (Quiz::LIMITS.time_limit_least, Quiz::LIMITS.time_limit_most);
    let fits = seconds.is_none_or(|seconds| (least..=most).contains(&seconds));
    ensure(fits, place, &format!("must be {least} to {most} seconds"))
}
