//! Unit tests of `games::log::row`.

#![allow(clippy::unwrap_used)]

use quizhall_rules::Change;

use super::*;

#[test]
fn a_row_is_a_list_of_its_events() {
    let events = [Change::Started, Change::RoundEnded, Change::Ended].map(|change| Event::new(change, None));
    for count in 0..=events.len() {
        assert_eq!(body_of(&events[..count]), serde_json::to_string(&events[..count]).unwrap());
    }
}
