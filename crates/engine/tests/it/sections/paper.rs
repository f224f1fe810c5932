//! Players on paper as sockets see them: the host receives the entered answers, and other players see an ordinary
//! player.

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_engine::{Dialect, EdgeEffect, Participant};
use quizhall_protocol::from_host::{AddSeat, EnterAnswer};
use quizhall_rules::{Change, Device, DisplayName, PlayerId, Refusal, State, TokenHash};
use serde_json::{Value, json};

use super::{HOST, NOTHING, by_host, received, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, as_player, created, event, joined, player, question};

/// The sockets of player 1 (with the extension) and player 2 (without it).
const V1: u64 = 2;
const PLAIN: u64 = 3;

fn zoe() -> PlayerId {
    player(9)
}

fn seat() -> Change {
    Change::SeatAdded { player: zoe(), display_name: DisplayName::parse("Zoe").unwrap() }
}

fn entry(answer: &str) -> Change {
    let correct = answer.starts_with("key");
    let (player, question) = (zoe(), question(1));
    Change::AnswerEntered { player, question, answer: answer.into(), correct, near_miss: false, partial: 0 }
}

fn entered(answer: &str) -> Value {
    let answers = json!([{
        "playerId": zoe().uuid(),
        "displayName": "Zoe",
        "questionId": question(1).uuid(),
        "answer": answer,
        "correct": answer.starts_with("key"),
    }]);
    json!({"type": "answers_entered", "payload": {"answers": answers}})
}

fn playing() -> State {
    let mut log = vec![created(), joined(1), joined(2), event(seat()), event(Change::Started)];
    log.push(event(Change::QuestionReleased { question: question(1) }));
    log.push(answered(1, 1, "key1"));
    State::replay(&log).unwrap()
}

fn opened(state: State) -> Rim {
    let mut rim = Rim::at(state);
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.taken();
    rim
}

fn to_players(effects: &[EdgeEffect]) -> Vec<Value> {
    [received(effects, V1, Dialect::QuizhallV1), received(effects, PLAIN, Dialect::Interface)].concat()
}

#[test]
fn a_seat_in_the_lobby_is_in_every_list() {
    let mut rim = opened(State::replay(&[created(), joined(1), joined(2)]).unwrap());
    let mut effects = rim.commit(vec![by_host(seat(), 1)]).taken();
    effects.extend(rim.rest());
    let host = to_host(&effects);
    assert_eq!(types(&host), ["lobby_update", "room_update"]);
    let zoe = json!({"id": zoe().uuid(), "displayName": "Zoe", "status": "disconnected", "onPaper": true});
    assert_eq!(
        host[1]["payload"],
        json!({"whole": false, "players": [zoe], "total": 3, "connected": 2, "locked": false})
    );
    assert_eq!(types(&to_players(&effects)), ["lobby_update", "lobby_update"]);
    assert_eq!(to_players(&effects)[1]["payload"]["players"][2]["displayName"], "Zoe");
}

#[test]
fn an_answer_is_the_hosts_to_see_and_counts() {
    let mut rim = opened(playing());
    let mut effects = rim.commit(vec![by_host(entry("key"), 1)]).taken();
    effects.extend(rim.rest());
    let host = to_host(&effects);
    assert_eq!(types(&host), ["answers_entered", "players_answered", "scoreboard_update"]);
    assert_eq!((&host[0], &host[2]["payload"]["answerCount"]), (&entered("key"), &json!(2)));
    assert_eq!(to_players(&effects), NOTHING);
    let mut effects = rim.commit(vec![by_host(entry("other"), 2)]).taken();
    effects.extend(rim.rest());
    assert_eq!(to_host(&effects), [entered("other")], "a changed answer changes no count");
    let again = received(&rim.attach_v1(HOST + 5, Participant::Host), HOST + 5, Dialect::QuizhallV1);
    assert!(again.contains(&entered("other")), "{again:?}");
}

