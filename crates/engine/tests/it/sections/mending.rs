//! Edited and withdrawn questions and new names on an edge that jumps over events.

use quizhall_engine::{Dialect, EdgeEffect};
use quizhall_rules::{Change, DisplayName, QuestionEdit, State};
use serde_json::{Value, json};

use super::{PLAIN, V1, received, to_host};
use crate::rim::Rim;
use crate::stage::{answered, created, event, joined, player, question};

fn playing() -> State {
    let mut log = vec![created(), joined(1), joined(2), event(Change::Started)];
    log.push(event(Change::QuestionReleased { question: question(1) }));
    log.push(answered(1, 1, "key1"));
    State::replay(&log).unwrap()
}

fn to(effects: &[EdgeEffect], connection: u64) -> Vec<Value> {
    let dialect = if connection == PLAIN { Dialect::Interface } else { Dialect::QuizhallV1 };
    received(effects, connection, dialect)
}

fn edit(number: u64, text: &str) -> Change {
    let edit = QuestionEdit { question: question(number), text: Some(text.to_owned()), choices: None, accepted: None };
    Change::QuestionEdited(edit.into())
}

fn withdrawal(number: u64) -> Change {
    Change::QuestionWithdrawn { question: question(number) }
}

fn renaming() -> Change {
    Change::PlayerRenamed { player: player(1), display_name: DisplayName::parse("Zoe").unwrap() }
}

fn edited(number: u64, text: &str, corrected: bool) -> Value {
    let payload = json!({"questionId": question(number).uuid(), "text": text, "corrected": corrected});
    json!({"type": "question_edited", "payload": payload})
}

fn withdrawn(number: u64) -> Value {
    json!({"type": "question_withdrawn", "payload": {"questionId": question(number).uuid()}})
}

fn renamed() -> Value {
    json!({"type": "player_renamed", "payload": {"id": player(1).uuid(), "displayName": "Zoe"}})
}

#[test]
fn an_edge_that_missed_it_sends_what_is_so() {
    let mut rim = Rim::beside_two(playing());
    let mut state = playing();
    for change in [edit(1, "What?"), edit(2, "Which?"), withdrawal(1), renaming()] {
        state.apply(&event(change));
    }
    let effects = rim.catch_up(20, state).taken();
    let of_round = [edited(1, "What?", true), withdrawn(1)];
    assert!(of_round.iter().all(|message| to(&effects, V1).contains(message)), "{:?}", to(&effects, V1));
    assert!(to(&effects, V1).contains(&renamed()) && !to(&effects, V1).contains(&edited(2, "Which?", false)));
    let host = to_host(&effects);
    let mut unreleased = edited(2, "Which?", false);
    unreleased["payload"]["accepted"] = json!(["key2"]);
    assert!(host.contains(&unreleased) && host.contains(&renamed()), "{host:?}");
    assert!(to(&effects, PLAIN).is_empty());
}
