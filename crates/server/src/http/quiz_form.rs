//! A quiz between its three forms: what an author sends, what is stored (the same, with ids), and what a game plays.
//!
//! Called by the quiz and game handlers and by `quizhall quiz import|export`. Pure: no request, no database.

use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_rules::{HostId, Question, QuestionId, QuestionKind, Quiz, Round};
use thiserror::Error;
use uuid::Uuid;

use crate::store::{QuizRow, StoreError};

/// Points of a question whose author gave none.
const DEFAULT_POINTS: u32 = 1_000;

/// Choices of a `true_false` question whose author gave none.
const TRUE_FALSE: [&str; 2] = ["True", "False"];

/// The quiz that a new host finds waiting.
const SAMPLE: &str = include_str!("../../quizzes/sample.json");

/// What is wrong with a quiz, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub struct QuizMistake {
    /// The field, as a path into the body: `rounds[0].questions[2].choices`.
    pub field: String,
    /// What is wrong, as in "must have 2 to 20 entries".
    pub problem: String,
}

/// Checks what an author sent and gives its questions fresh ids.
///
/// # Errors
/// The first field that breaks a limit (messages.md#limits).
pub fn checked(body: QuizBody) -> Result<Quiz, QuizMistake> {
    let quiz = played(body, |_| Uuid::now_v7())?;
    quiz.validate().map_err(|error| QuizMistake {
        // The rules call the key by another name than the wire.
        field: error.field.replace(".accepted", ".correctAnswers"),
        problem: error.problem,
    })?;
    Ok(quiz)
}

/// The quiz as its author sees it, with every default written out.
pub fn body_of(quiz: &Quiz) -> QuizBody {
    QuizBody { title: quiz.title.clone(), rounds: quiz.rounds.iter().map(round_body).collect() }
}

/// A checked quiz as it is stored.
pub fn row(id: Uuid, host: HostId, quiz: &Quiz, now_ms: i64) -> QuizRow {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    QuizRow {
        id,
        host,
        title: quiz.title.clone(),
        round_count: count(quiz.rounds.len()),
        question_count: count(quiz.rounds.iter().map(|round| round.questions.len()).sum()),
        body: serde_json::to_string(&body_of(quiz)).expect("strings and finite numbers are always JSON"),
        created_at_ms: now_ms,
        updated_at_ms: now_ms,
    }
}

/// The body of a stored quiz.
///
/// # Errors
/// When it cannot be read.
pub fn stored_body(row: &QuizRow) -> Result<QuizBody, StoreError> {
    serde_json::from_str(&row.body).map_err(|_| StoreError::Corrupt("a quiz"))
}

/// A stored quiz as a game plays it; its questions keep their ids.
///
/// # Errors
/// When it cannot be read.
pub fn stored_quiz(row: &QuizRow) -> Result<Quiz, StoreError> {
    let corrupt = || StoreError::Corrupt("a quiz");
    played(stored_body(row)?, |id| id.unwrap_or_else(Uuid::now_v7)).map_err(|_| corrupt())
}

/// The sample quiz, for a new host.
pub fn sample_quiz(host: HostId, now_ms: i64) -> Option<QuizRow> {
    let body = serde_json::from_str(SAMPLE).ok()?;
    Some(row(Uuid::now_v7(), host, &checked(body).ok()?, now_ms))
}

fn played(body: QuizBody, id: impl Fn(Option<Uuid>) -> Uuid) -> Result<Quiz, QuizMistake> {
    let mut rounds = Vec::with_capacity(body.rounds.len());
    for (at, round) in body.rounds.into_iter().enumerate() {
        let mut questions = Vec::with_capacity(round.questions.len());
        for (number, asked) in round.questions.into_iter().enumerate() {
            let id = id(asked.id).into();
            questions.push(question(asked, id).map_err(|field| QuizMistake {
                field: format!("rounds[{at}].questions[{number}].{field}"),
                problem: "must be text, multiple_choice, true_false or numeric".to_owned(),
            })?);
        }
        rounds.push(Round { title: round.title, questions });
    }
    Ok(Quiz { title: body.title, rounds })
}

