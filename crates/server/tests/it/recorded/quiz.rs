//! The quiz of the recorded games, with every kind of question and every option, and the messages that the scripts send.

use serde_json::Value;

/// Two rounds, which together contain every field that a question can have.
pub const QUIZ: &str = concat!(
    r#"{"title":"An evening of Brass & Beyond","rounds":[{"title":"Brass","questions":["#,
    r#"{"text":"Which of these is played with a slide?","type":"multiple_choice","choices":["Trumpet","Trombone","Tuba"],"correctAnswers":["Trombone"]},"#,
    r#"{"text":"True or false: a tuba has valves.","type":"true_false","correctAnswers":["True"],"points":500},"#,
    r#"{"text":"Oui ou non ?","type":"true_false","choices":["Oui","Non"],"correctAnswers":["Oui"],"points":0}]},{"questions":["#,
    r#"{"text":"Who wrote Jane Eyre?","type":"text","correctAnswers":["Brontë","Charlotte Brontë"]},"#,
    r#"{"text":"How many metres is a mile?","type":"numeric","correctAnswers":["1609.344"],"tolerance":1.5,"points":250}]}]}"#
);

/// The string at this pointer in an answer.
pub fn string(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {value}")).to_owned()
}

/// The ids of the questions of a game, by round.
pub fn questions(game: &Value) -> Vec<Vec<String>> {
    let ids = |round: &Value| round["questions"].as_array().unwrap().iter().map(|one| string(one, "/id")).collect();
    game["rounds"].as_array().unwrap().iter().map(ids).collect()
}

/// A message without a payload.
pub fn bare(kind: &str) -> String {
    format!(r#"{{"type":"{kind}"}}"#)
}

/// A message with this payload.
pub fn message(kind: &str, payload: &str) -> String {
    format!(r#"{{"type":"{kind}","payload":{payload}}}"#)
}

/// `release_question`.
pub fn release(question: &str) -> String {
    message("release_question", &format!(r#"{{"questionId":"{question}"}}"#))
}

/// `submit_answer`.
pub fn answer(question: &str, text: &str) -> String {
    message("submit_answer", &format!(r#"{{"questionId":"{question}","answer":"{text}"}}"#))
}

/// `override_answer`.
pub fn overrule(player: &str, question: &str, correct: bool) -> String {
    let payload = format!(r#"{{"playerId":"{player}","questionId":"{question}","correct":{correct}}}"#);
    message("override_answer", &payload)
}
