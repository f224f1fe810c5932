//! Timers as sockets see them: sent on connecting, on every change and every ten seconds, but never to a plain socket.

use std::time::Duration;

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_engine::{ConnectionId, Dialect, EdgeEffect, EdgeInput, Message, Participant, ToEdge};
use quizhall_protocol::FromPlayer;
use quizhall_protocol::from_host::SetTimer;
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::{Change, Event, Refusal, TimeLeft};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{HOST, by_host, received, to_host, types};
use crate::rim::Rim;
use crate::stage::{as_player, asking, command_id, event, question};

/// The sockets of player 1 (with the extension) and player 2 (without it).
pub(super) const V1: u64 = 2;
const PLAIN: u64 = 3;

pub(super) fn set(ms: u64) -> Change {
    Change::TimerSet(TimeLeft { question: Some(question(1)), ms }.into())
}

fn closed() -> Event {
    event(Change::QuestionClosed { question: question(1) })
}

pub(super) fn update(remaining_ms: u64, running: bool) -> Value {
    let payload = json!({"questionId": question(1).uuid(), "remainingMs": remaining_ms, "running": running});
    json!({"type": "timer_update", "payload": payload})
}

pub(super) fn question_closed() -> Value {
    json!({"type": "question_closed", "payload": {"questionId": question(1).uuid()}})
}

/// Question 1 is open. The host and player 1 have the extension, player 2 does not.
pub(super) fn playing() -> Rim {
    let mut rim = Rim::at(asking(3));
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.taken();
    rim
}

pub(super) fn to_v1(effects: &[EdgeEffect]) -> Vec<Value> {
    received(effects, V1, Dialect::QuizhallV1)
}

pub(super) fn to_plain(effects: &[EdgeEffect]) -> Vec<Value> {
    received(effects, PLAIN, Dialect::Interface)
}

impl Rim {
    pub(super) fn commit_at(&mut self, seconds: f64, events: Vec<Event>) -> Vec<EdgeEffect> {
        self.now = Duration::from_secs_f64(seconds);
        self.commit(events).taken()
    }

    pub(super) fn submit(&mut self, connection: u64, closings_written: u32) {
        let answer = SubmitAnswer { question_id: question(1).uuid(), answer: "late".to_owned() };
        let message = Message::Player(FromPlayer::SubmitAnswer(answer));
        self.step(EdgeInput::Message {
            connection: ConnectionId(connection),
            message,
            closings_written,
            elapsed: None,
        });
        self.taken();
    }

    pub(super) fn refused(&mut self, connection: u64) -> Vec<CloseCode> {
        let (id, seq) = (command_id(100 + connection, 1), self.seq);
        let refusal = Refusal::UnknownQuestion;
        self.say(ToEdge::Refused { connection: ConnectionId(connection), command_id: id, refusal, seq });
        let close = |effect: &EdgeEffect| match effect {
            EdgeEffect::Close(_, close) => Some(close.code),
            _ => None,
        };
        self.taken().iter().filter_map(close).collect()
    }
}

#[test]
fn every_change_is_sent_to_the_extension_and_nothing_to_plain_sockets() {
    let mut rim = playing();
    let hold = |held, ms| {
        let left = vec![TimeLeft { question: Some(question(1)), ms }];
        by_host(Change::TimerHeld { held, left }, 2)
    };
    let claimed = event(Change::Claimed { epoch: 1, node: Uuid::nil() });
    let steps = [
        (0.0, by_host(set(30_000), 1), vec![update(30_000, true)]),
        (4.0, hold(true, 26_000), vec![update(26_000, false)]),
        (8.0, hold(false, 26_000), vec![update(26_000, true)]),
        (8.5, by_host(set(2_000), 3), vec![update(2_000, true)]),
        (9.0, claimed, vec![update(5_000, true)]),
        (15.0, closed(), vec![question_closed()]),
    ];
    for (at, change, expected) in steps {
        let kind = change.change.kind();
        let effects = rim.commit_at(at, vec![change]);
        assert_eq!(to_v1(&effects), expected, "{kind}");
        assert_eq!(to_host(&effects), expected, "{kind}");
        assert_eq!(to_plain(&effects), [] as [Value; 0], "{kind}");
    }
}

