//! The quiz of a world: one to three rounds whose keys are canaries, so that a key in a wrong frame is found.

use quizhall_engine::Head;
use quizhall_engine::claim::Row;
use quizhall_rules::{
    Change, Created, DisplayName, Event, GameId, HostId, MarkingRule, Pace, PlayOptions, Question, QuestionId,
    QuestionKind, Quiz, Round,
};

use super::Setting;
use super::dice::Dice;

/// The prefix of every secret key, and of no text that players may see.
pub const CANARY: &str = "canary";

/// The prefix of every note for the host, and of no text that any socket is sent.
pub const HOST_CANARY: &str = "unseen";

/// The number that answers to a `nearest` question are near to.
const SECRET_NUMBER: u64 = 1_969;

/// The log's first row.
pub fn first_row(dice: &mut Dice, setting: Setting) -> Row {
    let rounds = dice.range(1, 4);
    let mut number = 0;
    let rounds = (0..rounds).map(|_| round(dice, &mut number, setting.timed)).collect();
    let created = Created {
        game: GameId::from(dice.uuid()),
        host: HostId::from(dice.uuid()),
        code: "ABC234".to_owned(),
        quiz: Quiz { title: "A full game".to_owned(), rounds },
        join_secret: [7; 32],
        created_at_ms: 0,
        options: PlayOptions {
            pace: if dice.chance(200) { Pace::Question } else { Pace::Round },
            answer_seconds: limit(dice, setting.timed, 5..8),
            close_when_answered: dice.chance(300),
            phones_after_screen: dice.chance(200),
            teams: setting.teams,
            ..PlayOptions::default()
        },
        rule: MarkingRule::LATEST,
        sealed: None,
    };
    let event = Event::new(Change::Created(created.into()), None);
    Row { head: Head { seq: 0, batch: dice.next() }, events: vec![event] }
}

fn round(dice: &mut Dice, number: &mut u32, timed: bool) -> Round {
    let questions = (0..dice.range(1, 4))
        .map(|_| {
            *number += 1;
            let kind = kind(dice);
            let accepted: Vec<String> = match kind {
                QuestionKind::MultiSelect => ["red", "green"].map(str::to_owned).to_vec(),
                QuestionKind::Order => ["blue", "red", "green"].map(str::to_owned).to_vec(),
                QuestionKind::Nearest => vec![SECRET_NUMBER.to_string()],
                QuestionKind::Poll | QuestionKind::WordCloud => Vec::new(),
                _ if kind.has_choices() => vec!["green".to_owned()],
                _ => vec![format!("{CANARY}{number}")],
            };
            let question = Question::new(QuestionId::from(dice.uuid()), kind, format!("Question {number}?"), &accepted);
            Question {
                choices: if kind.has_choices() {
                    ["red", "green", "blue"].map(str::to_owned).to_vec()
                } else {
                    Vec::new()
                },
                points: if kind.is_marked() { 100 * *number } else { 0 },
                time_limit: limit(dice, timed, 5..8),
                explanation: dice.chance(500).then(|| format!("{CANARY} explained {number}")),
                host_note: Some(format!("{HOST_CANARY} {number}")),
                ..question
            }
        })
        .collect();
    let time_limit = limit(dice, timed, 6..16);
    let streaks = dice.chance(500);
    let joker = dice.chance(500);
    let wrong_points = if dice.chance(300) { -70 } else { 0 };
    Round {
        time_limit,
        streaks,
        joker,
        wrong_points,
        half_points: dice.chance(400),
        speed_points: timed && dice.chance(700),
        ..Round::new("", questions)
    }
}

/// Sometimes a limit, in seconds.
fn limit(dice: &mut Dice, timed: bool, seconds: std::ops::Range<u64>) -> Option<u16> {
    let limited = timed && dice.chance(600);
    limited.then(|| u16::try_from(dice.range(seconds.start, seconds.end)).expect("small"))
}

/// Mostly text, sometimes another kind whose answers the oracle can mark.
fn kind(dice: &mut Dice) -> QuestionKind {
    const OTHERS: [QuestionKind; 6] = [
        QuestionKind::MultipleChoice,
        QuestionKind::MultiSelect,
        QuestionKind::Order,
        QuestionKind::Poll,
        QuestionKind::WordCloud,
        QuestionKind::Nearest,
    ];
    if dice.chance(600) { QuestionKind::Text } else { OTHERS[dice.index(OTHERS.len())] }
}

/// An answer; for a text question, except for a near miss, never the same twice.
pub fn answer(dice: &mut Dice, question: &quizhall_oracle::Question, tries: usize) -> String {
    match (question.kind.or_text(), &question.choices) {
        (QuestionKind::MultiSelect | QuestionKind::Order, Some(choices)) => {
            let named: Vec<_> =
                (0..=dice.index(choices.len())).map(|_| choices[dice.index(choices.len())].clone()).collect();
            return named.join("\n");
        }
        (_, Some(choices)) => return choices[dice.index(choices.len())].clone(),
        (QuestionKind::Nearest, None) => return (SECRET_NUMBER + dice.range(0, 7) - 3).to_string(),
        (QuestionKind::WordCloud, None) => return ["sea", "Sea!", "mountain", "a lake"][dice.index(4)].to_owned(),
        _ => {}
    }
    if dice.chance(500) {
        // Marking ignores punctuation, so every one of these is right.
        return format!("{}{}", question.key(), "!".repeat(tries));
    }
    if dice.chance(300) {
        return format!("{}x", question.key());
    }
    format!("no idea {tries}")
}

/// The name of the phone with this number, which joins a team.
pub fn phone_name(number: usize) -> DisplayName {
    DisplayName::parse(&format!("Phone {number}")).expect("a plain name")
}

/// The name of the player with this number.
pub fn name(number: usize) -> DisplayName {
    const NAMES: [&str; 9] = ["Ada", "Ann", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gita", "Hal"];
    DisplayName::parse(NAMES[number % NAMES.len()]).expect("a plain name")
}
