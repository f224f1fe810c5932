//! Letter case, and how much of a text is compared.

use quizhall_quiz::Question;

/// The most characters of a text, in its decomposed form, that are compared. Some characters stand for whole phrases: `ﷺ` stands
/// for 18 others.
pub(super) const LONGEST: usize = Question::LIMITS.folded;

/// Folds letter case: to lower, upper and lower case again. A single conversion would keep `ẞ`, `ß`, `ſ` or `ς` different from
/// `ss`, `s`, `σ`.
pub(crate) fn case(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}
