//! Unit tests of `play::guess`.

#![allow(clippy::unwrap_used)]
use quizhall_protocol::QuestionKind;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use uuid::Uuid;

use super::*;

fn question(kind: &str, choices: Option<Vec<String>>) -> Question {
    let kind = kind.to_owned().into();
    Question { kind, choices, ..Question::new(Uuid::nil(), QuestionKind::Text, "?", 1) }
}

#[test]
fn guesses_fit_the_question() {
    let mut chance = SmallRng::seed_from_u64(3);
    let choices = vec!["a".to_owned(), "b".to_owned()];
    for _ in 0..100 {
        assert!(choices.contains(&guess(&question("multiple_choice", Some(choices.clone())), &mut chance)));
        assert!(guess(&question("numeric", None), &mut chance).parse::<u32>().is_ok());
        assert!(!guess(&question("something_new", None), &mut chance).is_empty());
    }
}
