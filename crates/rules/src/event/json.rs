//! Events as JSON. Answers are most of every log and thousands come at once, so they are written directly, byte for byte as serde
//! writes them.

use serde::Serialize;
use uuid::Uuid;

use super::change::Change;
use super::entry::Event;

impl Event {
    /// Appends the event as JSON, as it is stored.
    pub fn write_json(&self, body: &mut Vec<u8>) {
        // A player's answer comes from none of the host's devices, and is no step.
        let Event { change, command_id, .. } = self;
        let Change::Answered { player, device, question, answer, correct, near_miss, partial, elapsed } = change else {
            return write(self, body);
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
}

fn write_id(id: Uuid, body: &mut Vec<u8>) {
    let mut text = [b'"'; 38];
    id.hyphenated().encode_lower(&mut text[1..]);
    body.extend_from_slice(&text);
}

fn write(value: &impl Serialize, body: &mut Vec<u8>) {
    serde_json::to_writer(body, value).expect("events have string keys and cannot fail to serialize");
}
