//! Compares the personal data that the table names for a change with the data that it holds, and with what remains of that in the log
//! of an erased player.

use std::collections::BTreeSet;

use quizhall_rules::{Change, Erasure, Event, Personal, erase};
use serde_json::{Value, json};

use crate::changes::every_change;
use crate::stage::{created, join, player, question, quiz};

const NAME: &str = "canaryname";
/// Equal when compared, folded and as written.
const TEXT: &str = "canarytext";
const NUMBER: i64 = 73_577_357;
const PERCENT: u16 = 137;

/// The personal data of a player that a field of the stored form can hold.
#[expect(
    clippy::match_same_arms,
    clippy::unnested_or_patterns,
    reason = "the two arms without anything are about different things"
)]
fn held(kind: &str, key: &str) -> Option<Personal> {
    match (kind, key) {
        // These fields belong to the host, a co-host or a screen.
        ("created" | "options_set" | "co_host_added" | "screen_added", _)
        | ("break_started" | "tie_break_started" | "question_edited", "tx" | "ch" | "no")
        | ("question_edited", "as") => None,
        (_, "n") => Some(Personal::Name),
        (_, "a" | "as" | "tx" | "no") => Some(Personal::Text),
        (_, "k" | "i") => Some(Personal::Token),
        (_, "percent") => Some(Personal::ExtraTime),
        // Ids, places, times, marks and flags.
        (_, "t" | "p" | "ps" | "pl" | "q" | "d" | "di" | "tc" | "sc" | "e" | "node" | "r" | "ban" | "pts" | "adj")
        | (
            _,
            "rw" | "ok" | "near" | "pt" | "el" | "ms" | "of" | "at_ms" | "ts" | "st" | "up" | "next" | "held" | "plan",
        )
        | ("lock_changed", "locked" | "screens" | "spectators") => None,
        (kind, key) => panic!("{kind} has a field {key}: add above what it can hold"),
    }
}

/// The change with a canary in every field that can hold data of a player, and the kinds of that data.
fn planted(change: &Change) -> (Change, BTreeSet<Personal>) {
    let mut stored = serde_json::to_value(change).unwrap();
    let mut holds = BTreeSet::new();
    for (key, value) in stored.as_object_mut().unwrap() {
        let Some(personal) = held(change.kind(), key) else { continue };
        holds.insert(personal);
        *value = match (personal, &*value) {
            (Personal::Name, _) => json!(NAME),
            (Personal::Token, _) => json!("ca".repeat(32)),
            (Personal::ExtraTime, _) => json!(PERCENT),
            (Personal::Text, Value::String(_)) => json!(TEXT),
            (Personal::Text, Value::Array(texts)) if texts[0].is_object() => json!([{ "a": TEXT }]),
            (Personal::Text, Value::Array(_)) => json!([TEXT]),
            (Personal::Text, Value::Number(_)) => json!(NUMBER),
            (Personal::Text, other) => panic!("no text: {other}"),
        };
    }
    (serde_json::from_value(stored).unwrap(), holds)
}

/// The kinds of canaries that occur in a stored log.
fn canaries(text: &str) -> BTreeSet<Personal> {
    let looks = [
        (NAME.to_owned(), Personal::Name),
        (TEXT.to_owned(), Personal::Text),
        (NUMBER.to_string(), Personal::Text),
        ("ca".repeat(32), Personal::Token),
        (format!(r#""percent":{PERCENT}"#), Personal::ExtraTime),
    ];
    looks.into_iter().filter(|(look, _)| text.contains(look)).map(|(_, personal)| personal).collect()
}

/// A log in which player 1 joins, answers question 1 with the canary, and then the change happens.
fn log_with(change: Change) -> Vec<Event> {
    let joined = |number, name| {
        let join = join(number, name);
        let (player, display_name, token) = (join.player, join.display_name, join.token);
        Change::Joined { player, display_name, token, idempotency: None, team: None }
    };
    let answered = every_change().into_iter().find(|change| change.kind() == "answered").unwrap();
    let joins = matches!(change, Change::Joined { .. } | Change::SeatAdded { .. });
    let (first, last) = if joins { (change, None) } else { (joined(1, "Ann"), Some(change)) };
    let steps = [
        Change::Created(created(quiz(1, 1)).into()),
        first,
        joined(2, "Bob"),
        Change::Started,
        Change::QuestionReleased { question: question(1) },
        planted(&answered).0,
    ];
    steps.into_iter().chain(last).map(|change| Event::new(change, None)).collect()
}

#[test]
fn every_row_says_what_its_change_holds_and_nothing_of_it_is_left_of_an_erased_player() {
    for change in every_change() {
        let (change, holds) = planted(&change);
        let (kind, row) = (change.kind(), change.row());
        assert_eq!(row.holds.iter().copied().collect::<BTreeSet<_>>(), holds, "{kind}: the row, and its fields");
        assert_eq!(canaries(&serde_json::to_string(&change).unwrap()), holds, "{kind}");
        let mut log = log_with(change);
        erase(&mut log, Erasure { player: player(1), answers: true }).unwrap();
        let left = serde_json::to_string(&log).unwrap();
        assert_eq!(canaries(&left), BTreeSet::new(), "{kind}: left of an erased player: {left}");
    }
}
