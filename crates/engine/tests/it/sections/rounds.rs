//! Messages between two rounds: revealed answers and breaks. A plain socket receives neither.

use std::time::Duration;

use quizhall_engine::{Dialect, EdgeEffect, Participant};
use quizhall_rules::{Change, Event, State};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{HOST, by_host, received, reviewing, to_host, types};
use crate::rim::Rim;
use crate::stage::{as_player, event, player, question};

/// The sockets of player 1 (with the extension) and player 2 (without it).
const V1: u64 = 2;
const PLAIN: u64 = 3;

fn revealed() -> Change {
    Change::AnswerRevealed { question: question(1) }
}

fn pause(ms: u64) -> Change {
    Change::BreakStarted { ms, text: Some("Drinks".to_owned()) }
}

fn update(remaining_ms: u64) -> Value {
    json!({"type": "break_update", "payload": {"remainingMs": remaining_ms, "text": "Drinks"}})
}

fn over() -> Value {
    json!({"type": "break_update", "payload": {}})
}

fn to_v1(effects: &[EdgeEffect]) -> Vec<Value> {
    received(effects, V1, Dialect::QuizhallV1)
}

fn to_plain(effects: &[EdgeEffect]) -> Vec<Value> {
    received(effects, PLAIN, Dialect::Interface)
}

impl Rim {
    fn commits_at(&mut self, seconds: f64, events: Vec<Event>) -> Vec<EdgeEffect> {
        self.now = Duration::from_secs_f64(seconds);
        self.commit(events).taken()
    }
}

#[test]
fn who_connects_is_sent_what_is_revealed_and_the_break_last() {
    let mut rim = reviewing();
    rim.commits_at(0.0, vec![event(revealed()), event(pause(60_000))]);
    rim.now = Duration::from_secs(2);
    let connects = |rim: &mut Rim, connection, who, dialect| {
        let effects = match dialect {
            Dialect::QuizhallV1 => rim.attach_v1(connection, who),
            Dialect::Interface => rim.attach(connection, who),
        };
        received(&effects, connection, dialect)
    };
    let shown = connects(&mut rim, V1 + 5, as_player(1), Dialect::QuizhallV1);
    assert_eq!(types(&shown), ["host_status", "round_started", "answer_revealed", "round_ended", "break_update"]);
    assert_eq!(shown[4], update(58_000));
    let shown = connects(&mut rim, HOST + 5, Participant::Host, Dialect::QuizhallV1);
    let expected = [
        "host_status",
        "room_update",
        "round_started",
        "answer_revealed",
        "round_ended",
        "round_review",
        "marking_update",
        "step_update",
        "break_update",
    ];
    assert_eq!(types(&shown), expected);
    assert_eq!(types(&connects(&mut rim, PLAIN + 5, as_player(2), Dialect::Interface)), ["round_ended"]);
}

#[test]
fn every_change_of_a_break_is_sent_and_the_time_left_every_ten_seconds() {
    let mut rim = reviewing();
    let claimed = event(Change::Claimed { epoch: 1, node: Uuid::nil() });
    let steps = [
        (0.0, by_host(pause(60_000), 1), vec![update(60_000)]),
        (5.2, event(Change::BreakMark { ms: 55_000 }), vec![]),
        (6.0, event(Change::BreakMark { ms: 50_000 }), vec![update(50_000)]),
        (7.0, by_host(pause(6_000), 2), vec![update(6_000)]),
        (9.0, claimed, vec![update(6_000)]),
        (10.0, event(Change::BreakEnded), vec![over()]),
        (11.0, by_host(pause(60_000), 3), vec![update(60_000)]),
    ];
    for (at, change, expected) in steps {
        let kind = change.change.kind();
        let effects = rim.commits_at(at, vec![change]);
        assert_eq!((to_v1(&effects), to_host(&effects)), (expected.clone(), expected), "{kind} at {at}");
        assert_eq!(to_plain(&effects), [] as [Value; 0], "{kind}");
    }
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(19))), [] as [Value; 0]);
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(20))), [update(51_000)]);
    let effects = rim.commits_at(22.0, vec![by_host(Change::ScoresReleased { held: false }, 4)]);
    assert_eq!(to_v1(&effects).last(), Some(&over()), "the next step of the host ends it");
}

fn jump(over: &[Change]) -> (Vec<Value>, Vec<Value>) {
    let mut rim = reviewing();
    rim.commits_at(0.0, vec![event(pause(60_000))]);
    let mut state: State = rim.edge.state().unwrap().clone();
    for change in over {
        state.apply(&event(change.clone()));
    }
    rim.now = Duration::from_secs(2);
    let seq = rim.seq + over.len() as u64;
    let effects = rim.catch_up(seq, state).taken();
    (to_v1(&effects), to_plain(&effects))
}

#[test]
fn an_edge_that_missed_events_sends_what_is_new() {
    let (v1, plain) = jump(&[revealed(), Change::BreakEnded]);
    assert_eq!((types(&v1), plain), (vec!["answer_revealed", "break_update"], vec![]));
    assert_eq!(v1[1], over());
    let (v1, _) = jump(&[Change::ScoresReleased { held: false }]);
    assert_eq!(types(&v1), ["round_leaderboard", "round_scores", "break_update"]);
    assert_eq!(v1.last(), Some(&over()));
    let (v1, _) = jump(&[Change::PlayerRemoved { player: player(3), banned: false }]);
    assert_eq!(types(&v1)[0], "break_update", "the same break: what it has left here");
}
