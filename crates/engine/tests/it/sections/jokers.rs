//! A joker that comes back to its player, because the rounds are others.

use quizhall_rules::{Change, Device, Pace, PlayOptions, State};
use serde_json::json;

use super::{OTHER, PLAIN, V1, to};
use crate::rim::Rim;
use crate::stage::{created, event, joined, player};

/// A lobby before a round with a joker.
fn lobby() -> State {
    let mut log = vec![created(), joined(1), joined(2), joined(3)];
    let Change::Created(whole) = &mut log[0].change else { panic!("not the creation") };
    whole.quiz.rounds[0].joker = true;
    State::replay(&log).unwrap()
}

#[test]
fn a_player_is_sent_that_the_joker_came_back() {
    let mut state = lobby();
    let joker = event(Change::JokerPlayed { player: player(1), round: 0, device: Device::FIRST });
    state.apply(&joker);
    let mut rim = Rim::beside(state);
    let options = PlayOptions { pace: Pace::Question, ..PlayOptions::default() };
    let effects = rim.commit(vec![event(Change::OptionsSet(options.into()))]).taken();
    let taken_back = json!({"type": "joker_update", "payload": {}});
    assert_eq!(to(&effects, V1).last(), Some(&taken_back));
    assert!(!to(&effects, PLAIN).contains(&taken_back) && !to(&effects, OTHER).contains(&taken_back));
}
