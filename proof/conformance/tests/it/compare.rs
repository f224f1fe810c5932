//! What counts as a difference: of messages, and of cells in a table of results.

#![allow(clippy::unwrap_used)]

use quizhall_conformance::csv::cells;
use quizhall_conformance::stage::compare::{paced, same};
use serde_json::json;

#[test]
fn numbers_are_compared_by_value_and_order_counts() {
    assert!(same(&[json!({"a": 1.0})], &[json!({"a": 1})]).is_ok());
    assert!(same(&[json!({"a": 1})], &[json!({"a": 2})]).is_err());
    assert!(same(&[json!(1), json!(2)], &[json!(2), json!(1)]).is_err());
}

#[test]
fn a_field_too_many_or_too_few_is_a_difference() {
    assert!(same(&[json!({"a": 1, "b": 1})], &[json!({"a": 1})]).is_err());
    assert!(same(&[json!({})], &[json!({"a": 1})]).is_err());
    assert!(same(&[json!({"a": 1, "roundScore": 3})], &[json!({"a": 1})]).is_ok());
    assert!(same(&[json!({"a": 1})], &[json!({"a": 1, "roundScore": 3})]).is_err());
}

#[test]
fn only_paced_messages_and_unordered_lists_have_freedom() {
    let answered = |ids: [u8; 2]| json!({"type": "players_answered", "payload": {"playerIds": ids}});
    let room = |whole: bool| json!({"type": "room_update", "payload": {"whole": whole}});
    let other = json!({"type": "round_ended"});
    assert!(paced(&[answered([1, 2]), other.clone()], &[other.clone(), answered([2, 1])]).is_ok());
    assert!(paced(&[room(false), other.clone()], &[other.clone(), room(false)]).is_ok());
    assert!(paced(&[room(true), other.clone()], &[other.clone(), room(true)]).is_err());
    assert!(paced(&[answered([1, 3])], &[answered([1, 2])]).is_err());
    assert!(paced(&[room(false), room(false)], &[room(false)]).is_err());
}

#[test]
fn a_timer_may_have_less_left_than_was_stated_and_never_more() {
    let left = |ms: u32| [json!({"type": "timer_update", "payload": {"remainingMs": ms}})];
    assert!(same(&left(59_000), &left(60_000)).is_ok() && same(&left(60_000), &left(60_000)).is_ok());
    assert!(same(&left(60_001), &left(60_000)).is_err() && same(&left(29_999), &left(60_000)).is_err());
}

#[test]
fn a_message_too_many_or_too_few_is_a_difference() {
    assert!(same(&[json!(1), json!(2)], &[json!(1)]).is_err());
    assert!(same(&[json!(1)], &[json!(1), json!(2)]).is_err());
}

#[test]
fn csv_is_read_as_rfc_4180_has_it() {
    let rows = cells("a,\"b\"\"c\"\r\n\"d,e\",\"f\ng\"\n").unwrap();
    assert_eq!(rows, [["a", "b\"c"], ["d,e", "f\ng"]]);
    assert!(cells("a\"b\n").is_err());
    assert!(cells("\"a").is_err());
}
