//! The limits of a quiz (messages.md#limits), checked when it is stored. The server asks before
//! it takes a quiz from anybody; the game itself relies on it only for fairness, never for its own health.

use std::collections::HashSet;

use thiserror::Error;

use crate::{Question, QuestionKind, Quiz, number};

const ROUNDS: usize = 50;
const QUESTIONS_PER_ROUND: usize = 100;
const QUESTIONS: usize = 500;
const TITLE: usize = 200;
const TEXT: usize = 2_000;
const CHOICES: std::ops::RangeInclusive<usize> = 2..=20;
const ACCEPTED: usize = 50;
const CHOICE: usize = 300;
const POINTS: u32 = 1_000_000;

/// What is wrong with a quiz, and where. Repeats nothing of the quiz but the place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {problem}")]
pub struct QuizError {
    /// The place, as in `rounds[0].questions[3].choices`.
    pub field: String,
    /// A sentence without subject, as in `must have 2 to 20 entries`.
    pub problem: String,
}

type Check = Result<(), QuizError>;

impl Quiz {
    /// Checks every limit and says which was broken first: title 1 to 200 code points (of a round 0 to 200), 1 to 50
    /// rounds of 1 to 100 questions, at most 500 in all with distinct ids, text 1 to 2,000, choices 2 to 20 of 1 to
    /// 300 code points, 1 to 50 accepted answers of 1 to 300, points up to 1,000,000, a finite tolerance.
    pub fn validate(&self) -> Result<(), QuizError> {
        text("title", &self.title, TITLE)?;
        count("rounds", self.rounds.len(), 1, ROUNDS)?;
        let total: usize = self.rounds.iter().map(|round| round.questions.len()).sum();
        let mut ids = HashSet::new();
        for (at, round) in self.rounds.iter().enumerate() {
            let place = format!("rounds[{at}]");
            if !round.title.is_empty() {
                text(&format!("{place}.title"), &round.title, TITLE)?;
            }
            count(&format!("{place}.questions"), round.questions.len(), 1, QUESTIONS_PER_ROUND)?;
            for (at, question) in round.questions.iter().enumerate() {
                let place = format!("{place}.questions[{at}]");
                check_question(&place, question)?;
                ensure(ids.insert(question.id), || format!("{place}.id"), "must be unique in the quiz")?;
            }
        }
        ensure(total <= QUESTIONS, || "rounds".into(), "must have at most 500 questions in all")
    }
}

fn check_question(place: &str, question: &Question) -> Check {
    let field = |name: &str| format!("{place}.{name}");
    long_text(&field("text"), &question.text)?;
    check_choices(&field("choices"), question)?;
    check_accepted(&field("accepted"), question)?;
    ensure(question.points <= POINTS, || field("points"), "must be at most 1,000,000")?;
    let tolerance = question.tolerance;
    ensure(tolerance.is_finite() && tolerance >= 0.0, || field("tolerance"), "must be a number from 0")?;
    let fits = tolerance == 0.0 || question.kind == QuestionKind::Numeric;
    ensure(fits, || field("tolerance"), "is for numeric questions only")
}

fn check_choices(place: &str, question: &Question) -> Check {
    let choices = &question.choices;
    match question.kind {
        QuestionKind::Text | QuestionKind::Numeric => {
            return ensure(choices.is_empty(), || place.into(), "must be absent for this type");
        }
        QuestionKind::TrueFalse => ensure(choices.len() == 2, || place.into(), "must have exactly 2 entries")?,
        QuestionKind::MultipleChoice => count(place, choices.len(), *CHOICES.start(), *CHOICES.end())?,
    }
    let mut seen = HashSet::new();
    for (at, choice) in choices.iter().enumerate() {
        let place = format!("{place}[{at}]");
        text(&place, choice, CHOICE)?;
        ensure(seen.insert(choice.trim()), || place, "must differ from the other choices")?;
    }
    Ok(())
}

fn check_accepted(place: &str, question: &Question) -> Check {
    count(place, question.accepted.len(), 1, ACCEPTED)?;
    for (at, accepted) in question.accepted.iter().enumerate() {
        let place = format!("{place}[{at}]");
        text(&place, accepted, CHOICE)?;
        match question.kind {
            QuestionKind::Text => {}
            QuestionKind::Numeric => ensure(number::readings(accepted).next().is_some(), || place, "must be a number")?,
            QuestionKind::MultipleChoice | QuestionKind::TrueFalse => {
                let offered = question.choices.iter().any(|choice| choice.trim() == accepted.trim());
                ensure(offered, || place, "must be one of the choices")?;
            }
        }
    }
    Ok(())
}

/// One line: no control character at all.
fn text(place: &str, text: &str, longest: usize) -> Check {
    length(place, text, longest)?;
    ensure(!text.chars().any(char::is_control), || place.into(), "must not hold control characters")
}

/// Many lines: tab and line feed are welcome.
fn long_text(place: &str, text: &str) -> Check {
    length(place, text, TEXT)?;
    let control = |c: char| c.is_control() && c != '\t' && c != '\n';
    ensure(!text.chars().any(control), || place.into(), "must not hold control characters")
}

fn length(place: &str, text: &str, longest: usize) -> Check {
    ensure(!text.trim().is_empty(), || place.into(), "must not be blank")?;
    let problem = || format!("must be at most {longest} characters long");
    // Counting code points only where bytes leave a doubt keeps a hostile megabyte cheap.
    if text.len() > 4 * longest || text.chars().count() > longest { error(place, problem()) } else { Ok(()) }
}

fn count(place: &str, count: usize, least: usize, most: usize) -> Check {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    error(place, format!("must have {least} to {most} entries"))
}

fn ensure(holds: bool, place: impl FnOnce() -> String, problem: &str) -> Check {
    if holds { Ok(()) } else { error(&place(), problem.into()) }
}

fn error(place: &str, problem: String) -> Check {
    Err(QuizError { field: place.into(), problem })
}
