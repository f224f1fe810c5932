//! Tie-breaks: the order of equal players, the podium, and the next step. Who may answer, and what drops one, is in
//! `against_model.rs`.

use quizhall_rules::{
    Actor, Change, Command, Erasure, State, Step, TieQuestion, WaitsFor, erase, next_step, waits_for,
};

use crate::stage::{Game, player, quiz, release};

fn ask(players: &[u8], answer: i64) -> Command {
    let players = players.iter().map(|id| player(*id)).collect();
    Command::TieBreak(TieQuestion { players, text: "How many keys has a piano?".into(), answer }.into())
}

/// A game of two rounds with Ann, Bob, Cleo and Dov; all but Dov are right in the first, whose scores are released.
fn standing() -> Game {
    let mut game = Game::new(quiz(2, 1));
    for (id, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo"), (4, "Dov")] {
        game.joins(id, name);
    }
    game.host(Command::StartGame);
    game.host(release(1));
    for (id, answer) in [(1, "right"), (2, "right"), (3, "right"), (4, "wrong")] {
        game.answers(id, 1, answer);
    }
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    game
}

fn answer(game: &mut Game, id: u8, number: i64) {
    game.must(Actor::Player(player(id)), &Command::AnswerTieBreak { answer: number });
}

fn order(game: &Game) -> Vec<(String, u32)> {
    game.board().into_iter().map(|(name, _, _, rank)| (name, rank)).collect()
}

fn lines(names: [&str; 4], ranks: [u32; 4]) -> Vec<(String, u32)> {
    names.into_iter().map(str::to_owned).zip(ranks).collect()
}

#[test]
fn the_nearest_comes_first_among_equals_and_no_one_earns_a_point() {
    let mut game = standing();
    game.host(ask(&[1, 2, 3, 4], 88));
    for (id, number) in [(1, 70), (2, 90), (4, 88)] {
        answer(&mut game, id, number);
    }
    assert_eq!(order(&game), lines(["Ann", "Bob", "Cleo", "Dov"], [1, 1, 1, 4]), "no effect before its end");
    let places = [(1, 3), (2, 2), (3, 4), (4, 1)].map(|(id, place)| (player(id), place)).to_vec();
    assert_eq!(game.host(Command::EndTieBreak), Change::TieBreakEnded { places });
    assert_eq!(order(&game), lines(["Bob", "Ann", "Cleo", "Dov"], [1, 1, 1, 4]), "equals only, and ranks stay");
    game.host(Command::EndGame);
    assert_eq!(order(&game), lines(["Bob", "Ann", "Cleo", "Dov"], [1, 1, 1, 4]), "the final board as well");
    assert_eq!(game.state.podium(), [1, 2, 3]);
}

#[test]
fn a_later_one_orders_whom_the_earlier_one_left_equal() {
    let mut game = standing();
    game.host(ask(&[1, 2, 3], 88));
    for (id, number) in [(1, 80), (2, 96), (3, 88)] {
        answer(&mut game, id, number);
    }
    game.host(Command::EndTieBreak);
    assert_eq!(order(&game), lines(["Cleo", "Ann", "Bob", "Dov"], [1, 1, 1, 4]));
    assert_eq!(game.state.podium(), [1, 2]);
    game.host(ask(&[1, 2], 5));
    answer(&mut game, 2, 5);
    game.host(Command::EndTieBreak);
    assert_eq!(order(&game), lines(["Cleo", "Bob", "Ann", "Dov"], [1, 1, 1, 4]));
}

#[test]
fn its_end_is_the_next_step_and_waits_for_the_players_who_are_asked() {
    let mut game = standing();
    assert_eq!(next_step(&game.state), Step::StartNextRound);
    let press = Command::Next { number: game.state.step_number() };
    game.host(ask(&[1, 2, 3], 88));
    assert_eq!((next_step(&game.state), waits_for(&game.state)), (Step::EndTieBreak, Some(WaitsFor::Answers(3))));
    assert_eq!(game.ask(Actor::Host, &press), Ok(None), "a press for the step before does not end it");
    answer(&mut game, 1, 90);
    game.host(Command::Remove { player: player(3) });
    assert_eq!(waits_for(&game.state), Some(WaitsFor::Answers(1)));
    let places = [(1, 1), (2, 2)].map(|(id, place)| (player(id), place)).to_vec();
    let next = Command::Next { number: game.state.step_number() };
    assert_eq!(game.host(next), Change::TieBreakEnded { places });
    assert_eq!(next_step(&game.state), Step::StartNextRound);
}

#[test]
fn an_erased_player_keeps_the_place_and_not_the_number() {
    let mut game = standing();
    game.host(ask(&[1, 2], 88));
    answer(&mut game, 2, 87);
    game.host(Command::EndTieBreak);
    let mut log = game.log.clone();
    erase(&mut log, Erasure { player: player(2), answers: true }).unwrap();
    let state = State::replay(&log).unwrap();
    assert_eq!(state.tie_breaks()[0].answers[&player(2)], 0);
    let places = |state: &State| state.board().standings.iter().map(|line| line.player).collect::<Vec<_>>();
    assert_eq!(places(&state), places(&game.state));
}
