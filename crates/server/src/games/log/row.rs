//! A row of the log: converts the engine's append to the store's form, with its events as JSON.
//!
//! The rules define the form of the JSON (`Event`). Answers are most of every log and thousands come at once, so they
//! are written here directly, byte for byte as serde writes them.

use quizhall_engine::{Append, Head};
use quizhall_rules::{Change, Event, GameId, Phase};
use serde::Serialize;
use uuid::Uuid;

use crate::clock;
use crate::store::{self, PhaseChange};

/// Typical bytes of an event in a row: an answer of a word or two.
const EVENT: usize = 176;

/// Converts the engine's row to the store's.
pub(in crate::games) fn row_of(game: GameId, append: &Append) -> store::Append {
    store::Append {
        game,
        previous: store::Head { seq: append.previous.seq, batch: append.previous.batch },
        seq: append.seq,
        count: u32::try_from(append.events.len()).expect("a batch is bounded by the mailbox"),
        epoch: append.epoch,
        batch: append.batch,
        body: body_of(&append.events),
        phase: append.phase.map(|after| PhaseChange {
            phase: after.phase,
            ended_at_ms: (after.phase == Phase::Ended || after.closed).then(clock::unix_ms),
            closed: after.closed,
        }),
    }
}

/// Converts the store's head to the engine's.
pub(in crate::games) fn head_of(head: store::Head) -> Head {
    Head { seq: head.seq, batch: head.batch }
}

fn body_of(events: &[Event]) -> String {
    let mut body = Vec::with_capacity(events.len() * EVENT + 2);
    body.push(b'[');
    for event in events {
        if body.len() > 1 {
            body.push(b',');
        }
        write_event(event, &mut body);
    }
    body.push(b']');
    String::from_utf8(body).expect("JSON is UTF-8")
}

fn write_event(event: &Event, body: &mut Vec<u8>) {
    // A player's answer comes from none of the host's devices.
    let Event { change, command_id, .. } = event;
    let Change::Answered { player, device, question, answer, correct, near_miss, partial, elapsed } = change else {
        return write(event, body);
    };
    body.extend_from_slice(br#"{"c":{"t":"answered","p":"#);
    write_id(player.uuid(), body);
    if !device.is_first() {
        body.extend_from_slice(br#","d":"#);
        write(device, body);
    }
    body.extend_from_slice(br#","q":"#);
    write_id(question.uuid(), body);
    body.extend_from_slice(br#","a":"#);
    write(answer, body);
    if *correct {
        body.extend_from_slice(br#","ok":true"#);
    }
    if *near_miss {
        body.extend_from_slice(br#","near":true"#);
    }
    if *partial > 0 {
        body.extend_from_slice(br#","pt":"#);
        write(partial, body);
    }
    if let Some(elapsed) = elapsed {
        body.extend_from_slice(br#","el":"#);
        write(elapsed, body);
    }
    body.push(b'}');
    if let Some(command_id) = command_id {
        body.extend_from_slice(br#","s":"#);
        write(command_id, body);
    }
    body.push(b'}');
}

fn write_id(id: Uuid, body: &mut Vec<u8>) {
    let mut text = [b'"'; 38];
    id.hyphenated().encode_lower(&mut text[1..]);
    body.extend_from_slice(&text);
}

fn write(value: &impl Serialize, body: &mut Vec<u8>) {
    serde_json::to_writer(body, value).expect("events have string keys and cannot fail to serialize");
}

#[cfg(test)]
mod tests;
