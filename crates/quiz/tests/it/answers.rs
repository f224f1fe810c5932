//! Answers as people type them: numbers and named choices, by the tables that also test the SDK.

#![allow(clippy::unwrap_used)]

use quizhall_quiz::{choice, number};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

#[test]
fn the_digits_of_every_script_are_read() {
    let digit = |c: char| number::readings(&c.to_string()).next();
    let digits = ('\0'..=char::MAX).filter(|c| c.general_category() == GeneralCategory::DecimalNumber);
    let read: Vec<f64> = digits.map(|c| digit(c).unwrap()).collect();
    assert!(read.len() > 600);
    let ten: Vec<f64> = (0..10_u8).map(f64::from).collect();
    assert!(read.chunks(10).all(|script| script == ten), "each script has ten, from zero to nine");
}

#[derive(serde::Deserialize)]
struct Numbers {
    readings: Vec<(String, Vec<f64>)>,
}

#[test]
fn every_plausible_reading_is_found_and_no_other() {
    let table: Numbers = serde_json::from_str(include_str!("../numbers.json")).unwrap();
    assert!(table.readings.len() > 80);
    for (text, expected) in table.readings {
        assert_eq!(number::readings(&text).collect::<Vec<_>>(), expected, "{text:?}");
    }
}

#[derive(serde::Deserialize)]
struct Choices {
    choices: Vec<String>,
    answers: Vec<(String, Option<Vec<usize>>)>,
}

#[test]
fn choices_are_named_by_text_and_by_letter() {
    let cases: Vec<Choices> = serde_json::from_str(include_str!("../choices.json")).unwrap();
    let mut tried = 0;
    for Choices { choices, answers } in cases {
        for (answer, expected) in answers {
            assert_eq!(choice::named(&answer, &choices), expected, "{answer:?} of {choices:?}");
            tried += 1;
        }
    }
    assert!(tried > 30);
}
