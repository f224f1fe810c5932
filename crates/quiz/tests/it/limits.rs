//! The limits of a quiz, each from both sides.

#![allow(clippy::unwrap_used)]

use quizhall_quiz::{Question, QuestionId, QuestionKind, Quiz, Round};
use uuid::Uuid;

fn question(number: usize) -> QuestionId {
    Uuid::from_u128(number as u128).into()
}

fn text_question(number: usize) -> Question {
    Question::new(question(number), QuestionKind::Text, format!("Question {number}?"), &["right"])
}

fn quiz(rounds: usize, per_round: usize) -> Quiz {
    let round = |round: usize| {
        let questions = (1..=per_round).map(|at| text_question(round * per_round + at));
        Round::new(format!("Round {round}"), questions.collect())
    };
    Quiz { title: "Quiz".to_owned(), rounds: (0..rounds).map(round).collect() }
}

/// The field that `change` breaks, or "" when the quiz is still fine.
fn broken(change: impl FnOnce(&mut Quiz)) -> String {
    let mut changed = quiz(2, 2);
    change(&mut changed);
    changed.validate().err().map_or(String::new(), |error| error.field)
}

fn broken_question(change: impl FnOnce(&mut Question)) -> String {
    let field = broken(|quiz| change(&mut quiz.rounds[0].questions[1]));
    field.strip_prefix("rounds[0].questions[1].").unwrap_or(&field).to_owned()
}

fn choice(question: &mut Question, kind: QuestionKind, choices: &[&str], accepted: &[&str]) {
    question.kind = kind;
    question.choices = choices.iter().map(ToString::to_string).collect();
    question.accepted = accepted.iter().map(ToString::to_string).collect();
}

#[test]
fn explanations_and_notes_for_the_host() {
    for (field, set) in [
        ("explanation", (|question, text| question.explanation = text) as fn(&mut Question, Option<String>)),
        ("hostNote", |question, text| question.host_note = text),
    ] {
        let broken = |text: Option<&str>| broken_question(|question| set(question, text.map(str::to_owned)));
        for fine in [None, Some("two\nlines"), Some("é".repeat(2_000).as_str())] {
            assert_eq!(broken(fine), "");
        }
        for wrong in ["", "  ", "a\0", "é".repeat(2_001).as_str()] {
            assert_eq!(broken(Some(wrong)), field);
        }
    }
}

#[test]
fn titles_and_rounds() {
    assert_eq!(broken(|_| {}), "");
    assert_eq!(broken(|quiz| quiz.title.clear()), "title");
    assert_eq!(broken(|quiz| quiz.title = "  ".into()), "title");
    assert_eq!(broken(|quiz| quiz.title = "é".repeat(200)), "");
    assert_eq!(broken(|quiz| quiz.title = "é".repeat(201)), "title");
    assert_eq!(broken(|quiz| quiz.title = "x".repeat(1_000_000)), "title");
    assert_eq!(broken(|quiz| quiz.title = "a\tb".into()), "title");
    assert_eq!(broken(|quiz| quiz.rounds[1].title.clear()), "");
    assert_eq!(broken(|quiz| quiz.rounds[1].title = "x".repeat(200)), "");
    assert_eq!(broken(|quiz| quiz.rounds[1].title = "x".repeat(201)), "rounds[1].title");
    assert_eq!(broken(|quiz| quiz.rounds[1].title = "a\0".into()), "rounds[1].title");
    assert_eq!(broken(|quiz| quiz.rounds.clear()), "rounds");
    assert_eq!(broken(|quiz| quiz.rounds[1].questions.clear()), "rounds[1].questions");
    assert_eq!(broken(|found| *found = quiz(50, 5)), "");
    assert_eq!(broken(|found| *found = quiz(51, 5)), "rounds");
    assert_eq!(broken(|found| *found = quiz(2, 100)), "");
    assert_eq!(broken(|found| *found = quiz(2, 101)), "rounds[0].questions");
}

#[test]
fn at_most_five_hundred_questions() {
    assert_eq!(quiz(5, 100).validate(), Ok(()));
    assert_eq!(quiz(50, 10).validate(), Ok(()));
    assert_eq!(quiz(6, 84).validate().unwrap_err().field, "rounds");
}

#[test]
fn ids_are_unique() {
    assert_eq!(broken(|quiz| quiz.rounds[1].questions[0].id = question(2)), "rounds[1].questions[0].id");
}

#[test]
fn texts_points_and_tolerance() {
    assert_eq!(broken_question(|q| q.text.clear()), "text");
    assert_eq!(broken_question(|q| q.text = "x".repeat(2_000)), "");
    assert_eq!(broken_question(|q| q.text = "x".repeat(2_001)), "text");
    assert_eq!(broken_question(|q| q.text = "two\nlines\tand a tab".into()), "");
    assert_eq!(broken_question(|q| q.text = "a\rb".into()), "text");
    assert_eq!(broken_question(|q| q.text = "a\0b".into()), "text");
    assert_eq!(broken_question(|q| q.points = 0), "");
    assert_eq!(broken_question(|q| q.points = 1_000_000), "");
    assert_eq!(broken_question(|q| q.points = 1_000_001), "points");
    for tolerance in [-1.0, f64::NAN, f64::INFINITY, 0.5] {
        assert_eq!(broken_question(|q| q.tolerance = tolerance), "tolerance", "{tolerance}");
    }
    assert_eq!(broken_question(|q| q.choices = vec!["a".into(), "b".into()]), "choices");
    assert_eq!(broken_question(|q| q.accepted.clear()), "correctAnswers");
    assert_eq!(broken_question(|q| q.accepted = vec!["x".into(); 50]), "");
    assert_eq!(broken_question(|q| q.accepted = vec!["x".into(); 51]), "correctAnswers");
    assert_eq!(broken_question(|q| q.accepted = vec!["x".into(), "y".repeat(301)]), "correctAnswers[1]");
    assert_eq!(broken_question(|q| q.accepted = vec!["a\nb".into()]), "correctAnswers[0]");
    assert_eq!(broken_question(|q| q.accepted = vec![" ".into()]), "correctAnswers[0]");
}

