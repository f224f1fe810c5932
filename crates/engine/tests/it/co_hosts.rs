//! Co-hosts at an edge: what each host's socket is sent about the others, and what closes it. At an owner: which hosts count as connected.

use std::time::Duration;

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_engine::{
    Attaching, ConnectionId, EdgeEffect, EdgeInput, Message, OwnerInput, Participant, RequestId, ToEdge, ToOwner,
};
use quizhall_protocol::frame;
use quizhall_protocol::from_host::MarkAnswers;
use quizhall_rules::{
    Actor, Change, CoHost, Command, CommandId, Device, DisplayName, Event, HostRole, State, TokenHash,
};
use serde_json::Value;
use uuid::Uuid;

use crate::desk::{Desk, kinds};
use crate::rim::{ALL, Rim};
use crate::stage::{answered, asking, created, event, joined, lobby, player, question};

const HOST: u64 = 1;
const MARKER: u64 = 2;
const DEVICE: Device = Device(1);

fn added(number: u8, role: HostRole) -> Change {
    let (id, label) = (Uuid::from_u128(number.into()).into(), DisplayName::parse("Helper").unwrap());
    Change::CoHostAdded(CoHost { id, role, label, token: TokenHash([number; 32]), at_ms: 0 }.into())
}

/// In review: players 1 and 2 answered question 1; a marker and a second device of the host have tokens.
fn reviewing() -> State {
    let mut state = asking(2);
    for change in [added(1, HostRole::Marker), added(2, HostRole::Host)] {
        state.apply(&event(change));
    }
    state.apply(&answered(1, 1, "wrong"));
    state.apply(&answered(2, 1, "wrong"));
    state.apply(&event(Change::RoundEnded));
    state
}

