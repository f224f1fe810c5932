//! Joining under a key and a name, and being banned. Locked and full games, presence and removal are in `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Event, Join, Refusal, Setting, State, decide};

use crate::stage::{Game, from, join, player, quiz, token};

fn ask(game: &mut Game, join: Join) -> Result<bool, Refusal> {
    game.ask(Actor::Service, &Command::Join(join.into())).map(|event| event.is_some())
}

#[test]
fn a_repeated_join_gives_the_same_player() {
    let mut game = Game::new(quiz(1, 1));
    let first = Join { idempotency: Some(token(50)), ..join(1, "Ann") };
    assert_eq!(ask(&mut game, first.clone()), Ok(true));
    assert_eq!(ask(&mut game, first.clone()), Ok(false));
    assert_eq!(game.state.player_by_idempotency(&token(50)).unwrap().id, player(1));
    assert_eq!(game.state.player_by_token(&token(1)).unwrap().id, player(1));
    // Repeating the join works even after the game was locked.
    game.host(Command::Set(Setting::Locked(true)));
    assert_eq!(ask(&mut game, first.clone()), Ok(false));
    assert_eq!(game.state.player_count(), 1);

    let other_token = Join { token: token(9), ..first.clone() };
    assert_eq!(ask(&mut game, other_token), Err(Refusal::IdempotencyMismatch));
    let other_player = Join { player: player(2), token: token(9), ..first };
    assert_eq!(ask(&mut game, other_player), Err(Refusal::IdempotencyMismatch));
}

#[test]
fn names_that_look_alike_do_not_meet() {
    let mut game = Game::new(quiz(1, 1));
    game.joins(1, "Ann Lee");
    for name in ["Ann Lee", "ann lee", "ANN  LEE", "AnnLee", "Аnn Lee", "Ａnn Lee"] {
        assert_eq!(ask(&mut game, join(2, name)), Err(Refusal::NameTaken), "{name}");
    }
    for (number, name) in [(2, "Anna Lee"), (3, "Ann Lea"), (4, "Ann Lee 2")] {
        assert_eq!(ask(&mut game, join(number, name)), Ok(true), "{name}");
    }
    game.joins(5, "Paul");
    assert_eq!(ask(&mut game, join(6, "PauI")), Err(Refusal::NameTaken), "alike as written");
    game.host(Command::Remove { player: player(5) });
    assert_eq!(ask(&mut game, join(6, "PauI")), Ok(true));
    assert_eq!(ask(&mut game, join(7, "paul")), Err(Refusal::NameTaken), "in both directions");
}

/// Names are compared only when a player joins, never when a log is read.
#[test]
fn a_log_from_before_a_comparison_replays_and_keeps_every_name() {
    let mut game = Game::new(quiz(1, 1));
    game.joins(1, "Paul");
    let mut log = game.log.clone();
    let alike = join(2, "PauI");
    let change = Change::Joined {
        player: alike.player,
        display_name: alike.display_name,
        token: alike.token,
        idempotency: None,
        team: None,
    };
    log.push(Event::new(change, None));
    let verdict = |log: &[Event], number| {
        let state = State::replay(log).unwrap();
        decide(&state, from(Actor::Service), &Command::Join(join(number, "Paul").into())).map(|event| event.is_some())
    };
    assert_eq!(State::replay(&log).unwrap().player_count(), 2);
    for (number, left) in [(1, Err(Refusal::NameTaken)), (2, Ok(true))] {
        log.push(Event::new(Change::PlayerRemoved { player: player(number), banned: false }, None));
        assert_eq!(verdict(&log, 3), left, "player {number} was removed");
    }
}

#[test]
fn a_banned_player_is_known_by_token_also_when_removed_before() {
    let mut game = Game::of_two();
    assert_eq!(
        game.host(Command::Ban { player: player(1) }),
        Change::PlayerRemoved { player: player(1), banned: true }
    );
    assert!(game.state.is_removed(player(1)) && game.state.is_banned_token(&token(1)));
    game.host(Command::Remove { player: player(2) });
    assert!(game.state.is_removed_token(&token(2)) && !game.state.is_banned_token(&token(2)));
    assert!(game.state.player_by_token(&token(2)).is_none());
    game.host(Command::Ban { player: player(2) });
    assert!(game.state.is_banned_token(&token(2)));
    for player in [player(1), player(2)] {
        assert_eq!(game.ask(Actor::Host, &Command::Ban { player }), Ok(None));
        assert_eq!(game.ask(Actor::Host, &Command::Remove { player }), Ok(None));
    }
    assert_eq!(game.ask(Actor::Host, &Command::Ban { player: player(9) }), Err(Refusal::UnknownPlayer));
    assert!(State::replay(&game.log).unwrap() == game.state);
}
