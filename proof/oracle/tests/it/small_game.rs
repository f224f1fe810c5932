//! A game of two rounds for the tests: questions "a" of 500 points and "b" of 1,000, then "c" of 70; the key is the name.

use quizhall_oracle::{Effects, Game, Mark, Question, Quiz, Round, Viewer};
use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::{Dialect, FromHost, QuestionKind, ServerMessage};
use uuid::Uuid;

/// Its players by these names, with ids 1, 2, and so on.
pub fn small_game(players: &[&str]) -> Game {
    let question = |key: &str, points| Question {
        id: Uuid::new_v4(),
        text: format!("{key}?"),
        kind: QuestionKind::Text.into(),
        choices: None,
        accepted: vec![key.to_owned()],
        points,
        tolerance: 0.0,
        counts_speed: false,
        halves_near_misses: false,
        time_limit: None,
        explanation: None,
    };
    let round = |questions| Round {
        title: String::new(),
        section: None,
        questions,
        time_limit: None,
        streaks: false,
        joker: false,
        wrong_points: 0,
    };
    let rounds = vec![round(vec![question("a", 500), question("b", 1_000)]), round(vec![question("c", 70)])];
    let mut game = Game::new(Quiz { title: "Small".to_owned(), rounds });
    for (number, name) in (1..).zip(players) {
        game.apply(&quizhall_oracle::Fact::Joined(id(number), (*name).to_owned())).unwrap();
    }
    game
}

pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// The same with both questions of the first round open.
pub fn asking(players: &[&str]) -> Game {
    let mut game = small_game(players);
    host(&mut game, &FromHost::StartGame);
    for number in 0..2 {
        release(&mut game, number);
    }
    game
}

pub fn host(game: &mut Game, command: &FromHost) -> Effects {
    game.host_commands(command).unwrap()
}

pub fn release(game: &mut Game, number: usize) -> Effects {
    let question_id = game.question(number).id;
    host(game, &FromHost::ReleaseQuestion(ReleaseQuestion { question_id }))
}

pub fn answer(game: &mut Game, player: u128, number: usize, text: &str) -> Effects {
    let question = game.question(number);
    let mark = if question.key() == text { Mark::RIGHT } else { Mark::WRONG };
    let submitted = SubmitAnswer { question_id: question.id, answer: text.to_owned() };
    game.player_answers(id(player), &submitted, mark).unwrap()
}

pub fn overrule(game: &mut Game, player: u128, number: usize, correct: bool) -> Effects {
    let (player_id, question_id) = (id(player), game.question(number).id);
    host(game, &FromHost::OverrideAnswer(OverrideAnswer { player_id, question_id, correct }))
}

/// The types of the messages to the host.
pub fn to_host(effects: &Effects, dialect: Dialect) -> Vec<&'static str> {
    types(&effects.of(Viewer::Host, dialect))
}

/// The types of the messages to a player.
pub fn to_player(effects: &Effects, player: u128, dialect: Dialect) -> Vec<&'static str> {
    types(&effects.of(Viewer::Player(id(player)), dialect))
}

pub fn types(messages: &[ServerMessage]) -> Vec<&'static str> {
    messages.iter().map(ServerMessage::name).collect()
}
