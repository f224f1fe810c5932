//! Unit tests of `choice`.

#![allow(clippy::unwrap_used)]

use super::*;

#[derive(serde::Deserialize)]
struct Case {
    choices: Vec<String>,
    answers: Vec<(String, Option<Vec<usize>>)>,
}

#[test]
fn choices_are_named_by_text_and_by_letter() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../tests/choices.json")).unwrap();
    let mut tried = 0;
    for Case { choices, answers } in cases {
        for (answer, expected) in answers {
            assert_eq!(named(&answer, &choices), expected, "{answer:?} of {choices:?}");
            tried += 1;
        }
    }
    assert!(tried > 30);
}
