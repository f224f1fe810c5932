//! Unit tests of `users::answers`.

use super::*;

#[test]
fn every_answer_is_of_one_length_and_names_lead_back() {
    let key = Key { question: Uuid::nil(), number: 1, right: "string-000001".to_owned() };
    let answers: Vec<String> = (0..99_999).step_by(7).map(|player| answer(player, &key)).collect();
    assert!(answers.iter().all(|answer| answer.len() == 13));
    let right = answers.iter().filter(|answer| **answer == key.right).count();
    assert!(right * 4 > answers.len() && right * 2 < answers.len(), "a third");
    assert_eq!((number(&name(99_999)), number("host")), (Some(99_999), None));
}
