//! Broadcasts to more sockets than the game's task writes by itself, on loopback.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use quizhall_protocol::{Dialect, frame};
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use super::*;
use crate::config::Config;
use crate::ws::Sockets;
use crate::ws::testing::Pair;

/// More than the game's task writes by itself; each takes two descriptors, and a machine may have 1,024 for everything.
const MANY: usize = FEW + 90;

/// Connections, every third with the extension.
async fn many() -> (Attached, Vec<Pair>) {
    let config = Config::from_pairs(&[("UPGRADES_PER_SECOND", "1000000"), ("PING_INTERVAL", "5m")]).unwrap();
    let sockets = Sockets::start(config.sockets, 2 * MANY, 64 << 20);
    let attached = Attached::default();
    let mut pairs = Vec::new();
    for number in 0..MANY {
        let dialect = if number % 3 == 0 { Dialect::QuizhallV1 } else { Dialect::Interface };
        let pair = Pair::open(&sockets, dialect).await;
        attached.insert(pair.connection());
        pairs.push(pair);
    }
    (attached, pairs)
}

fn numbered(number: usize) -> Bytes {
    frame::text(&json!({ "type": "message", "payload": { "number": number } }))
}

fn longer(number: usize) -> Bytes {
    frame::text(&json!({ "type": "message", "payload": { "number": number, "more": "of the extension" } }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_big_broadcast_reaches_each_socket_once_and_in_order() {
    let (attached, mut pairs) = many().await;
    let mut expected = [Vec::new(), Vec::new()];
    for number in 0..20 {
        let (message, recipients) = match number % 4 {
            0 => (Frames::extension(numbered(number)), MANY.div_ceil(3)),
            1 => (Frames::each(numbered(number), longer(number)), MANY),
            _ => (Frames::shared(numbered(number)), MANY),
        };
        assert_eq!(attached.broadcast(&message, FrameKind::Queued).await, recipients);
        if number % 4 != 0 {
            expected[0].extend_from_slice(&numbered(number));
        }
        expected[1].extend_from_slice(&if number % 4 == 1 { longer(number) } else { numbered(number) });
    }
    let kept = pairs[7].connection().id();
    attached.remove(kept).unwrap();
    assert_eq!(attached.broadcast(&Frames::shared(numbered(99)), FrameKind::Queued).await, MANY - 1);
    // The end follows the last byte, so any byte in between would show that a frame is missing or repeated.
    for (number, pair) in pairs.iter_mut().enumerate() {
        let mut wanted = expected[usize::from(number % 3 == 0)].clone();
        if number != 7 {
            wanted.extend_from_slice(&numbered(99));
        }
        pair.hang_up();
        let mut received = Vec::new();
        timeout(Duration::from_secs(20), pair.client.read_to_end(&mut received)).await.unwrap().unwrap();
        assert!(received == wanted, "socket {number}: {} bytes instead of {}", received.len(), wanted.len());
    }
}
