//! Erasing a player from a log: the name and, if requested, the texts occur nowhere, and the rest of the game is unchanged.

use quizhall_rules::{Actor, Change, Command, Erasure, Event, State, erase};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::side_by_side::{What, Who, actor, command, speaker};
use crate::stage::{Game, mark_all, overrule, player, question, quiz, release};

const NAME: &str = "Canary";
/// The erased player's own texts; one of them is another player's as well.
const OWN: [&str; 3] = ["canary one", "canary two", "wrong"];
const OTHERS: [&str; 3] = ["right", "wrong", "other"];
const MARKED: &[&[&str]] =
    &[&["wrong"], &["canary one", "wrong"], &["canary two"], &["canary one", "canary two", "other"]];

fn erased(log: &[Event], answers: bool) -> (Vec<Event>, Vec<usize>) {
    let mut log = log.to_vec();
    let changed = erase(&mut log, Erasure { player: player(1), answers }).unwrap();
    (log, changed)
}

fn text_of(log: &[Event]) -> String {
    serde_json::to_string(log).unwrap()
}

/// Everything that hosts and players see of a game, except the erased player's name and, if they are erased, the texts.
fn seen(state: &State, texts: bool) -> impl PartialEq + std::fmt::Debug {
    let mut board: Vec<_> =
        state.board().standings.iter().map(|at| (at.player, at.score, at.round_score, at.rank)).collect();
    // Equal players are ordered by name.
    board.sort_unstable_by_key(|standing| (standing.3, standing.0));
    let answers: Vec<_> = state
        .all_answers()
        .map(|past| {
            let text = (texts || past.player.id != player(1)).then(|| past.answer.text.to_string());
            let answer = past.answer;
            let mark = (answer.marked_correct, answer.near_miss, answer.overridden, past.earned.points);
            (past.round, past.question.id, past.player.id, mark, text)
        })
        .collect();
    let names: Vec<_> =
        state.all_players().filter(|other| other.id != player(1)).map(|other| other.display_name.clone()).collect();
    let marking = (state.undoable(None), state.latest_marking(None));
    (
        board,
        answers,
        names,
        state.phase(),
        marking,
        state.players().map(quizhall_rules::Player::score).collect::<Vec<_>>(),
    )
}

#[test]
fn random_games_replay_to_the_same_marks_and_ranks() {
    let (mut marked, mut appeals, mut renamed) = (0, 0, 0);
    for seed in 0..3_000 {
        let log = random_game(seed);
        let before = State::replay(&log).unwrap();
        for answers in [false, true] {
            let (after, changed) = erased(&log, answers);
            let differ: Vec<_> = (0..log.len()).filter(|place| log[*place] != after[*place]).collect();
            assert_eq!(changed, differ, "seed {seed}");
            let replayed = State::replay(&after).unwrap();
            assert_eq!(seen(&before, !answers), seen(&replayed, !answers), "seed {seed}, answers {answers}");
            let text = text_of(&after);
            assert!(!text.contains(NAME), "seed {seed}");
            assert!(!answers || !text.contains("canary"), "seed {seed}: {text}");
            assert_eq!(erased(&after, answers), (after, Vec::new()), "seed {seed}: erased again");
            let of_markings = |place: &&usize| matches!(log[**place].change, Change::AnswersMarked { .. });
            marked += changed.iter().filter(of_markings).count();
            renamed +=
                changed.iter().filter(|place| matches!(log[**place].change, Change::PlayerRenamed { .. })).count();
            appeals += changed.iter().filter(|place| matches!(log[**place].change, Change::Appealed { .. })).count();
        }
    }
    assert!(marked > 300, "group markings that named the text were met {marked} times");
    assert!(renamed > 300, "{renamed} new names were erased");
    assert!(appeals > 300, "{appeals} appeals were erased");
}

fn random_game(seed: u64) -> Vec<Event> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut game = Game::new(quiz(2, 2));
    let names = ["", NAME, "Bob", "Cleo", "Dan"];
    for id in 1..=4 {
        game.joins(id, names[usize::from(id)]);
    }
    game.host(Command::StartGame);
    for _ in 0..160 {
        let id = random.random_range(1..=4);
        let number = random.random_range(1..=4);
        let text = Some(["canary says", "they say"][usize::from(id != 1)].to_owned());
        let what = match random.random_range(0..42) {
            40.. => {
                let appeal = Command::Appeal { question: question(number), text };
                let _ = game.ask(Actor::Player(player(id)), &appeal);
                continue;
            }
            0..=5 => What::Release(number),
            6..=20 => What::Submit(number, (if id == 1 { OWN } else { OTHERS }).choose(&mut random).unwrap()),
            21..=22 => What::EndRound,
            23..=24 => What::Override(id, number, random.random()),
            25..=32 => What::MarkAll(number, MARKED.choose(&mut random).unwrap(), random.random()),
            33 => What::Undo,
            34 | 35 => What::Scores,
            36 => What::Next,
            37 if random.random_ratio(1, 6) => What::Remove(id),
            38 if random.random_ratio(1, 6) => What::End,
            39 => What::Rename(id, if id == 1 { "Canary too" } else { "They" }),
            _ => continue,
        };
        let who = speaker(what, id);
        let who = if who == Who::Player(id) { Actor::Player(player(id)) } else { actor(who) };
        let _ = game.ask(who, &command(what));
    }
    game.log
}

#[test]
fn the_neutral_name_and_text_are_refused_to_players() {
    let mut game = Game::new(quiz(1, 1));
    for (id, name) in [(2, "Player 2"), (1, NAME), (3, "player 2 (2)")] {
        game.joins(id, name);
    }
    game.host(Command::StartGame);
    game.host(release(1));
    for (id, text) in [(1, "canary one"), (2, "(erased 2)")] {
        game.answers(id, 1, text);
    }
    game.host(Command::EndRound);
    game.host(mark_all(1, &["canary one"], true));
    let state = State::replay(&erased(&game.log, true).0).unwrap();
    assert_eq!(state.player(player(1)).unwrap().display_name.as_str(), "Player 2 (3)");
    let answers: Vec<_> =
        state.all_answers().map(|past| (past.answer.text.to_string(), past.answer.correct())).collect();
    assert_eq!(answers, [("(erased 2.2)".to_owned(), true), ("(erased 2)".to_owned(), false)]);
}

#[test]
fn the_token_opens_nothing_any_more() {
    let mut game = Game::of_two();
    game.host(Command::StartGame);
    let token = game.state.player(player(1)).unwrap().token();
    assert!(game.state.player_by_token(&token).is_some());
    let state = State::replay(&erased(&game.log, false).0).unwrap();
    assert!(state.player_by_token(&token).is_none());
    assert!(state.player(player(2)).is_some());
}

#[test]
fn removed_players_are_erased_and_strangers_are_not_found() {
    let mut game = Game::of_two();
    game.host(Command::Remove { player: player(1) });
    assert!(!text_of(&erased(&game.log, false).0).contains("Ann"));
    let mut log = game.log.clone();
    assert_eq!(erase(&mut log, Erasure { player: player(9), answers: true }), None);
    assert_eq!(log, game.log);
}

#[test]
fn an_answer_that_only_the_host_made_stays_empty() {
    let mut game = Game::of_two();
    game.host(Command::StartGame);
    game.host(release(1));
    game.host(Command::EndRound);
    game.host(overrule(1, 1, true));
    let (log, changed) = erased(&game.log, true);
    assert_eq!(changed, [1], "only the join");
    let state = State::replay(&log).unwrap();
    assert!(state.all_answers().all(|past| past.answer.text.is_empty() && past.answer.correct()));
}
