//! The quizzes the suite plays: every key and every question text is a canary that no player may see early.
//!
//! The world posts them once per run. Never marks an answer: a stage gives either the key or something far from it.

use quizhall_protocol::QuestionKind;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};

/// Two rounds: text, multiple choice and numeric; then true or false, and text.
pub fn long(tag: &str) -> QuizBody {
    let second = vec![true_false(tag), text(tag, "L5", 300)];
    QuizBody { title: format!("Conformance long {tag}"), rounds: vec![round(tag, 'L'), RoundBody::new("", second)] }
}

/// One round, so that the leaderboard is the last.
pub fn short(tag: &str) -> QuizBody {
    QuizBody { title: format!("Conformance short {tag}"), rounds: vec![round(tag, 'S')] }
}

/// One question of each kind that the interface lacks: two with partial points, two without marks, and a `nearest` question.
pub fn kinds(tag: &str) -> QuizBody {
    let choices = ["Amber", "Basalt", "Copper", "Dolomite"].map(str::to_owned).to_vec();
    let asked = |kind, label: &str, accepted: &[&str], points| {
        let question = QuestionBody::new(kind, format!("{tag} {label}: which?"), accepted);
        QuestionBody { choices: kind.has_choices().then(|| choices.clone()), points: Some(points), ..question }
    };
    let questions = vec![
        asked(QuestionKind::MultiSelect, "K1", &["Basalt", "Copper", "Dolomite"], 100),
        asked(QuestionKind::Order, "K2", &["Copper", "Amber", "Dolomite", "Basalt"], 500),
        asked(QuestionKind::Poll, "K3", &[], 0),
        asked(QuestionKind::WordCloud, "K4", &[], 0),
        asked(QuestionKind::Nearest, "K5", &["424242.25"], 250),
    ];
    let round = RoundBody::new("Round K", questions);
    QuizBody { title: format!("Conformance kinds {tag}"), rounds: vec![round] }
}

/// One round that counts streaks.
pub fn streaks(tag: &str) -> QuizBody {
    let round = RoundBody { streaks: true, ..round(tag, 'R') };
    QuizBody { title: format!("Conformance streaks {tag}"), rounds: vec![round] }
}

/// One round that counts speed, with a time limit for its first two questions.
pub fn speed(tag: &str) -> QuizBody {
    let mut round = RoundBody { speed_points: true, ..round(tag, 'V') };
    for question in &mut round.questions[..2] {
        question.time_limit = Some(60);
    }
    QuizBody { title: format!("Conformance speed {tag}"), rounds: vec![round] }
}

/// Two rounds for which a joker can be played: near misses earn half of the points in the first, and the second has streaks and
/// points for wrong answers.
pub fn jokers(tag: &str) -> QuizBody {
    let first = RoundBody { joker: true, half_points: true, ..round(tag, 'J') };
    let second = RoundBody { joker: true, streaks: true, wrong_points: -400, ..round(tag, 'D') };
    QuizBody { title: format!("Conformance jokers {tag}"), rounds: vec![first, second] }
}

/// The quiz of another game, for foreign ids.
pub fn foreign(tag: &str) -> QuizBody {
    let round = RoundBody::new("Elsewhere", vec![text(tag, "F1", 10)]);
    QuizBody { title: format!("Conformance foreign {tag}"), rounds: vec![round] }
}

/// Questions so long that a client that stops reading soon falls behind: about 30 KiB each.
pub fn heavy(tag: &str) -> QuizBody {
    let choices: Vec<String> = (0..20).map(|choice| format!("{choice} {}", "𝄢".repeat(290))).collect();
    let question = |number: u32| {
        let text = format!("{tag} heavy {number} {}", "𝄞".repeat(1_900));
        QuestionBody {
            choices: Some(choices.clone()),
            ..QuestionBody::new(QuestionKind::MultipleChoice, text, &choices[..1])
        }
    };
    let questions = (0..24).map(question).collect();
    QuizBody { title: format!("Conformance heavy {tag}"), rounds: vec![RoundBody::new("", questions)] }
}

/// The parts of a quiz that must stay hidden: keys that are not also visible choices, explanations and notes for the host.
pub fn secrets(quiz: &QuizBody) -> Vec<String> {
    let questions = quiz.rounds.iter().flat_map(|round| &round.questions);
    questions
        .filter(|question| question.choices.is_none())
        .flat_map(|question| {
            let written = [&question.explanation, &question.host_note].into_iter().flatten().cloned();
            question.correct_answers.iter().cloned().chain(written)
        })
        .collect()
}

fn round(tag: &str, letter: char) -> RoundBody {
    let questions = vec![text(tag, &format!("{letter}1"), 1_000), multiple_choice(tag, letter), numeric(tag, letter)];
    RoundBody::new(format!("Round {letter}"), questions)
}

fn text(tag: &str, label: &str, points: u32) -> QuestionBody {
    let keys = [format!("canary{label}{tag}"), format!("spare{label}{tag}")];
    QuestionBody {
        points: Some(points),
        explanation: Some(format!("explained{label}{tag}")),
        host_note: Some(format!("whispered{label}{tag}")),
        ..QuestionBody::new(QuestionKind::Text, format!("{tag} {label}: which word?"), &keys)
    }
}

fn multiple_choice(tag: &str, letter: char) -> QuestionBody {
    QuestionBody {
        choices: Some(["Amber", "Basalt", "Copper", "Dolomite"].map(str::to_owned).to_vec()),
        points: Some(500),
        ..QuestionBody::new(QuestionKind::MultipleChoice, format!("{tag} {letter}2: which one?"), &["Copper"])
    }
}

fn numeric(tag: &str, letter: char) -> QuestionBody {
    // Fifteen digits made of the tag: distinctive, and still exact as a float.
    let digits: String = tag.bytes().cycle().take(14).map(|byte| char::from(b'0' + byte % 10)).collect();
    QuestionBody {
        points: Some(250),
        tolerance: Some(0.0),
        ..QuestionBody::new(QuestionKind::Numeric, format!("{tag} {letter}3: how many?"), &[format!("7{digits}")])
    }
}

fn true_false(tag: &str) -> QuestionBody {
    QuestionBody {
        choices: Some(vec!["True".to_owned(), "False".to_owned()]),
        points: Some(100),
        ..QuestionBody::new(QuestionKind::TrueFalse, format!("{tag} L4: true or false?"), &["False"])
    }
}
