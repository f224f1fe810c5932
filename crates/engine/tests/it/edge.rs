//! What an edge shows a socket, which refused commands it ignores, and when it closes the socket.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::edge::RequestError;
use quizhall_engine::wire::{self, Close, CloseCode, FromHost};
use quizhall_engine::{
    ConnectionId, Dialect, EdgeEffect, EdgeInput, FrameKind, FromOwner, Message, Participant, RequestId, ToEdge,
    ToOwner,
};
use quizhall_rules::{Actor, Change, Command, CommandId, Event, LOG_VERSION, Refusal};

use crate::rim::{ALL, HEAD, LINGER, OPTIONS, Rim, TIMEOUT};
use crate::stage::{answered, as_player, asking, command_id, event, join, joined, lobby, plain, player, question};

fn closes(effects: &[EdgeEffect]) -> Vec<(u64, CloseCode)> {
    let close = |effect: &EdgeEffect| match effect {
        EdgeEffect::Close(connection, close) => Some((connection.0, close.code)),
        _ => None,
    };
    effects.iter().filter_map(close).collect()
}

fn acknowledgement(connection: u64) -> EdgeEffect {
    EdgeEffect::Send(ConnectionId(connection), wire::answer_accepted(question(1)), FrameKind::Queued)
}

fn by(mut event: Event, session: u64, number: u64) -> Event {
    event.command_id = Some(command_id(session, number));
    event
}

#[test]
fn the_time_to_an_acknowledgement_counts_from_the_arrival_of_the_answer() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.now = Duration::from_secs(1);
    rim.answer(1, "first").answer(1, "second").taken();
    rim.now = Duration::from_secs(3);
    rim.commit(vec![by(answered(1, 1, "first"), 101, 1)]);
    rim.now = Duration::from_secs(4);
    rim.commit(vec![by(answered(1, 1, "second"), 101, 2)]);
    let waited: Vec<&EdgeEffect> =
        rim.out.iter().filter(|effect| matches!(effect, EdgeEffect::Acknowledged(_))).collect();
    // The second answer also waited for the first, as its player did.
    let expected = [2, 3].map(|seconds| EdgeEffect::Acknowledged(Duration::from_secs(seconds)));
    assert_eq!(waited, expected.iter().collect::<Vec<_>>());
}

#[test]
fn the_answer_of_an_older_socket_does_not_pass_for_a_newer_ones() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.answer(1, "first");
    rim.attach(2, as_player(1));
    rim.answer(2, "second").taken();
    rim.commit(vec![by(answered(1, 1, "first"), 101, 1)]);
    assert_eq!(rim.taken(), [], "the second answer is not stored yet");
    rim.commit(vec![by(answered(1, 1, "second"), 102, 1)]);
    assert_eq!(rim.taken(), [acknowledgement(2)]);
}

#[test]
fn the_event_of_a_command_lets_the_next_one_go_without_another_frame() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.answer(1, "first").answer(1, "second").taken();
    rim.commit(vec![by(answered(1, 1, "first"), 101, 1)]);
    let out = rim.taken();
    let [acknowledged, EdgeEffect::ToOwner(ToOwner::Command { command_id, .. })] = &out[..] else { panic!("{out:?}") };
    assert_eq!((acknowledged, *command_id), (&acknowledgement(1), CommandId { session: 101, number: 2 }));
    assert_eq!(rim.edge.waiting(), 1);
    rim.commit(vec![by(answered(1, 1, "second"), 101, 2)]);
    assert_eq!(
        (rim.taken(), rim.edge.waiting()),
        (vec![acknowledgement(1)], 0),
        "no command waits, so none is retransmitted"
    );
}

#[test]
fn a_command_whose_event_was_missed_is_retransmitted_when_the_gap_is_closed() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.answer(1, "key1").taken();
    let missed = by(answered(1, 1, "key1"), 101, 1);
    rim.seq += 1;
    rim.commit(vec![joined(7)]);
    assert_eq!(rim.taken(), [EdgeEffect::ToOwner(ToOwner::Hello)], "a gap");
    let mut state = asking(1);
    state.apply(&missed);
    state.apply(&joined(7));
    let asked = rim.catch_up(12, state).taken();
    let again = |effect: &EdgeEffect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. }));
    assert!(asked.iter().any(again), "{asked:?}");
}

