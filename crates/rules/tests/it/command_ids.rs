//! Repeated and late messages: each message counts once, and the newest connection decides. `against_model.rs` has that for every
//! sender.

use quizhall_rules::{Actor, Command, Phase, Setting};

use crate::stage::{Game, command_id, player, question, release, submit};

fn ann() -> Actor {
    Actor::Player(player(1))
}

fn answer(game: &Game) -> &str {
    &game.state.answer_of(player(1), question(1)).unwrap().text
}

#[test]
fn a_command_with_a_known_id_is_done_already() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.decided_with_id(ann(), Some(command_id(1, 5)), &submit(1, "first")).unwrap().is_some());
    for number in [5, 4, 0] {
        assert_eq!(game.decided_with_id(ann(), Some(command_id(1, number)), &submit(1, "older")), Ok(None));
    }
    assert_eq!(answer(&game), "first");
    assert!(game.decided_with_id(ann(), Some(command_id(1, 6)), &submit(1, "second")).unwrap().is_some());
    assert_eq!(answer(&game), "second");
}

#[test]
fn commands_of_the_service_have_no_id() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.decided_with_id(Actor::Host, Some(command_id(4, 2)), &release(2)).unwrap().is_some());
    let event = game
        .decided_with_id(Actor::Service, Some(command_id(1, 1)), &Command::Set(Setting::Locked(true)))
        .unwrap()
        .unwrap();
    assert_eq!(event.command_id, None);
    assert_eq!(game.state.last_host_command(quizhall_rules::Device::FIRST), Some(command_id(4, 2)));
    // Without a command id there is no such check.
    assert!(game.decided_with_id(Actor::Host, None, &Command::EndRound).unwrap().is_some());
    assert_eq!(game.state.last_host_command(quizhall_rules::Device::FIRST), Some(command_id(4, 2)));
}
