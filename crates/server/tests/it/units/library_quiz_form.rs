//! The three forms of a quiz: as an author sends it, as it is stored, and as a game plays it.

use quizhall::library::quiz_form::{checked, row, stored_quiz};
use quizhall_protocol::http::quizzes::QuizBody;
use uuid::Uuid;

fn quiz(questions: &str) -> QuizBody {
    serde_json::from_str(&format!(r#"{{"title":"T","rounds":[{{"questions":[{questions}]}}]}}"#)).unwrap()
}

#[test]
fn only_a_question_with_a_right_answer_needs_one_and_mistakes_name_the_field_of_the_wire() {
    for question in [r#"{"text":"?","type":"poll","choices":["a","b"]}"#, r#"{"text":"?","type":"word_cloud"}"#] {
        let quiz = checked(quiz(question)).unwrap();
        assert!(quiz.rounds[0].questions[0].accepted.is_empty(), "{question}");
    }
    for (question, field) in [
        (r#"{"text":"?","type":"essay","correctAnswers":["a"]}"#, "type"),
        (r#"{"text":"?","type":"text","correctAnswers":[]}"#, "correctAnswers"),
        (r#"{"text":"?","type":"text"}"#, "correctAnswers"),
        (r#"{"text":"?","type":"multiple_choice","choices":["a","b"],"correctAnswers":["c"]}"#, "correctAnswers[0]"),
        (r#"{"text":"?","type":"numeric","correctAnswers":["x"]}"#, "correctAnswers[0]"),
    ] {
        assert_eq!(checked(quiz(question)).unwrap_err().field, format!("rounds[0].questions[0].{field}"));
    }
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