#[test]
fn choices_are_offered_and_right_ones_among_them() {
    use QuestionKind::{MultipleChoice, TrueFalse};
    let twenty: Vec<String> = (0..21).map(|at| format!("c{at}")).collect();
    let twenty: Vec<&str> = twenty.iter().map(String::as_str).collect();
    let long = "x".repeat(300);
    let longer = "x".repeat(301);
    let rows: [(QuestionKind, &[&str], &[&str], &str); 14] = [
        (MultipleChoice, &["a", "b"], &["a"], ""),
        (MultipleChoice, &["a", "b", "c"], &["c", "a"], ""),
        (MultipleChoice, &[" a ", "b"], &["a"], ""),
        (MultipleChoice, &["a"], &["a"], "choices"),
        (MultipleChoice, &[], &["a"], "choices"),
        (MultipleChoice, &twenty[..20], &["c0"], ""),
        (MultipleChoice, &twenty, &["c0"], "choices"),
        (MultipleChoice, &["a", " a"], &["a"], "choices[1]"),
        (MultipleChoice, &["a", ""], &["a"], "choices[1]"),
        (MultipleChoice, &["a", &long], &["a"], ""),
        (MultipleChoice, &["a", &longer], &["a"], "choices[1]"),
        (MultipleChoice, &["a", "b"], &["a", "A"], "correctAnswers[1]"),
        (TrueFalse, &["True", "False"], &["False"], ""),
        (TrueFalse, &["True", "False", "Maybe"], &["False"], "choices"),
    ];
    for (kind, choices, accepted, field) in rows {
        assert_eq!(broken_question(|q| choice(q, kind, choices, accepted)), field, "{choices:?} {accepted:?}");
    }
}

#[test]
fn numbers_are_numbers() {
    let rows = [
        ("42", 0.0, ""),
        ("1,5", 0.25, ""),
        ("−3", 1e9, ""),
        ("many", 0.0, "correctAnswers[0]"),
        ("inf", 0.0, "correctAnswers[0]"),
    ];
    for (accepted, tolerance, field) in rows {
        let change = |q: &mut Question| {
            choice(q, QuestionKind::Numeric, &[], &[accepted]);
            q.tolerance = tolerance;
        };
        assert_eq!(broken_question(change), field, "{accepted}");
    }
    assert_eq!(broken_question(|q| choice(q, QuestionKind::Numeric, &["1"], &["1"])), "choices");
}

#[test]
fn the_error_is_a_sentence_without_the_content() {
    let mut broken = quiz(1, 1);
    broken.rounds[0].questions[0] = Question { points: 2_000_000, text: "canary".into(), ..text_question(1) };
    assert_eq!(broken.validate().unwrap_err().to_string(), "rounds[0].questions[0].points must be at most 1,000,000");
}

#[test]
fn several_right_choices_and_orders_fit_into_an_answer() {
    use QuestionKind::{MultiSelect, Nearest, Order, Poll, WordCloud};
    let long: Vec<String> = "abcd".chars().map(|c| c.to_string().repeat(249)).collect();
    let longer: Vec<String> = "abcd".chars().map(|c| c.to_string().repeat(250)).collect();
    let [long, longer] = [&long, &longer].map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
    let rows: [(QuestionKind, &[&str], &[&str], &str); 19] = [
        (MultiSelect, &["a", "b", "c"], &["a", "c"], ""),
        (MultiSelect, &["a", "b"], &["a", "b"], ""),
        (MultiSelect, &["a", "b"], &[], "correctAnswers"),
        (MultiSelect, &["a", "b"], &["c"], "correctAnswers[0]"),
        (MultiSelect, &["a", "b"], &["a", " a"], "correctAnswers[1]"),
        (MultiSelect, &["a"], &["a"], "choices"),
        (MultiSelect, &long, &long[..1], ""),
        (MultiSelect, &longer, &longer[..1], "choices"),
        (Order, &["a", "b", "c"], &["c", "a", "b"], ""),
        (Order, &["a", "b", "c"], &["c", "a"], "correctAnswers"),
        (Order, &["a", "b", "c"], &["c", "a", "a"], "correctAnswers[2]"),
        (Order, &longer, &longer, "choices"),
        (Poll, &["a", "b"], &["a"], "correctAnswers"),
        (Poll, &["a"], &[], "choices"),
        (WordCloud, &["a", "b"], &[], "choices"),
        (WordCloud, &[], &["a"], "correctAnswers"),
        (Nearest, &[], &["1969"], ""),
        (Nearest, &[], &["1969", "1970"], "correctAnswers"),
        (Nearest, &[], &["long ago"], "correctAnswers[0]"),
    ];
    for (kind, choices, accepted, field) in rows {
        assert_eq!(broken_question(|q| choice(q, kind, choices, accepted)), field, "{kind:?} {choices:?} {accepted:?}");
    }
    for kind in [Poll, WordCloud] {
        let choices: &[&str] = if kind == Poll { &["a", "b"] } else { &[] };
        assert_eq!(broken_question(|q| choice(q, kind, choices, &[])), "points", "there are none to be earned");
        let without_points = |q: &mut Question| {
            choice(q, kind, choices, &[]);
            q.points = 0;
        };
        assert_eq!(broken_question(without_points), "");
        assert_eq!(Question::new(question(9), kind, "?", &[""; 0]).points, 0);
    }
}
