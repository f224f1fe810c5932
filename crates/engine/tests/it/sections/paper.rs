//! Players on paper: what an edge that jumps over events sends the host, and entries that are refused.

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_engine::{Dialect, EdgeEffect};
use quizhall_protocol::from_host::EnterAnswer;
use quizhall_rules::{Change, DisplayName, PlayerId, Refusal, State};
use serde_json::{Value, json};

use super::{NOTHING, PLAIN, V1, received, to_host};
use crate::rim::Rim;
use crate::stage::{answered, created, event, joined, player, question};

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

fn to_players(effects: &[EdgeEffect]) -> Vec<Value> {
    [received(effects, V1, Dialect::QuizhallV1), received(effects, PLAIN, Dialect::Interface)].concat()
}

#[test]
fn an_edge_that_missed_it_sends_what_is_so() {
    let mut rim = Rim::beside_two(playing());
    let mut state = playing();
    state.apply(&event(entry("key")));
    let mut effects = rim.catch_up(20, state).taken();
    effects.extend(rim.rest());
    let host = to_host(&effects);
    assert!(host.contains(&entered("key")), "{host:?}");
    assert_eq!(to_players(&effects), NOTHING);
}

#[test]
fn a_full_game_and_an_answer_without_text_are_refused_with_the_reason() {
    let close = quizhall_engine::wire::close_for(Refusal::Full);
    assert_eq!((close.code, close.reason().as_str()), (CloseCode::InvalidPayload, "invalid_payload: game full"));
    let (player_id, question_id) = (zoe().uuid(), question(1).uuid());
    let enter = FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer: "a\u{7}b".to_owned() });
    assert_eq!(quizhall_engine::wire::command_of(&enter, 1), None);
}
