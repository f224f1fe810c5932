//! Whether an answer is right (messages.md#marking). It is called once, when an answer is decided, and the mark is stored, so
//! that a later version of the rules never changes an old score. The nearest answers are found when the round ends, from all
//! answers together.

mod choices;
mod letters;
mod mark;
mod rule;

pub use mark::Mark;
pub use rule::MarkingRule;

use quizhall_quiz::{Question, QuestionKind, number};
use strsim::osa_distance;

use crate::base::fold::Joined;
use choices::Choices;
use letters::Letters;

/// Folded answers longer than this get no near-miss test: its cost is the product of both lengths, and a host cannot judge an
/// almost right sentence at a glance.
const LONGEST_NEAR_MISS: usize = 100;

/// Marks `answer` against the key of `question` by the rule of new games. For many answers to one question a game keeps the [`Key`].
pub fn mark(question: &Question, answer: &str) -> Mark {
    Key::of(question, MarkingRule::LATEST).mark(answer)
}

/// A question's key, prepared for comparisons. Folding fifty accepted answers costs far more than folding the given one, so the
/// key is prepared once per question and not once per answer.
pub(crate) struct Key {
    rule: MarkingRule,
    right: Right,
}

enum Right {
    Text(Vec<Accepted>),
    /// The accepted choices, trimmed.
    Choice(Vec<String>),
    /// Several choices, some of which an answer can have right.
    Choices(Choices),
    /// A single answer is never right: either no answer can be, or only the nearest of all is (`answering/nearest.rs`).
    Unmarked,
    Number {
        accepted: Vec<f64>,
        tolerance: f64,
    },
}

impl Key {
    pub fn of(question: &Question, rule: MarkingRule) -> Self {
        Self { rule, right: Right::of(question, rule) }
    }

    /// The form in which answers are compared. Two answers with the same form have the same meaning to this key, whatever it
    /// accepts.
    pub fn compared(&self, answer: &str) -> String {
        let trimmed = || answer.trim().to_owned();
        match &self.right {
            Right::Text(_) => self.rule.fold(answer),
            Right::Choice(_) | Right::Unmarked => trimmed(),
            Right::Choices(choices) => choices.compared(answer).unwrap_or_else(trimmed),
            Right::Number { .. } => {
                let mut readings: Vec<String> = self.rule.readings(answer).map(|given| given.to_string()).collect();
                readings.dedup();
                // No answer contains this character.
                if readings.is_empty() { trimmed() } else { readings.join("\u{1f}") }
            }
        }
    }

    pub fn mark(&self, answer: &str) -> Mark {
        match &self.right {
            Right::Text(accepted) => mark_text(accepted, &Given { written: answer, folded: &self.rule.fold(answer) }),
            Right::Choice(accepted) => right_if(accepted.iter().any(|accepted| accepted == answer.trim())),
            Right::Choices(choices) => choices.mark(answer),
            Right::Unmarked => Mark::WRONG,
            Right::Number { accepted, tolerance } => right_if(
                self.rule
                    .readings(answer)
                    .any(|given| accepted.iter().any(|&accepted| number::is_within(given, accepted, *tolerance))),
            ),
        }
    }
}

impl Right {
    fn of(question: &Question, rule: MarkingRule) -> Self {
        let accepted = question.accepted.iter();
        match question.kind {
            QuestionKind::Text => Self::Text(accepted.map(|accepted| Accepted::of(accepted, rule)).collect()),
            QuestionKind::MultipleChoice | QuestionKind::TrueFalse => {
                Self::Choice(accepted.map(|accepted| accepted.trim().to_owned()).collect())
            }
            QuestionKind::MultiSelect | QuestionKind::Order => Self::Choices(Choices::of(question)),
            QuestionKind::Poll | QuestionKind::WordCloud | QuestionKind::Nearest => Self::Unmarked,
            QuestionKind::Numeric => {
                let tolerance = question.tolerance;
                Self::Number {
                    accepted: accepted.flat_map(|accepted| number::meant(accepted, tolerance)).collect(),
                    tolerance,
                }
            }
        }
    }
}

fn right_if(correct: bool) -> Mark {
    if correct { Mark::RIGHT } else { Mark::WRONG }
}

/// An answer as written and in the form in which it is compared.
struct Given<'a> {
    written: &'a str,
    folded: &'a str,
}

fn mark_text(accepted: &[Accepted], given: &Given<'_>) -> Mark {
    if accepted.iter().any(|accepted| accepted.folded == given.folded) {
        return Mark::RIGHT;
    }
    let is_same = |accepted: &Accepted| accepted.joined.is_same(given.written, given.folded);
    Mark { near_miss: accepted.iter().any(is_same) || is_near(accepted, given.folded), ..Mark::WRONG }
}

/// At most one insertion, deletion, replacement or swap of neighbours per five letters of an accepted answer.
fn is_near(accepted: &[Accepted], given: &str) -> bool {
    let length = given.chars().count();
    let mut candidates = accepted.iter().filter(|accepted| accepted.may_be_near(length)).peekable();
    if candidates.peek().is_none() {
        return false;
    }
    // Most wrong answers are very different from a right one. Their letters show this at a fraction of the cost of a distance.
    let letters = Letters::of(given);
    candidates.any(|accepted| {
        accepted.letters.least_edits(&letters) <= accepted.allowed
            && osa_distance(&accepted.folded, given) <= accepted.allowed
    })
}

/// One accepted answer to a text question.
pub(crate) struct Accepted {
    folded: String,
    joined: Joined,
    /// Its length in characters.
    length: usize,
    /// The most edits of a near miss.
    allowed: usize,
    letters: Letters,
}

impl Accepted {
    fn of(text: &str, rule: MarkingRule) -> Self {
        let folded = rule.fold(text);
        let length = folded.chars().count();
        let allowed =
            if length <= LONGEST_NEAR_MISS { folded.chars().filter(|c| c.is_alphanumeric()).count() / 5 } else { 0 };
        Self { length, allowed, letters: Letters::of(&folded), joined: Joined::of(text, &folded), folded }
    }

    /// Whether an answer of this many characters can be a near miss.
    fn may_be_near(&self, length: usize) -> bool {
        self.allowed > 0 && self.length.abs_diff(length) <= self.allowed
    }
}
