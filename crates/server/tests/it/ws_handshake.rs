//! Which clients are accepted at `/ws/{gameCode}`, and how the others are refused (messages.md#connecting).

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::ws_stage::{HOST, Stage, TIMEOUT};
use crate::ws_wire::{Frame, Handshake, frame, header_of};

/// The status of an answer that was not 101.
fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn bytes_that_come_with_the_handshake_are_not_lost() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let mut handshake = Handshake::bearer(HOST).with("Sec-WebSocket-Protocol", "quizhall.v1");
    for message in [json!({"type": "ping"}), json!({"type": "start_game"})] {
        handshake.early.extend(frame(0x81, message.to_string().as_bytes()));
    }
    handshake.early.extend(frame(0x89, b"early"));
    let mut wire = stage.knock(&format!("/ws/{}", game.code), &handshake).await.unwrap();
    let (mut received, mut ponged) = (Vec::new(), false);
    while !(ponged && received.contains(&"round_started".to_owned())) {
        match wire.next().await {
            Frame::Text(text) => received.push(kind_of(&text)),
            Frame::Pong(data) => ponged |= data == b"early",
            other => panic!("{other:?}"),
        }
    }
    let at = |kind: &str| received.iter().position(|one| one == kind);
    assert_eq!((at("host_status"), at("pong").is_some()), (Some(0), true), "{received:?}");
    let is_behind = at("room_update").is_some() && at("room_update") < at("pong");
    assert!(is_behind && at("pong") < at("round_started"), "not behind the sync: {received:?}");
}

fn kind_of(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).unwrap()["type"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_request_that_is_no_handshake_is_plain_http_and_opens_no_socket() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let path = format!("/ws/{}", game.code);
    for (header, value, expected) in [
        ("Upgrade", "", 426),
        ("Upgrade", "h2c", 426),
        ("Connection", "close", 426),
        ("Sec-WebSocket-Version", "8", 426),
        ("Sec-WebSocket-Key", "no base64", 400),
        ("Sec-WebSocket-Key", "tooshort", 400),
        ("sec-websocket-key", "a second key", 400),
        ("Host", "", 400),
        ("Origin", "https://evil.example", 403),
    ] {
        let answer = stage.knock(&path, &Handshake::bearer(HOST).with(header, value)).await.err().unwrap();
        assert_eq!(status(&answer), expected, "{header}: {value}");
        assert_eq!(header_of(&answer, "content-type"), Some("application/problem+json"));
        if expected == 426 {
            assert_eq!(header_of(&answer, "sec-websocket-version"), Some("13"));
        }
    }
    let get = Handshake::bearer(HOST).request(&path);
    let head = String::from_utf8(get).unwrap().replacen("GET", "HEAD", 1);
    let answer = head_of(&stage, head).await;
    assert_eq!((status(&answer), header_of(&answer, "allow")), (405, Some("GET")), "{answer}");
    assert_eq!(stage.running.app().sockets.count(), 0);
    a_request_names_one_host(&stage).await;
}

async fn a_request_names_one_host(stage: &Stage) {
    let request = |version: &str, hosts: &str| format!("GET /healthz HTTP/{version}\r\n{hosts}\r\n");
    for (version, hosts, expected) in [
        ("1.1", "", 400),
        ("1.1", "Host: localhost\r\nHost: elsewhere\r\n", 400),
        ("1.0", "", 200),
        ("1.0", "Host: localhost\r\nHost: elsewhere\r\n", 400),
    ] {
        let answer = head_of(stage, request(version, hosts)).await;
        assert_eq!(status(&answer), expected, "{version} {hosts:?}: {answer}");
        if expected == 400 {
            assert_eq!(header_of(&answer, "content-type"), Some("application/problem+json"));
            assert_eq!(header_of(&answer, "connection"), Some("close"));
        }
    }
}

#[tokio::test]
async fn a_full_server_says_503_and_those_inside_do_not_notice() {
    let stage = Stage::with(&[("MAX_SOCKETS", "1")]).await;
    let game = stage.game().await;
    let mut host = stage.host(&game).await;
    let player = stage.join(&game, "Ann").await;
    let path = format!("/ws/{}", game.code);
    let answer = stage.knock(&path, &Handshake::bearer(&player)).await.err().unwrap();
    assert_eq!(status(&answer), 503);
    let wait: u64 = header_of(&answer, "retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&wait));
    assert_eq!(stage.get("/healthz").await.0, 200);
    host.send(&json!({"type": "start_game"})).await;
    host.until("game_started").await;
    host.raw(&frame(0x88, &1_000_u16.to_be_bytes())).await;
    assert_eq!(host.next().await, Frame::Close(1_000, String::new()));
    assert_eq!(host.next().await, Frame::End, "the server ends TCP first");
    // The end of TCP is written slightly before the place is free again.
    let mut wire = loop {
        if let Ok(wire) = stage.knock(&path, &Handshake::bearer(&player)).await {
            break wire;
        }
    };
    wire.raw(&frame(0x89, b"")).await;
    assert_eq!(wire.next().await, Frame::Pong(Vec::new()));
}

#[tokio::test]
async fn too_many_handshakes_in_a_second_are_refused_with_a_delay() {
    let stage = Stage::with(&[("UPGRADES_PER_SECOND", "2")]).await;
    let game = stage.game().await;
    let path = format!("/ws/{}", game.code);
    let mut refused = 0;
    for _ in 0..10 {
        refused += usize::from(stage.knock(&path, &Handshake::bearer(HOST)).await.is_err());
    }
    assert!((1..10).contains(&refused), "two pass at once, later ones as time allows: {refused} refused");
    assert_eq!(stage.get("/healthz").await.0, 200, "health checks are not counted");
}

/// The answer to raw bytes, up to the end of its head.
async fn head_of(stage: &Stage, request: String) -> String {
    let mut stream = TcpStream::connect(stage.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = timeout(TIMEOUT, stream.read_buf(&mut answer)).await.expect("the server does not answer");
        assert_ne!(read.unwrap(), 0, "the connection ended without an answer");
    }
    String::from_utf8_lossy(&answer).into_owned()
}
