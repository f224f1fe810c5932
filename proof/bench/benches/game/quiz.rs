//! The quiz of the fixed game, its players, and their answers: chosen by arithmetic, so that all runs are the same.
//!
//! Also computes each player's points, by a sum of its own and not by the game's. Plays nothing.

use quizhall_rules::{Change, Created, Event, MarkingRule, PlayOptions};
use quizhall_rules::{
    DisplayName, GameId, HostId, Join, PlayerId, Question, QuestionId, QuestionKind, Quiz, Round, TokenHash,
};
use uuid::Uuid;

/// The questions of each round, which has all kinds.
pub const QUESTIONS_PER_ROUND: usize = 5;
/// The number of rounds.
pub const ROUNDS: usize = 2;

const NAMES: [&str; 8] = ["Ann", "Béla", "Chloë", "Dov", "Eva-Lotte", "Fatima", "Grete", "Håkon"];
const POINTS: u32 = 100;

/// Kind, text, choices, key, and two answers: one nearly right and one wrong.
type Asked = (QuestionKind, &'static str, &'static [&'static str], &'static str, [&'static str; 2]);

const ASKED: [Asked; ROUNDS * QUESTIONS_PER_ROUND] = [
    (
        QuestionKind::Text,
        "Which river runs through Vienna, Bratislava and Budapest?",
        &[],
        "Danube",
        ["Danueb", "Elbe"],
    ),
    (
        QuestionKind::MultipleChoice,
        "Which planet has the shortest year?",
        &["Venus", "Mercury", "Mars", "Earth"],
        "Mercury",
        ["Venus", "Mars"],
    ),
    (QuestionKind::Text, "Who wrote \"Frankenstein\"?", &[], "Mary Shelley", ["Mary Shelly", "Bram Stoker"]),
    (QuestionKind::TrueFalse, "A tomato is a fruit.", &["true", "false"], "true", ["false", "false"]),
    (QuestionKind::Numeric, "In which year did people first walk on the moon?", &[], "1969", ["1968", "2001"]),
    (QuestionKind::Text, "What is the capital of New Zealand?", &[], "Wellington", ["Welington", "Auckland"]),
    (
        QuestionKind::MultipleChoice,
        "Which instrument has 88 keys?",
        &["Accordion", "Organ", "Piano", "Harpsichord"],
        "Piano",
        ["Organ", "Accordion"],
    ),
    (QuestionKind::Text, "Which metal is liquid at room temperature?", &[], "Quicksilver", ["Quiksilver", "Lead"]),
    (QuestionKind::TrueFalse, "Bats are birds.", &["true", "false"], "false", ["true", "true"]),
    (QuestionKind::Numeric, "How many strings has a violin?", &[], "4", ["5", "six"]),
];

/// The first event of the game's log.
pub fn created() -> Event {
    let numbers: Vec<usize> = (0..ASKED.len()).collect();
    let rounds = numbers.chunks(QUESTIONS_PER_ROUND).map(|numbers| {
        let questions = numbers.iter().map(|number| question(*number)).collect();
        Round::new("A round", questions)
    });
    let quiz = Quiz { title: "The fixed game".to_owned(), rounds: rounds.collect() };
    quiz.validate().expect("the quiz keeps to the limits");
    let created = Created {
        game: GameId::from(Uuid::from_u64_pair(3, 1)),
        host: HostId::from(Uuid::from_u64_pair(3, 2)),
        code: "ABC234".to_owned(),
        quiz,
        join_secret: [7; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    };
    Event::new(Change::Created(created.into()), None)
}

/// The id of a question, counted over both rounds.
pub fn question_id(question: usize) -> QuestionId {
    QuestionId::from(Uuid::from_u64_pair(2, number(question)))
}

/// The id of a player.
pub fn player_id(player: usize) -> PlayerId {
    PlayerId::from(Uuid::from_u64_pair(1, number(player)))
}

/// The number of the player with this id.
pub fn number_of(player: PlayerId) -> usize {
    let (_, number) = player.uuid().as_u64_pair();
    usize::try_from(number).expect("a player's id is a small number") - 1
}

/// The join of a player.
pub fn join(player: usize) -> Join {
    let typed = format!("{} {player}", NAMES[player % NAMES.len()]);
    let mut token = [0; 32];
    token[..8].copy_from_slice(&number(player).to_le_bytes());
    Join {
        player: player_id(player),
        display_name: DisplayName::parse(&typed).expect("a plain name"),
        token: TokenHash(token),
        idempotency: None,
        player_limit: 5_000,
        team: None,
    }
}

/// The answer of a player: right six times in ten; otherwise nearly right as often as wrong.
pub fn answer(player: usize, question: usize) -> String {
    let (kind, _, _, key, [near, wrong]) = ASKED[question];
    match (is_right(player, question), (player + question) % 3) {
        // Marking folds case and drops punctuation.
        (true, 1) if kind == QuestionKind::Text => format!("{}!", key.to_uppercase()),
        (true, _) => key.to_owned(),
        (false, place) if place == 0 || player.is_multiple_of(2) => near.to_owned(),
        (false, _) => wrong.to_owned(),
    }
}

/// What a player has earned with these questions.
pub fn score(player: usize, questions: std::ops::Range<usize>) -> i64 {
    let right = questions.filter(|question| is_right(player, *question));
    right.map(|_| i64::from(POINTS)).sum()
}

fn is_right(player: usize, question: usize) -> bool {
    (player * 7 + question * 3 + player / 10 * question) % 10 < 6
}

fn question(number: usize) -> Question {
    let (kind, text, choices, key, _) = ASKED[number];
    Question {
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        points: POINTS,
        ..Question::new(question_id(number), kind, text, &[key])
    }
}

fn number(index: usize) -> u64 {
    index as u64 + 1
}
