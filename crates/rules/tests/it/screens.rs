//! Screens: their tokens, and the settings of what they show.

use quizhall_rules::{Actor, Change, Command, OnScreens, Phase, Refusal, Screen, ScreenId, Setting, Slide, State};
use uuid::Uuid;

use crate::stage::{Game, player, question, submit, token};

pub fn screen(number: u8) -> ScreenId {
    ScreenId::from(Uuid::from_u128(0x5c00 + u128::from(number)))
}

pub fn added(number: u8) -> Screen {
    Screen { id: screen(number), token: token(number), at_ms: 1_000 }
}

pub fn add_screen(number: u8) -> Command {
    Command::AddScreen(added(number).into())
}

pub fn show(slide: Option<Slide>) -> Command {
    Command::Set(Setting::Screens(OnScreens { slide, blank: false, sound: true, language: Some("de".to_owned()) }))
}

#[test]
fn a_screen_is_found_by_its_token_until_it_is_removed() {
    let mut game = Game::in_phase(Phase::Question);
    game.host(add_screen(1));
    assert_eq!(game.host(add_screen(2)), Change::ScreenAdded(added(2)));
    assert_eq!(game.ask(Actor::Host, &add_screen(2)), Ok(None));
    assert_eq!(game.state.screens().by_token(&token(2)), Some(screen(2)));
    assert_eq!(game.host(Command::RemoveScreen { screen: screen(2) }), Change::ScreenRemoved { screen: screen(2) });
    assert_eq!(game.state.screens().by_token(&token(2)), None);
    assert_eq!(
        game.ask(Actor::Host, &add_screen(2)),
        Ok(None),
        "a screen that the host has removed is not added again"
    );
    assert_eq!(game.state.screens().by_token(&token(1)), Some(screen(1)));
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
}

#[test]
fn a_game_has_fifty_screens() {
    let mut game = Game::in_phase(Phase::Lobby);
    for number in 0..50 {
        game.host(add_screen(number));
    }
    assert_eq!(game.ask(Actor::Host, &add_screen(50)), Err(Refusal::TooManyScreens));
    game.host(Command::RemoveScreen { screen: screen(7) });
    game.host(add_screen(50));
}

#[test]
fn the_host_lets_spectators_watch_and_ends_it_in_every_phase() {
    let let_watch = |allowed| Command::Set(Setting::Spectators(allowed));
    for phase in Phase::ALL {
        let mut game = Game::in_phase(phase);
        assert!(!game.state.may_watch());
        assert_eq!(game.ask(Actor::Player(player(1)), &let_watch(true)), Err(Refusal::WrongRole));
        assert_eq!(game.host(let_watch(true)), Change::Set(Setting::Spectators(true)));
        assert!(game.state.may_watch() && State::replay(&game.log).unwrap() == game.state);
        assert_eq!(game.ask(Actor::Host, &let_watch(true)), Ok(None));
        game.host(let_watch(false));
        assert!(!game.state.may_watch());
    }
}

#[test]
fn the_slides_begin_again_with_the_scores_and_with_the_end() {
    let mut game = Game::in_phase(Phase::RoundReview);
    game.host(show(Some(Slide::Winner)));
    game.host(Command::ReleaseOwnScores);
    assert_eq!(
        game.state.on_screens(),
        &OnScreens { slide: None, blank: false, sound: true, language: Some("de".to_owned()) }
    );
    game.host(show(Some(Slide::Question(1))));
    game.host(Command::ShowStandings);
    assert_eq!(game.state.on_screens().slide, Some(Slide::Question(1)), "showing held standings releases nothing");
    game.host(Command::EndGame);
    assert_eq!(game.state.on_screens().slide, None);
    game.host(show(Some(Slide::Podium(2))));
    assert_eq!(game.ask(Actor::Host, &show(Some(Slide::Podium(2)))), Ok(None));
}

/// The host darkens the screens in any phase; the course of the game ends that, and nothing that players do.
#[test]
fn dark_screens_show_their_picture_with_the_next_step() {
    let dark = |slide| Command::Set(Setting::Screens(OnScreens { slide, blank: true, ..OnScreens::default() }));
    for phase in Phase::ALL {
        let mut game = Game::in_phase(phase);
        game.host(add_screen(1));
        game.host(dark(None));
        assert!(game.state.on_screens().blank, "{phase:?}");
        let number = game.state.step_number();
        if game.ask(Actor::Host, &Command::Next { number }).unwrap().is_some() {
            assert!(!game.state.on_screens().blank, "{phase:?}");
        } else {
            assert_eq!(phase, Phase::Ended, "every other phase has a step");
            game.host(show(None));
            assert!(!game.state.on_screens().blank);
        }
        assert_eq!(State::replay(&game.log).unwrap(), game.state);
    }
    let mut game = Game::in_phase(Phase::Question);
    game.host(dark(None));
    game.ask(Actor::Player(player(2)), &submit(1, "right")).unwrap();
    game.host(Command::SetCloseWhenAnswered { on: true });
    assert!(game.state.on_screens().blank, "neither is a step");
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    game.host(add_screen(1));
    game.host(dark(Some(Slide::Next)));
    assert!(game.state.on_screens().blank, "it turns the slides and darkens them");
}

#[test]
fn right_answers_and_choices_are_counted_without_removed_players() {
    let mut game = Game::in_phase(Phase::Question);
    let asked = game.state.question(question(1)).unwrap().clone();
    let right = game.state.right_answers(question(1));
    game.ask(Actor::Player(player(2)), &submit(1, "right")).unwrap();
    assert_eq!(game.state.right_answers(question(1)), right + 1);
    game.host(Command::Remove { player: player(2) });
    assert_eq!(game.state.right_answers(question(1)), right);
    assert_eq!(game.state.taken(&asked).len(), asked.choices.len());
}