#[test]
fn a_limit_of_the_quiz_is_sent_behind_the_question() {
    let mut state = asking(1);
    let mut quiz = (**state.quiz()).clone();
    quiz.rounds[0].questions[1].time_limit = Some(20);
    quiz.rounds[0].time_limit = Some(90);
    let json = serde_json::to_string(&state).unwrap();
    let old = serde_json::to_string(&**state.quiz()).unwrap();
    state = serde_json::from_str(&json.replace(&old, &serde_json::to_string(&quiz).unwrap())).unwrap();
    let mut rim = Rim::at(state);
    rim.attach_v1(V1, as_player(1));
    rim.taken();
    let effects = rim.commit_at(1.0, vec![event(Change::QuestionReleased { question: question(2) })]);
    assert_eq!(types(&to_v1(&effects)), ["question_released", "timer_update"]);
}

#[test]
fn the_time_left_is_sent_every_ten_seconds() {
    let mut rim = playing();
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(30))), [] as [Value; 0], "without timers nothing is sent");
    let mut rim = playing();
    rim.commit_at(1.0, vec![by_host(set(60_000), 1)]);
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(11))), [update(50_000, true)]);
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(20))), [] as [Value; 0]);
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(21))), [update(40_000, true)]);
    rim.commit_at(22.0, vec![closed()]);
    assert_eq!(to_v1(&rim.tick_at(Duration::from_secs(40))), [] as [Value; 0]);
}

#[test]
fn a_mark_is_sent_only_where_it_differs_from_what_was_counted() {
    let mut rim = playing();
    let mark = |ms| event(Change::TimerMark { left: vec![TimeLeft { question: Some(question(1)), ms }], step: None });
    rim.commit_at(0.0, vec![by_host(set(60_000), 1)]);
    assert_eq!(to_v1(&rim.commit_at(5.2, vec![mark(55_000)])), [] as [Value; 0]);
    assert_eq!(to_v1(&rim.commit_at(40.2, vec![mark(50_000)])), [update(50_000, true)], "the owner slept");
}

#[test]
fn who_connects_is_sent_the_timers_and_the_closed_questions_behind_the_questions() {
    let mut rim = playing();
    let second = TimeLeft { question: Some(question(2)), ms: 30_000 };
    let released = event(Change::QuestionReleased { question: question(2) });
    rim.commit_at(0.0, vec![released, event(Change::TimerSet(second.into())), closed()]);
    rim.now = Duration::from_secs(2);
    let shown =
        to_v1(&rim.attach_v1(V1 + 5, as_player(1)).into_iter().map(|effect| to(V1, effect)).collect::<Vec<_>>());
    let expected =
        ["host_status", "round_started", "question_released", "question_released", "question_closed", "timer_update"];
    assert_eq!(types(&shown), expected);
    assert_eq!(shown[5]["payload"]["remainingMs"], 28_000);
    let plain = rim.attach(PLAIN + 5, as_player(3));
    let plain: Vec<_> = plain.into_iter().map(|effect| to(PLAIN, effect)).collect();
    assert_eq!(types(&to_plain(&plain)), ["question_released", "question_released"]);
}

/// The effect, readdressed to this socket so that it can be read as one of its messages.
fn to(connection: u64, effect: EdgeEffect) -> EdgeEffect {
    match effect {
        EdgeEffect::Send(_, bytes, kind) => EdgeEffect::Send(ConnectionId(connection), bytes, kind),
        other => other,
    }
}

#[test]
fn an_edge_that_missed_events_sends_what_is_new_of_timers() {
    let mut rim = playing();
    rim.commit_at(0.0, vec![by_host(set(30_000), 1)]);
    let mut state = rim.edge.state().unwrap().clone();
    state.apply(&event(Change::QuestionReleased { question: question(2) }));
    state.apply(&event(Change::TimerSet(TimeLeft { question: Some(question(2)), ms: 9_000 }.into())));
    state.apply(&closed());
    rim.now = Duration::from_secs(2);
    let seq = rim.seq + 3;
    let effects = rim.catch_up(seq, state).taken();
    let second = json!({"questionId": question(2).uuid(), "remainingMs": 9_000, "running": true});
    let timer = json!({"type": "timer_update", "payload": second});
    assert_eq!(to_v1(&effects)[1..], [question_closed(), timer]);
    assert_eq!(types(&to_plain(&effects)), ["question_released"]);
}

#[test]
fn a_command_that_changes_nothing_is_confirmed_to_the_host_alone() {
    let mut rim = playing();
    rim.commit_at(0.0, vec![by_host(set(30_000), 1)]);
    rim.now = Duration::from_secs(2);
    let message = FromHost::SetTimer(SetTimer { question_id: Some(question(2).uuid()), seconds: 5 });
    rim.extension(message);
    let effects = rim.done(1);
    assert_eq!((to_host(&effects), to_v1(&effects)), (vec![update(28_000, true)], vec![]));
}
