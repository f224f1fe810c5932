//! Whether an answer is right (`decisions.md`, "Marking"). Called once, when an answer is decided on; the verdict is
//! stored, so that a later release of the rules never changes an old score.

use strsim::osa_distance;

use crate::{Question, QuestionKind, fold, number};

/// Folded answers longer than this get no near-miss test: it costs the product of both lengths, and a sentence that
/// is almost right is nothing a host can judge at a glance.
const LONGEST_NEAR_MISS: usize = 100;

/// What marking said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// It counts as right.
    pub correct: bool,
    /// It counts as wrong, but is within one edit per five letters of a right one. Only for `text`.
    pub near_miss: bool,
}

impl Mark {
    const RIGHT: Self = Self { correct: true, near_miss: false };
    const WRONG: Self = Self { correct: false, near_miss: false };
}

/// Marks `answer` against the key of `question`. For many answers to one question a game keeps the [`Key`].
pub fn mark(question: &Question, answer: &str) -> Mark {
    Key::of(question).mark(answer)
}

/// A question's key made ready for comparing. Folding fifty accepted answers costs far more than folding the one
/// that was given, so it is done once per question and not once per answer.
pub(crate) enum Key {
    /// Folded.
    Text(Vec<String>),
    /// Trimmed.
    Choice(Vec<String>),
    Number {
        accepted: Vec<f64>,
        tolerance: f64,
    },
}

impl Key {
    pub fn of(question: &Question) -> Self {
        let accepted = question.accepted.iter();
        match question.kind {
            QuestionKind::Text => Self::Text(accepted.map(|accepted| fold::answer(accepted)).collect()),
            QuestionKind::MultipleChoice | QuestionKind::TrueFalse => {
                Self::Choice(accepted.map(|accepted| accepted.trim().to_owned()).collect())
            }
            QuestionKind::Numeric => {
                let accepted = accepted.filter_map(|accepted| number::parse(accepted)).collect();
                Self::Number { accepted, tolerance: question.tolerance }
            }
        }
    }

    pub fn mark(&self, answer: &str) -> Mark {
        match self {
            Self::Text(accepted) => mark_text(accepted, &fold::answer(answer)),
            Self::Choice(accepted) => right_if(accepted.iter().any(|accepted| accepted == answer.trim())),
            Self::Number { accepted, tolerance } => {
                right_if(number::parse(answer).is_some_and(|given| {
                    accepted.iter().any(|&accepted| number::is_within(given, accepted, *tolerance))
                }))
            }
        }
    }
}

fn right_if(correct: bool) -> Mark {
    if correct { Mark::RIGHT } else { Mark::WRONG }
}

/// Both sides folded.
fn mark_text(accepted: &[String], given: &str) -> Mark {
    if accepted.iter().any(|accepted| accepted == given) {
        return Mark::RIGHT;
    }
    Mark { near_miss: accepted.iter().any(|accepted| is_near(accepted, given)), ..Mark::WRONG }
}

/// At most one insertion, deletion, replacement or swap of neighbours per five letters of the accepted answer.
fn is_near(accepted: &str, given: &str) -> bool {
    let allowed = accepted.chars().filter(|c| c.is_alphanumeric()).count() / 5;
    let (length, other) = (accepted.chars().count(), given.chars().count());
    allowed > 0
        && length <= LONGEST_NEAR_MISS
        && length.abs_diff(other) <= allowed
        && osa_distance(accepted, given) <= allowed
}
