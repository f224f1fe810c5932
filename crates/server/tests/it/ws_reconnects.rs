//! A player that opens sockets again and again: what it receives, and which sockets stay open.

use std::time::Duration;

use crate::ws_stage::{HOST, Stage};
use crate::ws_wire::{Frame, Handshake, Wire, frame, header_of};

/// The time window in a close reason, in seconds.
fn window(reason: &str) -> (u64, u64) {
    let window = reason.strip_prefix("rate_limited: reconnects; retry=").unwrap_or_else(|| panic!("{reason}"));
    let (from, to) = window.split_once('-').unwrap();
    (from.parse().unwrap(), to.parse().unwrap())
}

async fn is_alive(wire: &mut Wire) -> bool {
    wire.raw(&frame(0x89, b"alive")).await;
    loop {
        match wire.next().await {
            Frame::Pong(data) => return data == b"alive",
            Frame::Close(..) | Frame::End => return false,
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_seventh_socket_in_ten_seconds_is_refused_with_a_delay_and_replaces_nothing() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let (flapping, calm) = (stage.join(&game, "Ann").await, stage.join(&game, "Bob").await);
    let path = format!("/ws/{}", game.code);
    let mut last = None;
    for _ in 0..6 {
        let mut wire = stage.socket(&game.code, &flapping).await;
        assert!(is_alive(&mut wire).await);
        last = Some(wire);
    }
    let mut kept = last.unwrap();
    for _ in 0..6 {
        let mut refused = stage.knock(&path, &Handshake::bearer(&flapping)).await.unwrap();
        let (code, reason) = refused.closed().await;
        assert_eq!((code, window(&reason)), (4_008, (2, 4)));
    }
    let ignored = stage.knock(&path, &Handshake::bearer(&flapping)).await.err().unwrap();
    assert!(ignored.starts_with("HTTP/1.1 503"), "{ignored}");
    assert_eq!(header_of(&ignored, "retry-after"), Some("4"));
    assert!(is_alive(&mut kept).await, "the socket that was accepted stays open");
    assert!(is_alive(&mut stage.socket(&game.code, &calm).await).await, "another player of the game");
    assert!(is_alive(&mut stage.socket(&game.code, HOST).await).await, "the host");
    // A client that waits as long as asked is accepted.
    drop(kept);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(is_alive(&mut stage.socket(&game.code, &flapping).await).await);
}

/// A client under test makes every mistake, each on a socket of its own, and receives the reason every time.
#[tokio::test]
async fn sockets_that_end_with_a_refused_message_are_not_counted() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    // More than a player may open.
    for _ in 0..13 {
        let mut wire = stage.socket(&game.code, &token).await;
        wire.raw(&frame(0x81, b"no JSON")).await;
        assert_eq!(wire.closed().await, (4_000, "invalid_json".to_owned()));
    }
}