#[test]
fn an_answer_is_retransmitted_when_it_is_old_and_not_at_a_fixed_tick() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    let start = rim.now;
    rim.tick_at(start + Duration::from_millis(500));
    rim.answer(1, "key1").taken();
    let commands = |effects: &[EdgeEffect]| {
        effects.iter().filter(|effect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. }))).count()
    };
    assert_eq!(commands(&rim.tick_at(start + Duration::from_millis(1_000))), 0, "a command may wait that long");
    assert_eq!(commands(&rim.tick_at(start + Duration::from_millis(1_500))), 1);
    assert_eq!(commands(&rim.tick_at(start + Duration::from_millis(2_000))), 1, "and again, until it is answered");
}

#[test]
fn an_answer_waits_longer_while_the_owner_answers_others() {
    let mut rim = Rim::at(asking(2));
    rim.attach(1, as_player(1));
    let start = rim.now;
    rim.answer(1, "key1").taken();
    let mut retransmitted = Vec::new();
    for check in 1..10 {
        rim.commit(vec![by(answered(2, 1, "key1"), 500, check.into())]).taken();
        let effects = rim.tick_at(start + Duration::from_millis(500) * check);
        let is_command = |effect: &EdgeEffect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. }));
        retransmitted.extend(effects.iter().any(is_command).then_some(check));
    }
    assert_eq!(retransmitted, [2, 4, 8], "after one second, and then after one and two more");
}

#[test]
fn an_answer_out_of_range_closes_the_socket_and_never_leaves() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    let out = rim.answer(1, "").taken();
    assert_eq!(out[0], EdgeEffect::Close(ConnectionId(1), Close::with_detail(CloseCode::InvalidPayload, "answer")));
    assert!(!out.iter().any(|effect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. }))));
}

#[test]
fn an_answer_says_what_was_known_when_it_came_in() {
    let mut rim = Rim::at(asking(1));
    rim.step(EdgeInput::Attach(ConnectionId(1), as_player(1).into(), Dialect::Interface));
    rim.answer(1, "held back");
    rim.commit(vec![by(answered(1, 1, "newer"), 7, 1)]).taken();
    rim.say(ToEdge::Attached { connection: ConnectionId(1), participant: as_player(1), session: 101 });
    let sent = rim.taken();
    assert!(matches!(sent[..], [EdgeEffect::ToOwner(ToOwner::Command { seen: None, .. })]), "{sent:?}");
    let (connection, command_id, seq) = (ConnectionId(1), CommandId { session: 101, number: 1 }, rim.seq);
    rim.say(ToEdge::Outdated { connection, command_id, seq: seq + 1 });
    assert_eq!(closes(&rim.taken()), [], "the client would find this edge unchanged");
    assert_eq!(
        closes(&rim.say(ToEdge::Outdated { connection, command_id, seq }).taken()),
        [(1, CloseCode::ResyncRequired)]
    );
    rim.attach(2, as_player(1));
    let sent = rim.answer(2, "newest").taken();
    let seen = Some(CommandId { session: 7, number: 1 });
    assert!(matches!(sent[..], [EdgeEffect::ToOwner(ToOwner::Command { seen: of, .. })] if of == seen), "{sent:?}");
}

#[test]
fn a_refused_message_stops_those_after_it() {
    let mut rim = Rim::at(lobby(1));
    rim.attach(1, Participant::Host);
    rim.message(1, Message::Host(FromHost::EndRound), ALL).message(1, Message::Host(FromHost::StartGame), ALL);
    let sent = rim.taken();
    let commands = sent.iter().filter(|effect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. })));
    assert_eq!(commands.count(), 1, "one at a time");
    let out = rim.refuse(1, Refusal::WrongPhase);
    assert_eq!(closes(&out), [(1, CloseCode::WrongPhase)]);
    assert_eq!(rim.edge.waiting(), 0);
}

#[test]
fn a_removed_player_is_closed_and_cannot_return() {
    let mut rim = Rim::at(lobby(2));
    rim.attach(1, as_player(1));
    let player = player(1);
    rim.commit(vec![event(Change::PlayerRemoved { player, banned: false })]);
    assert_eq!(closes(&rim.taken()), [(1, CloseCode::Removed)]);
    assert_eq!(closes(&rim.attach(2, as_player(1))), [(2, CloseCode::Removed)]);
}

