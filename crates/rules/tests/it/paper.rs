//! Players on paper: their tokens, nearest answers, counts and erasure. Who may be seated, and what the host may enter, is in
//! `against_model.rs`.

use quizhall_rules::{
    Actor, Change, Command, Device, Erasure, Phase, PlayerId, QuestionKind, Refusal, SeatCode, SeatMove, State, erase,
};

use crate::stage::{Game, add_seat, enter, mark_all, player, question, quiz, release, token};

/// Adds a player on paper to a game; returns the player's id.
fn seated(game: &mut Game, name: &str) -> PlayerId {
    let Change::SeatAdded { player, .. } = game.host(add_seat(name)) else { panic!("no seat") };
    player
}

/// A game in this phase, like [`Game::in_phase`], with a player on paper.
fn with_zoe(phase: Phase) -> (Game, PlayerId) {
    let mut game = Game::in_phase(phase);
    let zoe = seated(&mut game, "Zoe");
    (game, zoe)
}

fn replays(game: &Game) {
    assert!(State::replay(&game.log).unwrap() == game.state);
    let text = serde_json::to_string(&game.state).unwrap();
    assert!(serde_json::from_str::<State>(&text).unwrap() == game.state);
}

#[test]
fn no_token_opens_the_seat() {
    let (mut game, zoe) = with_zoe(Phase::Lobby);
    seated(&mut game, "Yara");
    assert_eq!(game.ask(Actor::Host, &add_seat(" ")), Err(Refusal::UnfitName));
    assert_eq!(game.state.player_by_token(&token(0)), None);
    game.host(Command::Remove { player: zoe });
    assert!(!game.state.is_removed_token(&token(0)));
    replays(&game);
}

#[test]
fn a_player_with_a_phone_answers_with_it() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    game.host(enter(zoe, 1, "wrong"));
    let code = SeatCode { player: zoe, device: Device::FIRST, code: token(90), at_ms: 0 };
    game.host(Command::IssueSeatCode(code.into()));
    game.service(Command::MoveSeat(SeatMove { code: token(90), token: token(91), at_ms: 1 }.into()));
    assert_eq!(game.state.player_by_token(&token(91)).map(|player| player.id), Some(zoe));
    assert_eq!(game.ask(Actor::Host, &enter(zoe, 1, "right")), Err(Refusal::UnknownPlayer));
    assert_eq!(game.state.entered_answers().count(), 0);
    game.service(Command::Return { player: zoe, device: Device::FIRST });
    assert_eq!((game.state.connected_count(), game.state.answered_by(zoe).len()), (3, 1));
    replays(&game);
}

#[test]
fn an_answer_that_is_entered_in_the_review_can_be_the_nearest() {
    let mut quiz = quiz(1, 1);
    let asked = &mut quiz.rounds[0].questions[0];
    (asked.kind, asked.accepted) = (QuestionKind::Nearest, vec!["100".into()]);
    let mut game = Game::answered(quiz, &["90"]);
    let zoe = seated(&mut game, "Zoe");
    assert_eq!(game.state.nearest_answers(), [(question(1), player(1))]);
    game.host(enter(zoe, 1, "99"));
    assert_eq!(game.state.nearest_answers(), [(question(1), zoe)]);
    game.host(enter(zoe, 1, "80"));
    assert_eq!(game.state.nearest_answers(), [(question(1), player(1))]);
}

#[test]
fn those_without_a_phone_count_among_the_asked_once_they_have_answered() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    seated(&mut game, "Yara");
    let asked = |game: &Game| game.state.asked_in(0).map(|(_, players)| players).collect::<Vec<_>>();
    assert_eq!(asked(&game), [2]);
    game.host(enter(zoe, 1, "right"));
    game.host(release(2));
    assert_eq!(asked(&game), [3, 2]);
    game.host(Command::EndRound);
    game.host(enter(zoe, 2, "right"));
    assert_eq!(asked(&game), [3, 3]);
}

#[test]
fn an_erased_player_leaves_neither_name_nor_answer() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    game.host(enter(zoe, 1, "canary"));
    for step in [Command::EndRound, mark_all(1, &["canary"], true), Command::ReleaseScores, Command::EndGame] {
        game.host(step);
    }
    let changed = erase(&mut game.log, Erasure { player: zoe, answers: true }).unwrap();
    let text = serde_json::to_string(&game.log).unwrap();
    assert!(!text.contains("Zoe") && !text.contains("canary"), "{text}");
    let replayed = State::replay(&game.log).unwrap();
    assert_eq!(replayed.player(zoe).map(|player| player.display_name.as_str()), Some("Player 3"));
    assert_eq!(replayed.board().standing_of(zoe).map(|line| line.score), Some(100));
    assert_eq!((changed.len(), erase(&mut game.log, Erasure { player: zoe, answers: true })), (3, Some(Vec::new())));
}
