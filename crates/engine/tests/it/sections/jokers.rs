//! Jokers on an edge that jumps over events: the player is sent that it is played, and no other player is.

use quizhall_rules::{Change, Device, Pace, PlayOptions, State};
use serde_json::{Value, json};

use super::{OTHER, PLAIN, V1, to};
use crate::rim::Rim;
use crate::stage::{as_player, created, event, joined, player};

/// A lobby before a round with a joker.
fn lobby() -> State {
    let mut log = vec![created(), joined(1), joined(2), joined(3)];
    let Change::Created(whole) = &mut log[0].change else { panic!("not the creation") };
    whole.quiz.rounds[0].joker = true;
    State::replay(&log).unwrap()
}

fn update() -> Value {
    json!({"type": "joker_update", "payload": {"round": 1}})
}

#[test]
fn who_connects_or_missed_the_event_is_sent_it_as_well() {
    let mut rim = Rim::beside(lobby());
    let mut state = lobby();
    state.apply(&event(Change::JokerPlayed { player: player(1), round: 0, device: Device::FIRST }));
    let effects = rim.catch_up(11, state).taken();
    assert_eq!(to(&effects, V1), [update()]);
    assert_eq!((to(&effects, PLAIN), to(&effects, OTHER)), (vec![], vec![]));
    let shown = rim.attach_v1(V1 + 5, as_player(1));
    assert_eq!(to(&shown, V1 + 5).last(), Some(&update()));
    assert!(to(&rim.attach(PLAIN + 5, as_player(1)), PLAIN).is_empty());
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
