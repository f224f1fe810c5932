//! Limits of a submitted answer.

use quizhall_rules::{AnswerError, AnswerText};

#[test]
fn answers_within_the_limits_are_taken_as_they_are() {
    for text in ["a", " ", "  padded  ", "tab\there\nand there", "Жук", "👩‍👩‍👧", &"x".repeat(1_000), &"😀".repeat(1_000)]
    {
        assert_eq!(AnswerText::parse(text).unwrap().as_str(), text);
    }
}

#[test]
fn answers_beyond_them_are_refused() {
    let rows = [
        (String::new(), AnswerError::Empty),
        ("x".repeat(1_001), AnswerError::TooLong),
        ("😀".repeat(1_001), AnswerError::TooLong),
        ("x".repeat(1_000_000), AnswerError::TooLong),
        ("a\0b".into(), AnswerError::ControlCharacter),
        ("a\rb".into(), AnswerError::ControlCharacter),
        ("\u{1b}[31m".into(), AnswerError::ControlCharacter),
        ("\u{7f}".into(), AnswerError::ControlCharacter),
        ("\u{85}".into(), AnswerError::ControlCharacter),
    ];
    for (text, error) in rows {
        assert_eq!(AnswerText::parse(&text), Err(error), "{} bytes", text.len());
    }
}

#[test]
fn debug_shows_no_answer() {
    assert_eq!(format!("{:?}", AnswerText::parse("canary").unwrap()), "AnswerText(..)");
}
