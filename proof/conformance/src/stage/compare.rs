//! Whether what came is what the oracle says, with the freedom that the interface leaves and no more.

use anyhow::ensure;
use quizhall_protocol::ServerMessage;
use serde_json::{Value, json};

use crate::seat::brief;

/// A message as its JSON.
pub fn value(message: &ServerMessage) -> Value {
    json!(message)
}

/// Messages as their JSON.
pub fn values(messages: &[ServerMessage]) -> Vec<Value> {
    messages.iter().map(value).collect()
}

/// Compares what a socket received with what it must receive, with the freedom of [`paced`].
///
/// # Errors
/// The first difference.
pub fn received(got: &[Value], want: &[ServerMessage]) -> anyhow::Result<()> {
    paced(got, &values(want))
}

/// Compares messages: in order, save that changes of the room and the names of those who answered are paced by
/// themselves, that a list of players named in no order has none, and that `answered_status` comes whenever a second has passed.
///
/// # Errors
/// The first difference.
pub fn paced(got: &[Value], want: &[Value]) -> anyhow::Result<()> {
    for lane in [None, Some("room_update"), Some("players_answered")] {
        let on = |messages: &[Value]| -> Vec<Value> {
            messages.iter().filter(|message| lane_of(message) == lane).map(in_one_order).collect()
        };
        same(&on(got), &on(want))?;
    }
    Ok(())
}

fn lane_of(message: &Value) -> Option<&str> {
    match message["type"].as_str() {
        Some("room_update") if message["payload"]["whole"] == true => None,
        kind @ Some("room_update" | "players_answered" | "answered_status") => kind,
        _ => None,
    }
}

fn in_one_order(message: &Value) -> Value {
    let mut message = message.clone();
    for list in ["playerIds", "marks"] {
        if let Some(list) = message["payload"].get_mut(list).and_then(Value::as_array_mut) {
            list.sort_by_key(Value::to_string);
        }
    }
    message
}

/// Compares the messages in order.
///
/// # Errors
/// The first difference.
pub fn same(got: &[Value], want: &[Value]) -> anyhow::Result<()> {
    for (number, wanted) in want.iter().enumerate() {
        let found = got.get(number).cloned().unwrap_or_default();
        ensure!(equal(&found, wanted), "expected {}, got {}", brief(wanted), brief(&found));
    }
    ensure!(got.len() == want.len(), "expected nothing more, got {}", brief(&got[want.len()]));
    Ok(())
}

/// How much less time a timer may have left than was stated of it a moment ago, milliseconds.
const COUNTED: f64 = 30_000.0;

/// Whether the time left is at most the stated one.
fn is_time_left(got: &Value, want: &Value) -> bool {
    let (Some(got), Some(want)) = (got.as_f64(), want.as_f64()) else { return false };
    got <= want && got + COUNTED >= want
}

/// Numbers by value, and an entry of a board with or without the additive `roundScore` unless it is expected.
fn equal(got: &Value, want: &Value) -> bool {
    match (got, want) {
        (Value::Number(got), Value::Number(want)) => got.as_f64() == want.as_f64(),
        (Value::Array(got), Value::Array(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| equal(got, want))
        }
        (Value::Object(got), Value::Object(want)) => {
            let extra = got.keys().filter(|key| !want.contains_key(*key)).all(|key| key == "roundScore");
            let same = |key: &str, got: &Value, want: &Value| match key {
                "remainingMs" | "extraMs" => is_time_left(got, want),
                _ => equal(got, want),
            };
            extra && want.iter().all(|(key, want)| got.get(key).is_some_and(|got| same(key, got, want)))
        }
        (got, want) => got == want,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{paced, same};

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
}
