//! A connection: what it calls silence, what it calls a close, and what it refuses to overlook.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use quizhall_conformance::observer::Observer;
use quizhall_conformance::seat::Connection;
use quizhall_conformance::wire::{Endpoint, Knock};
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::json;

use crate::fake::{self, unmasked};

const SOON: Duration = Duration::from_secs(5);
const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;

async fn connect(target: &Endpoint, role: Role) -> (Connection, Arc<Observer>) {
    let observer = Arc::new(Observer::default());
    let socket = Knock::bearer("ABC234", "token").open(target).await.unwrap().socket().unwrap();
    (Connection::new(socket, role, Arc::clone(&observer), SOON), observer)
}

fn close(code: u16, reason: &str) -> Vec<u8> {
    unmasked(CLOSE, &[&code.to_be_bytes(), reason.as_bytes()].concat())
}

#[tokio::test]
async fn silence_is_a_pong_with_nothing_before_it() {
    let (mut connection, _) = connect(&fake::echoing().await, Role::Host).await;
    connection.silent().await.unwrap();
    connection.send(r#"{"type":"game_started"}"#).await.unwrap();
    assert!(connection.silent().await.is_err(), "the echo came before the pong");
    connection.silent().await.unwrap();
}

#[tokio::test]
async fn an_allowed_message_passes_once() {
    let (mut connection, _) = connect(&fake::echoing().await, Role::Host).await;
    connection.allow(json!({ "type": "game_started" }));
    connection.send(r#"{"type":"game_started"}"#).await.unwrap();
    connection.silent().await.unwrap();
    connection.send(r#"{"type":"game_started"}"#).await.unwrap();
    assert!(connection.silent().await.is_err());
}

#[tokio::test]
async fn a_close_must_come_first_and_be_of_the_table() {
    let code = CloseCode::WrongPhase.number();
    let (mut connection, observer) = connect(&fake::sending(close(code, "wrong_phase")).await, Role::Host).await;
    assert_eq!(connection.closed().await.unwrap().code, code);
    assert_eq!(observer.closes(CloseCode::WrongPhase), 1);

    let late = [unmasked(TEXT, br#"{"type":"round_ended"}"#), close(code, "wrong_phase")].concat();
    assert!(connect(&fake::sending(late).await, Role::Host).await.0.closed().await.is_err());
    for (code, reason) in [(code, "wrong_role"), (code, "wrong_phase\u{e9}"), (3999, "mine"), (code, "wrong_phases")] {
        let (mut connection, _) = connect(&fake::sending(close(code, reason)).await, Role::Host).await;
        assert!(connection.closed().await.is_err(), "{code} {reason}");
    }
    assert!(connect(&fake::sending(unmasked(CLOSE, b"")).await, Role::Host).await.0.closed().await.is_err());
}

#[tokio::test]
async fn fragments_with_a_ping_between_are_one_message() {
    let parts = [unmasked(0x01, br#"{"type":"#), unmasked(0x89, b"p"), unmasked(0x80, br#""round_ended"}"#)].concat();
    let (mut connection, observer) = connect(&fake::sending(parts).await, Role::Player).await;
    assert_eq!(connection.message().await.unwrap(), json!({ "type": "round_ended" }));
    assert_eq!(observer.messages("round_ended", Role::Player), 1);
    assert_eq!(observer.messages("round_ended", Role::Host), 0);
}

#[tokio::test]
async fn wrong_shapes_wrong_audiences_and_keys_fail_where_they_arrive() {
    let cases = [
        (Role::Host, r#"{"type":"round_ended","payload":{}}"#),
        (Role::Host, r#"{"type":"round_ended","more":1}"#),
        (Role::Host, r#"{"type":"answer_accepted","payload":{"questionId":"00000000-0000-0000-0000-000000000000"}}"#),
        (Role::Player, r#"{"type":"round_review","payload":{"answers":[]}}"#),
        (Role::Player, r#"{"type":"scoreboard_update","payload":{"questionId":"x","answerCount":1}}"#),
        (Role::Player, r#"{"type":"lobby_update","payload":{"players":[{"id":"x","displayName":"A"}]}}"#),
        (Role::Player, r#"{"type":"lobby_update","payload":{}}"#),
        (Role::Player, r#"{"type":"make_tea"}"#),
        (Role::Player, "[]"),
    ];
    for (role, text) in cases {
        let (mut connection, _) = connect(&fake::sending(unmasked(TEXT, text.as_bytes())).await, role).await;
        assert!(connection.message().await.is_err(), "{text}");
    }
    let board = r#"{"type":"game_ended","payload":{"leaderboard":[{"playerId":"00000000-0000-0000-0000-000000000000",
        "displayName":"the key","score":0,"rank":1}]}}"#;
    let target = fake::sending(unmasked(TEXT, board.as_bytes())).await;
    let (mut connection, _) = connect(&target, Role::Player).await;
    connection.message().await.unwrap();
    let (mut connection, observer) = connect(&target, Role::Player).await;
    observer.guard("the key");
    assert!(connection.message().await.is_err(), "a key passed");
}

#[tokio::test]
async fn an_extension_is_for_those_who_asked_and_for_their_role() {
    let status = r#"{"type":"host_status","payload":{"connected":true}}"#;
    let room = r#"{"type":"room_update","payload":{"whole":true,"players":[],"total":0,"connected":0,"locked":false}}"#;
    let odd = r#"{"type":"room_update","payload":{"whole":true,"players":[{"id":"00000000-0000-0000-0000-000000000000",
        "displayName":"A","status":"asleep"}],"total":0,"connected":0,"locked":false}}"#;
    let cases = [
        (Role::Player, Dialect::Interface, status, false),
        (Role::Host, Dialect::Interface, room, false),
        (Role::Player, Dialect::QuizhallV1, status, true),
        (Role::Host, Dialect::QuizhallV1, room, true),
        (Role::Player, Dialect::QuizhallV1, room, false),
        (Role::Host, Dialect::QuizhallV1, odd, false),
    ];
    for (role, dialect, text, passes) in cases {
        let (connection, _) = connect(&fake::sending(unmasked(TEXT, text.as_bytes())).await, role).await;
        let message = connection.speaking(dialect).message().await;
        assert_eq!(message.is_ok(), passes, "{role:?} {dialect:?} {text}");
    }
}

#[tokio::test]
async fn a_lost_connection_is_no_close() {
    let (mut connection, _) = connect(&fake::answering(fake::SWITCHING.as_bytes()).await, Role::Host).await;
    assert!(connection.closed().await.is_err());
}
