//! Unit tests of `full_game::plan`.

#![allow(clippy::unwrap_used)]
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::*;

fn questions(quiz: &QuizBody) -> Vec<Question> {
    let questions = quiz.rounds.iter().flat_map(|round| &round.questions);
    let with_id = questions.map(|question| QuestionBody {
        id: Some(Uuid::nil()),
        points: Some(question.points.unwrap_or(1_000)),
        ..question.clone()
    });
    let with_choices = with_id.map(|question| match question.kind.or_text() {
        QuestionKind::TrueFalse => {
            QuestionBody { choices: Some(vec!["True".to_owned(), "False".to_owned()]), ..question }
        }
        _ => question,
    });
    with_choices.map(|question| Question::read(&question).unwrap()).collect()
}

#[test]
fn right_answers_are_right_and_wrong_ones_wrong() {
    let mut chance = SmallRng::seed_from_u64(5);
    let (quiz, _) = invented(Extent { rounds: 3, questions: 8 }, &mut chance);
    let (mut tried, mut wrongs, mut near) = (0, 0, 0);
    for item in questions(&quiz) {
        for _ in 0..200 {
            let right = item.right(&mut chance);
            assert!(item.marks(&right), "{}: {right}", item.kind);
            let wrong = item.wrong(&mut chance).filter(|wrong| !item.marks(wrong));
            wrongs += usize::from(wrong.is_some());
            near += usize::from(wrong.is_some_and(|wrong| wrong.contains("antern")));
            tried += 1;
        }
    }
    assert!(near > 0 && wrongs > tried * 8 / 10, "{near} near misses and {wrongs} wrong answers are among {tried}");
}

#[test]
fn canaries_are_the_keys_and_not_in_the_questions() {
    let mut chance = SmallRng::seed_from_u64(6);
    let (quiz, canaries) = invented(Extent { rounds: 2, questions: 4 }, &mut chance);
    assert_eq!(canaries.len(), 3, "a word and a number per round");
    for round in &quiz.rounds {
        for question in &round.questions {
            let shown = format!("{} {:?}", question.text, question.choices);
            assert!(canaries.iter().all(|canary| !shown.contains(canary)), "{shown}");
            let secret = matches!(question.kind.or_text(), QuestionKind::Text | QuestionKind::Numeric);
            let known = |key: &String| canaries.iter().any(|canary| key.contains(canary));
            assert_eq!(question.correct_answers.iter().all(known), secret, "{}", question.kind);
        }
    }
}
