//! The fields of messages: exactly those of the interface, for exactly its receivers.

use quizhall_oracle::shape::check;
use quizhall_protocol::Dialect::{Interface, QuizhallV1};
use quizhall_protocol::Role;
use quizhall_protocol::messages::Direction;
use serde_json::{Value, json};

#[test]
fn the_examples_of_the_reference_pass_for_whom_they_are() {
    for direction in Direction::ALL.into_iter().filter(|direction| !direction.is_inbound()) {
        for described in direction.table() {
            let message: Value = serde_json::from_str(&described.example).unwrap();
            for role in [Role::Host, Role::Player] {
                let is_for = direction.is_of(role);
                // One name, two messages: neither passes as the other.
                assert_eq!(check(role, QuizhallV1, &message).is_ok(), is_for, "{role:?} {message}");
                assert_eq!(check(role, Interface, &message).is_ok(), is_for && described.row.since == Interface);
            }
        }
    }
}

#[test]
fn any_other_field_set_fails() {
    let id = "018f0000-0000-7000-8000-000000000001";
    let question = |field: &str, value: Value| {
        let mut question = json!({ "id": id, "text": "?", "type": "text", "points": 1 });
        question[field] = value;
        json!({ "type": "question_released", "payload": { "question": question } })
    };
    assert!(check(Role::Player, Interface, &question("choices", json!(["a", "b"]))).is_ok());
    for message in [
        question("choices", Value::Null),
        question("correctAnswers", json!(["x"])),
        question("points", json!(1.5)),
        question("points", json!(-1)),
        json!({ "type": "answer_accepted", "payload": { "questionId": id, "correct": true } }),
        json!({ "type": "answer_accepted", "payload": {} }),
        json!({ "type": "answer_accepted", "payload": { "questionId": "x" } }),
        json!({ "type": "round_ended", "payload": {} }),
        json!({ "type": "round_ended", "at": 1 }),
        json!({ "type": "something_new" }),
        json!([]),
    ] {
        assert!(check(Role::Player, Interface, &message).is_err(), "{message}");
    }
}
