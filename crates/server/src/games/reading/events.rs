//! The events of a stored row, from the JSON that `row` writes.
//!
//! Called by `reading`. Presence events are most of a long log. They are parsed here directly; everything else is
//! parsed by serde, which buffers an event before it knows its kind. Accepts everything that serde accepts.

use quizhall_rules::{Change, Device, Event, PlayerId};
use uuid::Uuid;

type Kind = (&'static str, fn(PlayerId) -> Change);

/// Events whose only field is a player.
const PRESENCE: [Kind; 4] = [
    ("connected", |player| Change::Connected { player, device: Device::FIRST }),
    ("disconnected", |player| Change::Disconnected { player, device: Device::FIRST }),
    ("left", |player| Change::Left { player, device: Device::FIRST }),
    ("returned", |player| Change::Returned { player, device: Device::FIRST }),
];

/// Bytes of an id as text.
const ID: usize = 36;

/// Calls `apply` with the events of a row's body in order; `false` when the body is not a valid row. Some events may
/// have been applied before that is found.
pub(in crate::games) fn replay(body: &str, apply: &mut dyn FnMut(&Event)) -> bool {
    let Some(mut rest) = body.trim_start().strip_prefix('[') else { return false };
    loop {
        rest = rest.trim_start();
        let Some((event, behind)) = presence(rest).or_else(|| any(rest)) else { return false };
        apply(&event);
        let behind = behind.trim_start();
        match behind.split_at_checked(1) {
            Some((",", more)) => rest = more,
            Some(("]", end)) => return end.trim_start().is_empty(),
            _ => return false,
        }
    }
}

/// A presence event exactly as it is written, and what follows it.
fn presence(text: &str) -> Option<(Event, &str)> {
    let rest = text.strip_prefix(r#"{"c":{"t":""#)?;
    let kind = |(kind, change): &Kind| Some((*change, rest.strip_prefix(kind)?.strip_prefix(r#"","p":""#)?));
    let (change, rest) = PRESENCE.iter().find_map(kind)?;
    let (id, rest) = rest.split_at_checked(ID)?;
    let player = Uuid::try_parse(id).ok()?.into();
    Some((Event::new(change(player), None), rest.strip_prefix(r#""}}"#)?))
}

/// Any event, and what follows it.
fn any(text: &str) -> Option<(Event, &str)> {
    let mut events = serde_json::Deserializer::from_str(text).into_iter();
    let event = events.next()?.ok()?;
    Some((event, text.get(events.byte_offset()..)?))
}