#[test]
fn a_removed_player_is_sent_nothing_of_a_state_that_comes_later() {
    let mut state = asking(1);
    state.apply(&event(Change::PlayerRemoved { player: player(1), banned: false }));
    let before_close = |effects: &[EdgeEffect]| {
        let open = effects.iter().take_while(|effect| !matches!(effect, EdgeEffect::Close(..)));
        open.filter(|effect| matches!(effect, EdgeEffect::Send(..) | EdgeEffect::Broadcast(..))).count()
    };
    for mut rim in [Rim::empty(OPTIONS), Rim::at(lobby(1))] {
        rim.attach(1, as_player(1));
        rim.taken();
        rim.seq += 3;
        let seq = rim.seq;
        let came = if rim.edge.state().is_none() {
            rim.say(ToEdge::State { seq, head: HEAD, state: Arc::new(state.clone()) }).taken()
        } else {
            rim.catch_up(seq, state.clone()).taken()
        };
        assert_eq!((closes(&came), before_close(&came)), (vec![(1, CloseCode::Removed)], 0));
    }
}

#[test]
fn a_player_whose_join_is_not_known_here_yet_is_not_sent_away() {
    let mut rim = Rim::at(lobby(1));
    let shown = rim.attach(1, as_player(2));
    assert_eq!(closes(&shown), []);
    assert_eq!(shown[0], EdgeEffect::ReadState, "the join is in the log");
    rim.taken();
    rim.commit(vec![joined(2)]);
    let list = plain(&wire::lobby_update(&lobby(2)));
    assert_eq!(rim.taken()[0], EdgeEffect::Send(ConnectionId(1), list, FrameKind::Queued));
}

/// Sending the same messages twice would be a second sync.
#[test]
fn the_first_state_is_not_sent_to_a_player_whose_join_comes_later() {
    let mut rim = Rim::empty(OPTIONS);
    rim.attach(1, as_player(2));
    rim.say(ToEdge::State { seq: rim.seq, head: HEAD, state: Arc::new(asking(1)) });
    assert!(!rim.taken().iter().any(|effect| matches!(effect, EdgeEffect::Send(..))), "nothing yet");
    rim.commit(vec![joined(2)]);
    let sent = rim.taken().into_iter().filter(|effect| matches!(effect, EdgeEffect::Send(..))).count();
    assert_eq!(sent, 1, "the question that is open");
}

#[test]
fn a_command_that_is_not_stored_in_five_seconds_closes_its_socket() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.answer(1, "key1").taken();
    assert_eq!(closes(&rim.tick_at(Duration::from_millis(4_999))), []);
    assert_eq!(closes(&rim.tick_at(TIMEOUT + Duration::from_millis(500))), [(1, CloseCode::StorageUnavailable)]);
}

#[test]
fn what_an_older_node_could_not_read_reaches_no_owner() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.edge.set_oldest_log(LOG_VERSION - 1);
    let newest = Command::AdjustPoints { player: player(1), points: 1, reason: None };
    let refused = rim.step(EdgeInput::Request(RequestId(3), Actor::Host, newest)).taken();
    assert_eq!(refused, [EdgeEffect::Answer(RequestId(3), Err(RequestError::OlderNode))]);
    let marked = |alike| Command::MarkAnswers {
        question: question(1),
        texts: ["a".to_owned()].into_iter().collect(),
        correct: true,
        half: false,
        alike,
    };
    let sent = [true, false].map(|alike| {
        let effects = rim.step(EdgeInput::Request(RequestId(6), Actor::Host, marked(alike))).taken();
        matches!(effects[..], [EdgeEffect::ToOwner(ToOwner::Request { .. })])
    });
    assert_eq!(sent, [false, true], "an older owner would overlook a new field");
    rim.edge.set_oldest_log(0);
    assert_eq!(rim.answer(1, "too early").taken(), [], "nothing is sent, and the socket stays open");
    let refused = rim.step(EdgeInput::Request(RequestId(4), Actor::Service, join(2))).taken();
    assert_eq!(refused, [EdgeEffect::Answer(RequestId(4), Err(RequestError::OlderNode))]);
    rim.edge.set_oldest_log(LOG_VERSION);
    let is_command = |effect: &EdgeEffect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Command { .. }));
    assert!(rim.answer(1, "now").taken().iter().any(is_command));
    let is_request = |effect: &EdgeEffect| matches!(effect, EdgeEffect::ToOwner(ToOwner::Request { .. }));
    assert!(rim.step(EdgeInput::Request(RequestId(5), Actor::Service, join(2))).taken().iter().any(is_request));
}