#[test]
fn in_the_review_the_answer_comes_alone_and_the_review_has_it() {
    let mut state = playing();
    state.apply(&event(Change::RoundEnded));
    let mut rim = opened(state);
    let mut effects = rim.commit(vec![by_host(entry("key"), 1)]).taken();
    effects.extend(rim.rest());
    assert_eq!(to_host(&effects), [entered("key")]);
    let again = received(&rim.attach_v1(HOST + 5, Participant::Host), HOST + 5, Dialect::QuizhallV1);
    let review = again.iter().find(|message| message["type"] == "round_review").unwrap();
    assert_eq!(review["payload"]["answers"].as_array().map(Vec::len), Some(2));
    assert!(!types(&again).contains(&"answers_entered"), "{again:?}");
}

#[test]
fn an_answer_that_was_marked_takes_its_marking_along() {
    let mut state = playing();
    state.apply(&event(Change::RoundEnded));
    state.apply(&event(Change::AnswerOverridden { player: zoe(), question: question(1), correct: true }));
    let mut rim = opened(state);
    let effects = rim.commit(vec![by_host(entry("other"), 1)]).taken();
    let host = to_host(&effects);
    assert_eq!(types(&host), ["answers_entered", "marking_update"]);
    assert_eq!(host[1]["payload"], json!({"undoable": 0}));
}

#[test]
fn the_phone_that_takes_the_seat_ends_it() {
    let mut rim = opened(playing());
    let moved = Change::SeatMoved { player: zoe(), device: Device::FIRST, token: TokenHash([91; 32]) };
    let mut effects = rim.commit(vec![event(moved)]).taken();
    effects.extend(rim.rest());
    let host = to_host(&effects);
    let zoe = json!({"id": zoe().uuid(), "displayName": "Zoe", "status": "disconnected"});
    assert_eq!((types(&host), &host[0]["payload"]["players"]), (vec!["room_update"], &json!([zoe])));
    let ordinary = Change::SeatMoved { player: player(2), device: Device::FIRST, token: TokenHash([92; 32]) };
    let mut effects = rim.commit(vec![event(ordinary)]).taken();
    effects.extend(rim.rest());
    assert_eq!(to_host(&effects), NOTHING, "of a seat that had a phone nothing is sent, as before");
}

#[test]
fn an_edge_that_missed_it_sends_what_is_so() {
    let mut rim = opened(playing());
    let mut state = playing();
    state.apply(&event(entry("key")));
    let mut effects = rim.catch_up(20, state).taken();
    effects.extend(rim.rest());
    let host = to_host(&effects);
    assert!(host.contains(&entered("key")), "{host:?}");
    assert_eq!(to_players(&effects), NOTHING);
}

#[test]
fn a_command_that_changes_nothing_is_confirmed_to_the_host() {
    let mut state = playing();
    state.apply(&event(entry("key")));
    let (player_id, question_id) = (zoe().uuid(), question(1).uuid());
    let enter = FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer: "key".to_owned() });
    assert_eq!(to_host(&opened(state.clone()).extension(enter).done(1)), [entered("key")]);
    let add = FromHost::AddSeat(AddSeat { display_name: "Zoe".to_owned() });
    let confirmed = to_host(&opened(state).extension(add).done(1));
    assert_eq!((types(&confirmed), &confirmed[0]["payload"]["players"]), (vec!["room_update"], &json!([])));
}

#[test]
fn a_full_game_and_an_answer_without_text_are_refused_with_the_reason() {
    let close = quizhall_engine::wire::close_for(Refusal::Full);
    assert_eq!((close.code, close.reason().as_str()), (CloseCode::InvalidPayload, "invalid_payload: game full"));
    let (player_id, question_id) = (zoe().uuid(), question(1).uuid());
    let enter = FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer: "a\u{7}b".to_owned() });
    assert_eq!(quizhall_engine::wire::command_of(&enter, 1), None);
}
