//! The quiz of a world: one to three rounds whose keys are canaries, so that a key in the wrong frame sings.

use quizhall_engine::Head;
use quizhall_engine::claim::Row;
use quizhall_rules::{
    Change, Created, DisplayName, Event, GameId, HostId, Question, QuestionId, QuestionKind, Quiz, Round,
};

use super::dice::Dice;

/// What every secret key begins with, and nothing that players may see.
pub const CANARY: &str = "canary";

/// The log's first row.
pub fn first_row(dice: &mut Dice, timed: bool) -> Row {
    let rounds = dice.range(1, 4);
    let mut number = 0;
    let rounds = (0..rounds).map(|_| round(dice, &mut number, timed)).collect();
    let created = Created {
        game: GameId::from(dice.uuid()),
        host: HostId::from(dice.uuid()),
        code: "ABC234".to_owned(),
        quiz: Quiz { title: "An evening".to_owned(), rounds },
        join_secret: [7; 32],
        created_at_ms: 0,
    };
    let event = Event { change: Change::Created(created.into()), command_id: None };
    Row { head: Head { seq: 0, batch: dice.next() }, events: vec![event] }
}

fn round(dice: &mut Dice, number: &mut u32, timed: bool) -> Round {
    let questions = (0..dice.range(1, 4))
        .map(|_| {
            *number += 1;
            let choices = dice.chance(200);
            let kind = if choices { QuestionKind::MultipleChoice } else { QuestionKind::Text };
            let key = if choices { "green".to_owned() } else { format!("{CANARY}{number}") };
            Question {
                choices: if choices { ["red", "green", "blue"].map(str::to_owned).to_vec() } else { Vec::new() },
                points: 100 * *number,
                time_limit: limit(dice, timed, 5..8),
                ..Question::new(QuestionId::from(dice.uuid()), kind, format!("Question {number}?"), &[key])
            }
        })
        .collect();
    Round { time_limit: limit(dice, timed, 6..16), ..Round::new("", questions) }
}

/// Now and then a limit, in seconds.
fn limit(dice: &mut Dice, timed: bool, seconds: std::ops::Range<u64>) -> Option<u16> {
    let limited = timed && dice.chance(600);
    limited.then(|| u16::try_from(dice.range(seconds.start, seconds.end)).expect("small"))
}

/// Something to answer; of a text question never the same twice.
pub fn answer(dice: &mut Dice, question: &quizhall_oracle::Question, tries: usize) -> String {
    if let Some(choices) = &question.choices {
        return choices[dice.index(choices.len())].clone();
    }
    if dice.chance(500) {
        // Marking ignores punctuation, so every one of these is right.
        return format!("{}{}", question.key(), "!".repeat(tries));
    }
    format!("no idea {tries}")
}

/// The name of the player with this number.
pub fn name(number: usize) -> DisplayName {
    const NAMES: [&str; 9] = ["Nobody", "Ann", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gita", "Hal"];
    DisplayName::parse(NAMES[number % NAMES.len()]).expect("a plain name")
}
