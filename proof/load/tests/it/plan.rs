//! What a full game plans: its quiz and keys, who of a team answers, how long players think, and the violations that it lists.

use std::time::Duration;

use quizhall_load::Think;
use quizhall_load::full_game::plan::{Answering as _, Extent, invented};
use quizhall_load::full_game::seating::{Seating, Turn};
use quizhall_load::full_game::violations::Violations;
use quizhall_oracle::Question;
use quizhall_protocol::QuestionKind;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use uuid::Uuid;

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

#[test]
fn phones_of_a_team_follow_each_other() {
    let seating = Seating::of(3, Some(4));
    assert_eq!((seating.bots(), seating.player_of(7), seating.bots_of(1)), (12, 1, 4..8));
    assert_eq!((0..12).filter(|bot| seating.is_first(*bot)).collect::<Vec<_>>(), [0, 4, 8]);
    let alone = Seating::of(3, None);
    assert_eq!((alone.bots(), alone.player_of(2), alone.has_teams()), (3, 2, false));
}

#[test]
fn each_question_has_a_writer_and_sometimes_a_second() {
    let seating = Seating::of(5, Some(3));
    let (mut at_once, mut behind) = (0, 0);
    for seed in 0..200 {
        for place in 0..4 {
            let turn = |bot| seating.turn(bot, place, &mut SmallRng::seed_from_u64(seed));
            let turns: Vec<Turn> = seating.bots_of(2).filter_map(turn).collect();
            assert!(turns.contains(&Turn::First) && turns.len() <= 2, "{turns:?}");
            at_once += usize::from(turns == [Turn::First; 2]);
            behind += usize::from(turns.contains(&Turn::Behind));
            assert_eq!(turn(6 + place % 3), Some(Turn::First), "in turn");
        }
    }
    assert!(at_once > 50 && behind > 100, "{at_once}, {behind}");
}

#[test]
fn kinds_are_counted_and_examples_bounded() {
    let violations = Violations::default();
    for number in 0..50 {
        violations.check(number % 2 == 0, "odd", || format!("{number} is odd"));
    }
    let list = violations.list();
    assert_eq!((list.len(), list[0].count, list[0].examples.len()), (1, 25, 5));
    assert_eq!(list[0].examples[0], "1 is odd");
}

#[test]
fn ranges_are_read() {
    let ms = Duration::from_millis;
    assert_eq!("500ms..3s".parse(), Ok(Think { from: ms(500), to: ms(3_000) }));
    assert_eq!("0.5s".parse(), Ok(Think { from: ms(500), to: ms(500) }));
    assert_eq!("1s..1m".parse(), Ok(Think { from: ms(1_000), to: ms(60_000) }));
    for nonsense in ["", "5", "3s..1s", "-1s", "ms", "1h", "1s..", "a..b"] {
        assert!(nonsense.parse::<Think>().is_err(), "{nonsense}");
    }
}
