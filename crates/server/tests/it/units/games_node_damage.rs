//! The memory of games whose log cannot be read, and of whether an operation works at present.

use quizhall::games::log::outage::Outage;
use quizhall::games::node::damage::Damaged;
use quizhall_rules::GameId;
use uuid::Uuid;

/// Most games that are remembered.
const MOST: usize = 4_096;

fn game(number: u128) -> GameId {
    GameId::from(Uuid::from_u128(number))
}

#[test]
fn a_damaged_game_is_refused_for_a_while_and_logged_once() {
    let damaged = Damaged::default();
    assert!(!damaged.is_refused(game(1)));
    assert!(damaged.note(game(1)) && !damaged.note(game(1)));
    assert!(damaged.is_refused(game(1)) && !damaged.is_refused(game(2)));
    damaged.forget(game(1));
    assert!(!damaged.is_refused(game(1)) && damaged.note(game(1)), "one that was readable meanwhile is logged anew");
    for number in 0..3 * MOST as u128 {
        damaged.note(game(number));
    }
    assert!((0..3 * MOST as u128).filter(|number| damaged.is_refused(game(*number))).count() <= MOST);
}

#[test]
fn an_outage_is_reported_once() {
    let outage = Outage::default();
    let reported = [false, true, true, true, false, false, true].map(|away| outage.note(away));
    assert_eq!(reported, [false, true, false, false, true, false, true]);
}
