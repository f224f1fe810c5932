//! Players on paper: seats without a phone, and the answers that the host enters.

use quizhall_rules::{
    Actor, Change, Command, Device, Erasure, NewSeat, Phase, PlayerId, QuestionKind, Refusal, SeatCode, SeatMove,
    Setting, State, erase,
};

use crate::stage::{Game, accept, add_seat, enter, mark_all, player, question, quiz, release, token};

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
fn a_player_on_paper_is_listed_and_never_connected() {
    let (mut game, zoe) = with_zoe(Phase::Lobby);
    let seat = game.state.player(zoe).unwrap();
    assert!(seat.present && !seat.connected && seat.on_paper);
    assert_eq!((game.state.lobby().count(), game.state.connected_count()), (3, 2));
    for command in [Command::Leave { player: zoe, device: Device::FIRST }, add_seat("Zoe")] {
        let actor = if matches!(command, Command::AddSeat(_)) { Actor::Host } else { Actor::Service };
        assert_eq!(game.ask(actor, &command), Ok(None), "{command:?}");
    }
    game.host(Command::StartGame);
    assert!(game.state.player(zoe).is_some_and(|player| player.present));
    replays(&game);
}

#[test]
fn no_token_opens_the_seat() {
    let (mut game, zoe) = with_zoe(Phase::Lobby);
    seated(&mut game, "Yara");
    assert_eq!(game.state.player_by_token(&token(0)), None);
    game.host(Command::Remove { player: zoe });
    assert!(!game.state.is_removed_token(&token(0)));
    replays(&game);
}

#[test]
fn ids_differ_and_are_given_once() {
    let (mut game, zoe) = with_zoe(Phase::Lobby);
    game.host(Command::Remove { player: zoe });
    let again = seated(&mut game, "Zoe");
    assert_ne!(zoe, again);
    assert_eq!(game.state.all_players().filter(|player| [zoe, again].contains(&player.id)).count(), 2);
}

#[test]
fn a_locked_game_takes_the_seat_and_a_full_one_does_not() {
    let mut game = Game::of_two();
    game.host(Command::Set(Setting::Locked(true)));
    let limited = |name: &str, player_limit| Command::AddSeat(NewSeat { name: name.into(), player_limit }.into());
    assert_eq!(game.ask(Actor::Host, &limited("Zoe", 2)), Err(Refusal::Full));
    game.host(limited("Zoe", 3));
    for (name, refusal) in [("ZOE", Refusal::NameTaken), ("Ann", Refusal::NameTaken), (" ", Refusal::UnfitName)] {
        assert_eq!(game.ask(Actor::Host, &add_seat(name)), Err(refusal), "{name}");
    }
}

#[test]
fn entered_answers_are_marked_and_scored_as_others_are() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    game.host(enter(zoe, 1, "wrong"));
    assert_eq!(game.ask(Actor::Host, &enter(zoe, 1, "wrong")), Ok(None), "the same again");
    assert_eq!(game.state.answer_count(question(1)), 3);
    game.host(Command::EndRound);
    game.host(enter(zoe, 1, "Right!"));
    game.host(Command::ReleaseScores);
    let ranks: Vec<_> = game.board().into_iter().map(|(name, score, ..)| (name, score)).collect();
    assert_eq!(ranks, [("Ann".into(), 100), ("Zoe".into(), 100), ("Bob".into(), 0)]);
    assert_eq!(game.ask(Actor::Host, &enter(zoe, 1, "late")), Err(Refusal::WrongPhase));
    replays(&game);
}

#[test]
fn a_closed_question_takes_what_is_entered_and_a_withdrawn_one_does_not() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    game.state.apply(&quizhall_rules::Event::new(Change::QuestionClosed { question: question(1) }, None));
    game.host(enter(zoe, 1, "right"));
    game.host(Command::WithdrawQuestion { question: question(1) });
    assert_eq!(game.ask(Actor::Host, &enter(zoe, 1, "other")), Err(Refusal::UnknownQuestion));
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
fn a_marking_of_a_replaced_answer_cannot_be_undone() {
    let (mut game, zoe) = with_zoe(Phase::RoundReview);
    game.host(overrule_of(zoe, true));
    game.host(enter(zoe, 1, "wrong"));
    assert_eq!(game.state.undoable(None), 0);
    game.host(mark_all(1, &["wrong"], true));
    game.host(enter(zoe, 1, "other"));
    assert_eq!(game.state.undoable(None), 1, "Bob's answer has the same text");
    game.host(Command::UndoMarking);
    let answers: Vec<_> = game.review().into_iter().map(|(name, _, answer, correct)| (name, answer, correct)).collect();
    assert_eq!(answers, [("Ann", "right", true), ("Bob", "wrong", false), ("Zoe", "other", false)]);
    replays(&game);
}

fn overrule_of(who: PlayerId, correct: bool) -> Command {
    Command::OverrideAnswer { player: who, question: question(1), correct }
}

#[test]
fn the_changed_key_marks_what_is_entered() {
    let (mut game, zoe) = with_zoe(Phase::Question);
    game.host(accept(1, "other", true));
    game.host(enter(zoe, 1, "Other!"));
    assert!(game.state.answer_of(zoe, question(1)).is_some_and(quizhall_rules::Answer::correct));
    game.host(Command::UndoMarking);
    assert!(!game.state.answer_of(zoe, question(1)).is_some_and(quizhall_rules::Answer::correct));
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