#[test]
fn a_request_that_is_not_stored_in_five_seconds_is_answered_as_unknown() {
    let mut rim = Rim::at(lobby(1));
    rim.step(EdgeInput::Request(RequestId(4), Actor::Service, join(2))).taken();
    assert!(rim.tick_at(TIMEOUT).contains(&EdgeEffect::Answer(RequestId(4), Err(RequestError::Unavailable))));
    assert_eq!(rim.edge.waiting(), 0);
}

#[test]
fn sockets_linger_for_a_minute_after_the_end() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.commit([Change::RoundEnded, Change::ScoresReleased { held: false }, Change::Ended].map(event).to_vec());
    assert_eq!(closes(&rim.taken()), []);
    rim.now = LINGER.saturating_sub(Duration::from_millis(1));
    let seq = rim.seq;
    assert_eq!(closes(&rim.say(ToEdge::Heartbeat { seq }).taken()), []);
    assert_eq!(rim.edge.next_deadline(), Some(LINGER));
    assert_eq!(closes(&rim.tick_at(LINGER)), [(1, CloseCode::GameOver)]);
}

#[test]
fn a_socket_that_came_at_the_last_moment_is_not_sent_away_before_it_was_shown_the_end() {
    let mut rim = Rim::at(asking(2));
    rim.attach(1, as_player(1));
    rim.commit([Change::RoundEnded, Change::ScoresReleased { held: false }, Change::Ended].map(event).to_vec());
    rim.now = LINGER.saturating_sub(Duration::from_millis(1));
    let silent = rim.attach(2, as_player(2));
    assert!(!silent.iter().any(|effect| matches!(effect, EdgeEffect::Send(..))), "the log is read first");
    assert_eq!(closes(&rim.tick_at(LINGER)), [(1, CloseCode::GameOver)]);
    let (first, events) = (rim.seq, Vec::new());
    let shown = rim.step(EdgeInput::TailRead { first, rows: Vec::new(), events }).taken();
    assert!(shown.iter().any(|effect| matches!(effect, EdgeEffect::Send(ConnectionId(2), ..))), "{shown:?}");
    assert_eq!(closes(&rim.tick_at(LINGER * 2)), [(2, CloseCode::GameOver)]);
    rim.step(EdgeInput::Detached(ConnectionId(2), false));
    assert_eq!(closes(&rim.tick_at(LINGER * 3)), []);
}

#[test]
fn a_command_names_its_owner_and_is_retransmitted_to_the_next() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    let commands = |effects: Vec<EdgeEffect>| {
        let commands = effects.into_iter().filter_map(|effect| match effect {
            EdgeEffect::ToOwner(ToOwner::Command { epoch, command_id, .. }) => Some((epoch, command_id)),
            _ => None,
        });
        commands.collect::<Vec<_>>()
    };
    let command_id = CommandId { session: 101, number: 1 };
    assert_eq!(commands(rim.answer(1, "an answer").taken()), [(Some(1), command_id)]);
    let heartbeat = FromOwner { epoch: 7, message: ToEdge::Heartbeat { seq: 10 } };
    assert_eq!(commands(rim.step(EdgeInput::FromOwner(heartbeat)).taken()), [(Some(7), command_id)]);
    let (connection, participant) = (ConnectionId(1), as_player(1));
    let attached = ToEdge::Attached { connection, participant, session: 102 };
    rim.step(EdgeInput::FromOwner(FromOwner { epoch: 7, message: attached })).taken();
    rim.tick_at(Duration::from_secs(1));
    assert_eq!(
        commands(rim.tick_at(Duration::from_secs(2))),
        [(Some(7), command_id)],
        "and later, when it is not answered"
    );
}
