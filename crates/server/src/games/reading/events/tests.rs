//! Unit tests of `games::reading::events`.

#![allow(clippy::unwrap_used)]

use quizhall_rules::{CommandId, Device};

use super::*;

fn read(body: &str) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    replay(body, &mut |event| events.push(event.clone())).then_some(events)
}

fn mixed() -> Vec<Event> {
    let player = PlayerId::from(Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5));
    let presence = PRESENCE.iter().map(|(_, change)| change(player));
    let question = Uuid::max().into();
    let answer = |text: &str| Change::Answered {
        player,
        question,
        answer: text.into(),
        correct: true,
        near_miss: false,
        partial: 0,
        elapsed: None,
        device: Device::FIRST,
    };
    let others = [Change::HostLeft, answer("Bern"), answer("\"]},{[\\ \u{1F600}"), Change::RoundEnded];
    let command_ids = [None, Some(CommandId { session: 7, number: u64::MAX })];
    let changes: Vec<_> = presence.chain(others).collect();
    let all = command_ids.iter().flat_map(|command_id| changes.iter().map(|change| (change.clone(), *command_id)));
    all.map(|(change, command_id)| Event::new(change, command_id)).collect()
}

#[test]
fn a_row_reads_as_serde_reads_it() {
    let events = mixed();
    assert_eq!(events.len(), 16);
    for first in 0..events.len() {
        for last in first + 1..=events.len() {
            let body = serde_json::to_string(&events[first..last]).unwrap();
            assert_eq!(read(&body).unwrap(), events[first..last], "{body}");
            // JSON with the white space of another writer.
            let spaced = serde_json::to_string_pretty(&events[first..last]).unwrap();
            assert_eq!(read(&spaced).unwrap(), events[first..last], "{spaced}");
        }
    }
    let unknown = r#"[{"c":{"t":"left","p":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","later":1},"more":2}]"#;
    assert_eq!(read(unknown).unwrap(), serde_json::from_str::<Vec<Event>>(unknown).unwrap());
}

/// For every cut or changed text the result is the same as serde's.
#[test]
fn what_is_not_a_row_is_refused_as_by_serde() {
    let events = mixed();
    let body = serde_json::to_string(&events).unwrap();
    for end in (0..body.len()).filter(|end| body.is_char_boundary(*end)) {
        assert_eq!(read(&body[..end]), None, "cut off at {end}");
    }
    for at in (0..body.len()).filter(|at| body.is_char_boundary(*at) && body.is_char_boundary(at + 1)) {
        for changed in ["0", "\"", "}", "]", ",", " "] {
            let changed = format!("{}{changed}{}", &body[..at], &body[at + 1..]);
            assert_eq!(read(&changed), serde_json::from_str(&changed).ok(), "{changed}");
        }
    }
    for strange in ["", "{}", "[]", "[,]", "null", "[1]", "[[]]"] {
        assert_eq!(read(strange).unwrap_or_default(), Vec::new(), "{strange}");
    }
}