/// `Err` names the field.
fn question(body: QuestionBody, id: QuestionId) -> Result<Question, &'static str> {
    let kinds = [QuestionKind::Text, QuestionKind::MultipleChoice, QuestionKind::TrueFalse, QuestionKind::Numeric];
    let kind = kinds.into_iter().find(|kind| kind.as_str() == body.kind).ok_or("type")?;
    let default_choices = || match kind {
        QuestionKind::TrueFalse => TRUE_FALSE.map(str::to_owned).to_vec(),
        _ => Vec::new(),
    };
    Ok(Question {
        id,
        text: body.text,
        kind,
        choices: body.choices.unwrap_or_else(default_choices),
        accepted: body.correct_answers,
        points: body.points.unwrap_or(DEFAULT_POINTS),
        tolerance: body.tolerance.unwrap_or_default(),
    })
}

fn round_body(round: &Round) -> RoundBody {
    RoundBody { title: round.title.clone(), questions: round.questions.iter().map(question_body).collect() }
}

fn question_body(question: &Question) -> QuestionBody {
    QuestionBody {
        id: Some(question.id.uuid()),
        text: question.text.clone(),
        kind: question.kind.as_str().to_owned(),
        choices: (!question.choices.is_empty()).then(|| question.choices.clone()),
        correct_answers: question.accepted.clone(),
        points: Some(question.points),
        tolerance: (question.kind == QuestionKind::Numeric).then_some(question.tolerance),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn quiz(question: &str) -> QuizBody {
        serde_json::from_str(&format!(r#"{{"title":"T","rounds":[{{"questions":[{question}]}}]}}"#)).unwrap()
    }

    #[test]
    fn defaults_are_written_out() {
        let quiz = checked(quiz(r#"{"text":"Is it?","type":"true_false","correctAnswers":["True"]}"#)).unwrap();
        let question = &body_of(&quiz).rounds[0].questions[0];
        assert_eq!(question.choices, Some(vec!["True".to_owned(), "False".to_owned()]));
        assert_eq!((question.points, question.tolerance), (Some(1_000), None));
        assert!(question.id.is_some());
    }

    #[test]
    fn mistakes_name_the_field_of_the_wire() {
        let field = |question: &str| checked(quiz(question)).unwrap_err().field;
        let place = |name: &str| format!("rounds[0].questions[0].{name}");
        assert_eq!(field(r#"{"text":"?","type":"essay","correctAnswers":["a"]}"#), place("type"));
        assert_eq!(field(r#"{"text":"?","type":"text","correctAnswers":[]}"#), place("correctAnswers"));
        let stray = r#"{"text":"?","type":"multiple_choice","choices":["a","b"],"correctAnswers":["c"]}"#;
        assert_eq!(field(stray), place("correctAnswers[0]"));
        assert_eq!(field(r#"{"text":"?","type":"numeric","correctAnswers":["x"]}"#), place("correctAnswers[0]"));
    }

    #[test]
    fn ids_of_a_client_are_ignored_and_those_of_the_store_kept() {
        let given = Uuid::now_v7();
        let body = quiz(&format!(r#"{{"id":"{given}","text":"?","type":"text","correctAnswers":["a"]}}"#));
        let quiz = checked(body).unwrap();
        let fresh = quiz.rounds[0].questions[0].id;
        assert_ne!(fresh.uuid(), given);
        let row = row(Uuid::now_v7(), Uuid::now_v7().into(), &quiz, 7);
        assert_eq!(stored_quiz(&row).unwrap(), quiz);
    }

    #[test]
    fn the_sample_is_a_quiz() {
        let sample = sample_quiz(Uuid::now_v7().into(), 7).unwrap();
        assert_eq!((sample.round_count, sample.question_count), (3, 30));
    }
}
