//! Compares received messages with those of the oracle, with the freedom that the interface leaves and no more.

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

/// Compares messages in order, with two exceptions: changes of the room and the names of players who answered are paced on
/// their own, and a list of players without a defined order is compared without order.
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
        kind @ Some("room_update" | "players_answered") => kind,
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

/// How much less time a timer may have left than was stated a moment ago, milliseconds.
const COUNTED: f64 = 30_000.0;

/// Whether the time left is at most the stated one.
fn is_time_left(got: &Value, want: &Value) -> bool {
    let (Some(got), Some(want)) = (got.as_f64(), want.as_f64()) else { return false };
    got <= want && got + COUNTED >= want
}

/// Compares numbers by value, and accepts an entry of a board with the additional `roundScore` even where it is not expected.
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
