//! Resends and delayed duplicates: each message counts once, and the newest connection has the last word.

use quizhall_rules::{Actor, Command, Phase, Refusal};

use crate::stage::{Game, player, question, release, stamp, submit};

fn ann() -> Actor {
    Actor::Player(player(1))
}

fn answer(game: &Game) -> &str {
    &game.state.answer_of(player(1), question(1)).unwrap().text
}

#[test]
fn a_message_with_a_known_stamp_is_done_already() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.stamped(ann(), Some(stamp(1, 5)), &submit(1, "first")).unwrap().is_some());
    for number in [5, 4, 0] {
        assert_eq!(game.stamped(ann(), Some(stamp(1, number)), &submit(1, "older")), Ok(None));
    }
    assert_eq!(answer(&game), "first");
    assert!(game.stamped(ann(), Some(stamp(1, 6)), &submit(1, "second")).unwrap().is_some());
    assert_eq!(answer(&game), "second");
}

#[test]
fn an_older_connection_is_superseded() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.stamped(ann(), Some(stamp(2, 1)), &submit(1, "new")).unwrap().is_some());
    assert_eq!(game.stamped(ann(), Some(stamp(1, 9)), &submit(1, "old")), Err(Refusal::Superseded));
    assert_eq!(answer(&game), "new");
    assert!(game.stamped(ann(), Some(stamp(3, 1)), &submit(1, "newest")).unwrap().is_some());
}

#[test]
fn the_stamp_is_looked_at_before_role_and_phase() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.stamped(ann(), Some(stamp(2, 1)), &submit(1, "new")).unwrap().is_some());
    game.host(Command::EndRound);
    assert_eq!(game.stamped(ann(), Some(stamp(2, 1)), &submit(1, "new")), Ok(None));
    assert_eq!(game.stamped(ann(), Some(stamp(1, 1)), &Command::EndRound), Err(Refusal::Superseded));
    assert_eq!(game.stamped(ann(), Some(stamp(2, 2)), &submit(1, "new")), Err(Refusal::WrongPhase));
}

#[test]
fn each_participant_has_a_stamp_of_their_own() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.stamped(ann(), Some(stamp(9, 9)), &submit(1, "a")).unwrap().is_some());
    assert!(game.stamped(Actor::Player(player(2)), Some(stamp(1, 1)), &submit(1, "b")).unwrap().is_some());
    assert!(game.stamped(Actor::Host, Some(stamp(4, 2)), &release(2)).unwrap().is_some());
    assert_eq!(game.state.last_stamp_of(player(1)), Some(stamp(9, 9)));
    assert_eq!(game.state.last_stamp_of(player(2)), Some(stamp(1, 1)));
    assert_eq!(game.state.host_stamp(), Some(stamp(4, 2)));
    assert_eq!(game.stamped(Actor::Host, Some(stamp(4, 2)), &Command::EndRound), Ok(None));
    assert_eq!(game.stamped(Actor::Host, Some(stamp(3, 7)), &Command::EndRound), Err(Refusal::Superseded));
}

#[test]
fn the_service_leaves_no_stamp_and_needs_none() {
    let mut game = Game::in_phase(Phase::Question);
    assert!(game.stamped(Actor::Host, Some(stamp(4, 2)), &release(2)).unwrap().is_some());
    let event = game.stamped(Actor::Service, Some(stamp(1, 1)), &Command::SetLocked { locked: true }).unwrap().unwrap();
    assert_eq!(event.stamp, None);
    assert_eq!(game.state.host_stamp(), Some(stamp(4, 2)));
    // Without a stamp nothing is compared.
    assert!(game.stamped(Actor::Host, None, &Command::EndRound).unwrap().is_some());
    assert_eq!(game.state.host_stamp(), Some(stamp(4, 2)));
}
