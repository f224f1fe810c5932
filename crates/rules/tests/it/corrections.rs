//! Corrected marks: what a correction stores, and the appeals that no one may make yet. That a correction ends in the game that a
//! right review would have made is in `what_if.rs`; who may correct and appeal when, and the points, in `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Phase, Refusal, State};

use crate::stage::{Game, correct_marks, credit, halved, player, question, quiz, release};

#[test]
fn a_correction_stores_the_players_whom_it_concerns_and_what_they_earn() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    let stored = |players: &[u8], correct, partial| Change::MarksCorrected {
        question: question(1),
        players: players.iter().map(|number| player(*number)).collect(),
        correct,
        partial,
    };
    let half = halved(correct_marks(1, &["wrong"], false));
    assert_eq!(game.host(correct_marks(1, &["wrong", "right", "never given"], true)), stored(&[2], true, 0));
    assert_eq!(game.host(half.clone()), stored(&[2], false, 50));
    assert_eq!(game.ask(Actor::Host, &half), Ok(None), "it has half already");
    assert_eq!(game.host(halved(correct_marks(1, &["wrong"], true))), stored(&[2], true, 0), "all of them instead");
    assert_eq!(game.host(halved(credit(1, &[1, 2], false))), stored(&[1, 2], false, 50));
    assert!(State::replay(&game.log).unwrap() == game.state);
}

#[test]
fn no_one_appeals_about_scores_that_phones_have_not_been_shown() {
    let mut game = Game::new(quiz(1, 1));
    let Change::Created(created) = &mut game.log[0].change else { panic!("not the creation") };
    created.options.phones_after_screen = true;
    game.state = State::created(created);
    game.joins(1, "Ann");
    for command in [Command::StartGame, release(1), Command::EndRound, Command::ReleaseScores] {
        game.host(command);
    }
    let appeal = Command::Appeal { question: question(1), text: Some("Look again".to_owned()) };
    let asks = |game: &mut Game| game.ask(Actor::Player(player(1)), &appeal);
    assert_eq!(asks(&mut game), Err(Refusal::UnknownQuestion));
    game.host(Command::ShowStandings);
    assert!(asks(&mut game).unwrap().is_some());
}
