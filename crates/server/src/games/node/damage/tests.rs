//! Unit tests of `games::node::damage`.

use uuid::Uuid;

use super::*;

#[test]
fn a_damaged_game_is_refused_for_a_while_and_logged_once() {
    let damaged = Damaged::default();
    let (game, other) = (GameId::from(Uuid::from_u128(1)), GameId::from(Uuid::from_u128(2)));
    assert!(!damaged.is_refused(game));
    assert!(damaged.note(game) && !damaged.note(game));
    assert!(damaged.is_refused(game) && !damaged.is_refused(other));
    damaged.forget(game);
    assert!(!damaged.is_refused(game) && damaged.note(game), "one that was readable meanwhile is logged anew");
}

#[test]
fn the_number_of_remembered_games_is_bounded() {
    let damaged = Damaged::default();
    for number in 0..3 * MOST as u128 {
        damaged.note(GameId::from(Uuid::from_u128(number)));
    }
    assert!(damaged.lock().len() <= MOST);
}