/// The messages to each socket: its number, the message's type and payload.
fn sent(effects: &[EdgeEffect]) -> Vec<(u64, String, Value)> {
    let of = |effect: &EdgeEffect| match effect {
        EdgeEffect::Send(ConnectionId(to), bytes, _) => {
            let message: Value = serde_json::from_slice(&frame::payload(bytes)).unwrap();
            Some((*to, message["type"].as_str().unwrap().to_owned(), message["payload"].clone()))
        }
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

fn types_to(effects: &[EdgeEffect], to: u64) -> Vec<String> {
    sent(effects).into_iter().filter(|(socket, ..)| *socket == to).map(|(_, kind, _)| kind).collect()
}

fn marked(by: Device, correct: bool) -> Event {
    let change = Change::AnswersMarked { question: question(1), texts: vec!["wrong".to_owned()], correct, partial: 0 };
    let session = 100 + if by.is_first() { HOST } else { MARKER };
    Event { host: by, ..Event::new(change, Some(CommandId { session, number: 1 })) }
}

/// Closes a socket, and waits until its participant no longer counts as connected.
fn leave(desk: &mut Desk, connection: u64, participant: Participant) {
    desk.frame(ToOwner::Detach { connection: ConnectionId(connection), participant, clean: true });
    desk.said();
    desk.now += Duration::from_secs(30);
    desk.step(OwnerInput::Tick);
}

fn both() -> Rim {
    let mut rim = Rim::at(reviewing());
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(MARKER, Participant::CoHost(DEVICE));
    rim.taken();
    rim
}

#[test]
fn a_co_host_is_sent_what_the_host_is_and_neither_closes_the_other() {
    let mut rim = Rim::at(reviewing());
    let of_host = sent(&rim.attach_v1(HOST, Participant::Host));
    let of_marker = sent(&rim.attach_v1(MARKER, Participant::CoHost(DEVICE)));
    let kinds = |all: &[(u64, String, Value)]| all.iter().map(|(_, kind, _)| kind.clone()).collect::<Vec<_>>();
    let steps: Vec<_> = kinds(&of_host).into_iter().filter(|kind| !kinds(&of_marker).contains(kind)).collect();
    assert_eq!(steps, ["step_update"], "a marker takes no step");
    let but_steps: Vec<_> = kinds(&of_host).into_iter().filter(|kind| kind != "step_update").collect();
    assert_eq!(but_steps, kinds(&of_marker));
    assert!(but_steps.contains(&"round_review".to_owned()));
    assert_eq!(rim.edge.socket_count(), 2);
    let again = rim.attach_v1(3, Participant::CoHost(DEVICE));
    assert!(again.contains(&EdgeEffect::Close(ConnectionId(MARKER), CloseCode::Replaced.into())));
    assert!(!again.iter().any(|effect| matches!(effect, EdgeEffect::Close(ConnectionId(HOST), _))));
}

#[test]
fn all_hosts_are_sent_a_mark_and_each_how_many_it_can_take_back() {
    let mut rim = both();
    let effects = rim.commit(vec![marked(Device::FIRST, true)]).taken();
    for socket in [HOST, MARKER] {
        assert_eq!(types_to(&effects, socket), ["answers_marked", "marking_update"]);
    }
    let undoable = |effects: &[EdgeEffect], to: u64| {
        let updates = sent(effects).into_iter().filter(|(socket, kind, _)| *socket == to && kind == "marking_update");
        updates.map(|(.., payload)| payload["undoable"].as_u64().unwrap()).next_back()
    };
    assert_eq!((undoable(&effects, HOST), undoable(&effects, MARKER)), (Some(1), Some(0)));
    let effects = rim.commit(vec![marked(DEVICE, false)]).taken();
    assert_eq!((undoable(&effects, HOST), undoable(&effects, MARKER)), (Some(2), Some(1)));
}

#[test]
fn a_command_is_confirmed_to_the_device_that_sent_it() {
    let mut rim = both();
    let marks = MarkAnswers {
        question_id: question(1).uuid(),
        answers: vec!["wrong".to_owned()],
        correct: true,
        half: None,
        alike: None,
    };
    rim.message(MARKER, Message::Host(FromHost::MarkAnswers(marks)), ALL).taken();
    assert_eq!(rim.edge.waiting(), 1);
    let effects = rim.commit(vec![marked(DEVICE, true)]).taken();
    assert_eq!(types_to(&effects, MARKER), ["answers_marked", "marking_update"], "and no other confirmation");
    assert_eq!(rim.edge.waiting(), 0);
}

#[test]
fn the_removal_of_a_co_host_closes_the_socket() {
    let mut rim = both();
    let effects = rim.commit(vec![event(Change::CoHostRemoved { device: DEVICE })]).taken();
    assert!(effects.contains(&EdgeEffect::Close(ConnectionId(MARKER), CloseCode::Unauthorized.into())));
    let late = rim.attach_v1(3, Participant::CoHost(DEVICE));
    assert_eq!(late, [EdgeEffect::Close(ConnectionId(3), CloseCode::Unauthorized.into())]);
    let mut rim = both();
    let mut state = reviewing();
    state.apply(&event(Change::CoHostRemoved { device: DEVICE }));
    let effects = rim.catch_up(11, state).taken();
    assert!(effects.contains(&EdgeEffect::Close(ConnectionId(MARKER), CloseCode::Unauthorized.into())));
}

/// The socket connected to a node that did not have the event yet.
#[test]
fn a_co_host_is_shown_the_game_when_the_invitation_arrives() {
    let mut rim = Rim::at(lobby(1));
    let shown = rim.attach_v1(MARKER, Participant::CoHost(DEVICE));
    assert!(sent(&shown).is_empty(), "{shown:?}");
    let effects = rim.commit(vec![event(added(1, HostRole::Marker))]).taken();
    assert_eq!(types_to(&effects, MARKER)[..2], ["host_status", "room_update"]);
}

/// The same when the invitation comes with a state, after a reading that failed.
#[test]
fn a_co_host_whom_a_state_makes_known_is_sent_what_changes_from_then_on() {
    let mut rim = Rim::at(asking(1));
    rim.attach_v1(MARKER, Participant::CoHost(DEVICE));
    assert!(sent(&rim.step(EdgeInput::StateRead(None)).taken()).is_empty());
    let mut state = asking(1);
    state.apply(&event(added(1, HostRole::Marker)));
    let seq = rim.seq + 1;
    let effects = rim.catch_up(seq, state).taken();
    assert_eq!(types_to(&effects, MARKER)[..2], ["host_status", "room_update"]);
    rim.seq = seq;
    let effects = rim.commit(vec![answered(1, 1, "wrong")]).taken();
    assert_eq!(types_to(&effects, MARKER), ["players_answered", "scoreboard_update"]);
}

/// Each host that connects is sent later changes, whatever the other host was sent before.
#[test]
fn the_room_is_kept_apart_for_each_host() {
    let mut state = lobby(1);
    state.apply(&event(added(1, HostRole::Moderator)));
    let mut rim = Rim::at(state);
    rim.attach_v1(HOST, Participant::Host);
    rim.taken();
    rim.commit(vec![joined(2)]);
    rim.attach_v1(MARKER, Participant::CoHost(DEVICE));
    let effects = rim.commit(vec![joined(3)]).taken();
    let later = rim.tick_at(Duration::from_secs(1));
    let all: Vec<EdgeEffect> = effects.into_iter().chain(later).collect();
    let named = |to: u64| {
        let rooms = sent(&all).into_iter().filter(move |(socket, kind, _)| *socket == to && kind == "room_update");
        let players = rooms.flat_map(|(.., payload)| payload["players"].as_array().unwrap().clone());
        players.map(|player| player["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(named(HOST).contains(&player(3).uuid().to_string()), "{:?}", named(HOST));
    assert_eq!(named(MARKER), [player(3).uuid().to_string()]);
}

#[test]
fn the_host_is_here_while_any_device_of_the_host_is() {
    let events = [created(), event(added(1, HostRole::Marker)), event(added(2, HostRole::Host))];
    let mut desk = Desk::after(events.to_vec());
    desk.attach(1, Participant::CoHost(DEVICE));
    assert_eq!(desk.settle(), None, "a marker is not the host");
    desk.attach(2, Participant::CoHost(Device(2)));
    assert_eq!(kinds(&desk.settle().unwrap()), ["host_returned"]);
    let session = desk.attach(3, Participant::Host);
    assert_eq!(desk.settle(), None);
    leave(&mut desk, 2, Participant::CoHost(Device(2)));
    assert_eq!(desk.settle(), None, "the host is connected with the first device");
    let lock = Command::Set(quizhall_rules::Setting::Locked(true));
    desk.command(3, Participant::Host, (CommandId { session, number: 1 }, lock)).settle();
    leave(&mut desk, 3, Participant::Host);
    assert_eq!(kinds(&desk.settle().unwrap()), ["host_left"]);
}

#[test]
fn a_removed_co_host_changes_nothing_any_more() {
    let mut desk = Desk::after(vec![created(), joined(1), event(added(1, HostRole::Host))]);
    let session = desk.attach(1, Participant::CoHost(DEVICE));
    desk.settle();
    let id = Uuid::from_u128(1).into();
    let command = Command::RemoveCoHost { co_host: id };
    desk.frame(ToOwner::Request { request: RequestId(1), actor: Actor::Host, command });
    assert_eq!(kinds(&desk.settle().unwrap()), ["co_host_removed"]);
    let start = (CommandId { session, number: 1 }, Command::StartGame);
    assert_eq!(desk.command(1, Participant::CoHost(DEVICE), start).settle(), None);
    let (connection, participant) = (ConnectionId(2), Participant::CoHost(DEVICE));
    desk.frame(ToOwner::Attach(Attaching { connection, participant, prior: None, moves: 0 }));
    assert!(!desk.said().iter().any(|message| matches!(message, ToEdge::Attached { .. })));
}
