//! Broadcasts to more sockets than the game's task writes to itself, on loopback.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use quizhall_protocol::frame;
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use super::*;
use crate::config::Config;
use crate::socket::Sockets;
use crate::socket::testing::Pair;

/// More than the game's task writes to itself; two descriptors each, and a machine may have 1,024 for everything.
const MANY: usize = FEW + 90;

/// Connections, of which every third speaks the extension.
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

fn news(number: usize) -> Bytes {
    frame::text(&json!({ "type": "news", "payload": { "number": number } }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_big_broadcast_reaches_everybody_once_and_in_order() {
    let (attached, mut pairs) = many().await;
    let mut expected = [Vec::new(), Vec::new()];
    for number in 0..20 {
        let audience = if number % 4 == 0 { Audience::V1 } else { Audience::All };
        let heard = attached.broadcast(audience, &news(number), FrameKind::Queued).await;
        expected[1].extend_from_slice(&news(number));
        match audience {
            Audience::All => {
                assert_eq!(heard, MANY);
                expected[0].extend_from_slice(&news(number));
            }
            Audience::V1 => assert_eq!(heard, MANY.div_ceil(3)),
        }
    }
    let kept = pairs[7].connection().id();
    attached.remove(kept).unwrap();
    assert_eq!(attached.broadcast(Audience::All, &news(99), FrameKind::Queued).await, MANY - 1);
    // Behind the last byte comes the end: whatever stands between is one frame too many or too few.
    for (number, pair) in pairs.iter_mut().enumerate() {
        let mut wanted = expected[usize::from(number % 3 == 0)].clone();
        if number != 7 {
            wanted.extend_from_slice(&news(99));
        }
        pair.hang_up();
        let mut heard = Vec::new();
        timeout(Duration::from_secs(20), pair.client.read_to_end(&mut heard)).await.unwrap().unwrap();
        assert!(heard == wanted, "socket {number}: {} bytes instead of {}", heard.len(), wanted.len());
    }
}
