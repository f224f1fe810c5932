//! Jokers as sockets see them: the player receives a confirmation, the host sees the joker in the room, and no other
//! socket receives anything.

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{ConnectionId, Message, ToEdge};
use quizhall_rules::{Change, Device, Event, State};
use serde_json::{Value, json};

use super::{OTHER, PLAIN, V1, by_host, to, to_host, types};
use crate::rim::{ALL, Rim};
use crate::stage::{as_player, command_id, created, event, joined, player, question};

/// A lobby before a round with a joker.
fn lobby() -> State {
    let mut log = vec![created(), joined(1), joined(2), joined(3)];
    let Change::Created(whole) = &mut log[0].change else { panic!("not the creation") };
    whole.quiz.rounds[0].joker = true;
    State::replay(&log).unwrap()
}

fn played(number: u64) -> Event {
    let change = Change::JokerPlayed { player: player(1), round: 0, device: Device::FIRST };
    Event::new(change, Some(command_id(100 + V1, number)))
}

fn update() -> Value {
    json!({"type": "joker_update", "payload": {"round": 1}})
}

fn plays(rim: &mut Rim) {
    rim.message(V1, Message::Player(FromPlayer::PlayJoker), ALL).taken();
}

#[test]
fn a_joker_is_shown_to_its_player_and_to_the_host() {
    let mut rim = Rim::beside(lobby());
    plays(&mut rim);
    let effects = rim.commit(vec![played(1)]).taken();
    assert_eq!(to(&effects, V1), [update()]);
    assert_eq!((to(&effects, PLAIN), to(&effects, OTHER)), (vec![], vec![]));
    let host = to_host(&effects);
    assert_eq!(types(&host), ["room_update"]);
    assert_eq!(host[0]["payload"]["players"][0]["joker"], 1);
}

#[test]
fn a_second_one_is_answered_with_what_is_so() {
    let mut rim = Rim::beside(lobby());
    plays(&mut rim);
    rim.commit(vec![played(1)]).taken();
    plays(&mut rim);
    let (connection, seq) = (ConnectionId(V1), rim.seq);
    let done = rim.say(ToEdge::Done { connection, command_id: command_id(100 + V1, 2), seq }).taken();
    assert_eq!((to(&done, V1), to_host(&done)), (vec![update()], vec![]));
}

#[test]
fn the_round_is_offered_until_its_first_question() {
    let mut rim = Rim::beside(lobby());
    let shown = rim.attach_v1(V1 + 5, as_player(1));
    let offer = json!({"type": "joker_round", "payload": {"round": 1}});
    assert_eq!(to(&shown, V1 + 5)[2], offer);
    let effects = rim.commit(vec![by_host(Change::Started, 1)]).taken();
    assert_eq!(types(&to(&effects, OTHER)), ["game_started", "round_started"], "it goes on");
    let effects = rim.commit(vec![by_host(Change::QuestionReleased { question: question(1) }, 2)]).taken();
    assert_eq!(types(&to(&effects, OTHER)), ["joker_round", "question_released"]);
    assert_eq!(to(&effects, OTHER)[0]["payload"], json!({}));
    assert_eq!(types(&to(&effects, PLAIN)), ["question_released"]);
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
