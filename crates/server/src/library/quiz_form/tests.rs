//! Unit tests of `library::quiz_form`.

#![allow(clippy::unwrap_used)]
use super::*;

fn quiz(question: &str) -> QuizBody {
    serde_json::from_str(&format!(r#"{{"title":"T","rounds":[{{"questions":[{question}]}}]}}"#)).unwrap()
}

#[test]
fn a_question_without_a_right_answer_needs_none() {
    for question in [r#"{"text":"?","type":"poll","choices":["a","b"]}"#, r#"{"text":"?","type":"word_cloud"}"#] {
        let quiz = checked(quiz(question)).unwrap();
        assert!(quiz.rounds[0].questions[0].accepted.is_empty(), "{question}");
    }
}

#[test]
fn defaults_are_written_out() {
    let quiz = checked(quiz(r#"{"text":"Is it?","type":"true_false","correctAnswers":["True"]}"#)).unwrap();
    let question = &QuizBody::from(&quiz).rounds[0].questions[0];
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
    assert_eq!(field(r#"{"text":"?","type":"text"}"#), place("correctAnswers"));
    let stray = r#"{"text":"?","type":"multiple_choice","choices":["a","b"],"correctAnswers":["c"]}"#;
    assert_eq!(field(stray), place("correctAnswers[0]"));
    assert_eq!(field(r#"{"text":"?","type":"numeric","correctAnswers":["x"]}"#), place("correctAnswers[0]"));
}

#[test]
fn a_question_keeps_its_id_and_a_second_one_with_it_gets_another() {
    let given = Uuid::now_v7();
    let question = format!(r#"{{"id":"{given}","text":"?","type":"text","correctAnswers":["a"]}}"#);
    let quiz = checked(quiz(&format!("{question},{question}"))).unwrap();
    let [first, second] = [0, 1].map(|number: usize| quiz.rounds[0].questions[number].id.uuid());
    assert_eq!(first, given);
    assert_ne!(second, given);
    let row = row(Uuid::now_v7(), Uuid::now_v7().into(), &quiz, 7);
    assert_eq!(stored_quiz(&row).unwrap(), quiz);
}

#[test]
fn the_sample_is_a_quiz() {
    let sample = sample_quiz(Uuid::now_v7().into(), 7).unwrap();
    assert_eq!((sample.round_count, sample.question_count), (3, 30));
}
