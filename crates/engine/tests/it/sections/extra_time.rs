//! Extra time as sockets see it: each player receives only their own time left and their own closing.

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_engine::{Closing, EdgeEffect, FrameKind};
use quizhall_protocol::from_host::SetExtraTime;
use quizhall_rules::{Change, Event, TimeLeft};
use serde_json::{Value, json};

use super::timers::{V1, playing, question_closed, set, to_plain, to_v1, update};
use super::{by_host, to_host, types};
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
fn each_is_sent_their_own_time_left() {
    let mut rim = playing();
    rim.attach_v1(OTHER, as_player(3));
    rim.taken();
    rim.commit_at(0.0, vec![by_host(set(30_000), 1)]);
    let effects = rim.commit_at(10.0, vec![give(200, 2)]);
    assert_eq!(to_v1(&effects), [update(50_000, true)]);
    assert_eq!(to_other(&effects), [] as [Value; 0], "no other player is sent anything of it");
    assert_eq!(to_plain(&effects), [] as [Value; 0]);
    let host = to_host(&effects);
    assert_eq!(types(&host), ["timer_update", "room_update"]);
    assert_eq!(host[0], to_the_host(20_000, 30_000));
    assert_eq!(host[1]["payload"]["players"][0]["extraTime"], 200);
    let effects = rim.tick_at(std::time::Duration::from_secs(20));
    assert_eq!(to_v1(&effects), [update(40_000, true)]);
    assert_eq!(
        (to_other(&effects), to_host(&effects)),
        (vec![update(10_000, true)], vec![to_the_host(10_000, 30_000)])
    );
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

#[test]
fn who_connects_in_the_extra_time_is_sent_what_is_so_for_them() {
    let mut rim = with_extra_time();
    rim.commit_at(31.0, vec![over()]);
    let shown = |rim: &mut Rim, connection: u64, number: u64| {
        let effects = rim.attach_v1(connection, as_player(number));
        super::received(&effects, connection, quizhall_engine::Dialect::QuizhallV1)
    };
    assert_eq!(shown(&mut rim, V1 + 20, 1).last(), Some(&update(29_000, true)));
    assert_eq!(shown(&mut rim, OTHER + 20, 3).last(), Some(&question_closed()));
}

#[test]
fn less_time_closes_at_once_for_the_player_alone() {
    let mut rim = with_extra_time();
    rim.commit_at(31.0, vec![over()]);
    let effects = rim.commit_at(32.0, vec![give(100, 3)]);
    assert_eq!((to_v1(&effects), to_other(&effects)), (vec![question_closed()], vec![]));
    assert_eq!(types(&to_host(&effects)), ["timer_update", "room_update"]);
}

#[test]
fn a_command_that_changes_nothing_is_confirmed_by_the_room() {
    let mut rim = with_extra_time();
    rim.commit_at(1.0, vec![]);
    rim.now += std::time::Duration::from_secs(5);
    let message = FromHost::SetExtraTime(SetExtraTime { player_id: player(1).uuid(), percent: 200 });
    rim.extension(message);
    let effects = rim.done(1);
    assert_eq!(types(&to_host(&effects)), ["room_update"]);
}
