//! Extra time as sockets see it: each player receives only their own time left and their own closing.

use quizhall_engine::wire::CloseCode;
use quizhall_engine::{Closing, EdgeEffect, FrameKind};
use quizhall_rules::{Change, Event, TimeLeft};
use serde_json::{Value, json};

use super::timers::{V1, playing, question_closed, set, to_plain, to_v1, update};
use super::{by_host, to_host};
use crate::rim::Rim;
use crate::stage::{as_player, event, player, question};

/// The socket of player 3, with the extension but without extra time.
const OTHER: u64 = 7;

fn give(percent: u16, number: u64) -> Event {
    by_host(Change::ExtraTimeSet { player: player(1), percent }, number)
}

fn over() -> Event {
    let left = TimeLeft { question: Some(question(1)), ms: 29_000 };
    event(Change::TimeOver { left, up: 100, next: 200 })
}

fn to_the_host(remaining_ms: u64, extra_ms: u64) -> Value {
    let mut message = update(remaining_ms, true);
    message["payload"]["extraMs"] = json!(extra_ms);
    message
}

fn to_other(effects: &[EdgeEffect]) -> Vec<Value> {
    super::received(effects, OTHER, quizhall_engine::Dialect::QuizhallV1)
}

/// Question 1 has 30 s; player 1 has twice the time.
fn with_extra_time() -> Rim {
    let mut rim = playing();
    rim.attach_v1(OTHER, as_player(3));
    rim.taken();
    rim.commit_at(0.0, vec![give(200, 1), by_host(set(30_000), 2)]);
    rim
}

#[test]
fn a_question_is_closed_for_each_at_their_own_end() {
    let mut rim = with_extra_time();
    let effects = rim.commit_at(31.0, vec![over()]);
    assert_eq!(to_other(&effects), [question_closed()]);
    assert_eq!((to_v1(&effects), to_plain(&effects)), (vec![update(29_000, true)], vec![]));
    assert_eq!(to_host(&effects), [to_the_host(0, 29_000)]);
    for (socket, written, expected) in
        [(V1, 0, vec![]), (OTHER, 0, vec![]), (OTHER, 1, vec![CloseCode::UnknownQuestion])]
    {
        let mut rim = with_extra_time();
        rim.commit_at(31.0, vec![over()]);
        rim.submit(socket, written);
        assert_eq!(rim.refused(socket), expected, "socket {socket} with {written} closings written");
    }
    let closed = event(Change::QuestionClosed { question: question(1) });
    let effects = rim.commit_at(61.0, vec![closed]);
    assert_eq!((to_v1(&effects), to_host(&effects)), (vec![question_closed()], vec![question_closed()]));
    assert_eq!(to_other(&effects), [] as [Value; 0], "once is enough");
    let kind = FrameKind::Closes(Closing::Question(question(1)));
    assert!(effects.iter().any(|effect| matches!(effect, EdgeEffect::Send(_, _, of) if *of == kind)));
}
