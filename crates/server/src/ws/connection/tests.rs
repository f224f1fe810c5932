//! Reading past the runtime, on loopback: nothing is missed, and no task is woken without need.

#![allow(clippy::unwrap_used)]

use std::future::poll_fn;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use super::super::registry::Sockets;
use super::super::testing::Pair;
use super::*;
use crate::config::Config;

const BUFFER: usize = 1_000;

async fn pair() -> Pair {
    let limits = Config::from_pairs(&[]).unwrap().sockets;
    Pair::open(&Sockets::start(limits, 1, 1 << 20), Dialect::Interface).await
}

/// Reads so many bytes, in as many turns as it takes.
async fn read(connection: &Connection, count: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < count {
        let mut buffer = [0; BUFFER];
        let reading = poll_fn(|context| connection.poll_read(context, &mut buffer));
        let read = timeout(Duration::from_secs(20), reading).await.unwrap().unwrap();
        all.extend_from_slice(&buffer[..read]);
    }
    all
}

/// Whether there is nothing to read at present, and no waiting task is woken.
async fn is_quiet(connection: &Connection) -> bool {
    let (mut buffer, mut asked) = ([0; BUFFER], 0);
    let reading = poll_fn(|context| {
        asked += 1;
        connection.poll_read(context, &mut buffer)
    });
    let silent = timeout(Duration::from_millis(50), reading).await.is_err();
    silent && asked <= 3
}

/// Less than a buffer, exactly one, some; each time what comes later is read as well.
#[tokio::test]
async fn everything_that_comes_is_read_and_then_nothing() {
    let mut pair = pair().await;
    let connection = pair.connection();
    assert!(is_quiet(&connection).await);
    for count in [1, BUFFER - 1, BUFFER, BUFFER + 1, 10 * BUFFER, 2 * BUFFER, 1] {
        let sent: Vec<u8> = (0..=255).cycle().take(count).collect();
        pair.client.write_all(&sent).await.unwrap();
        assert!(read(&connection, count).await == sent, "{count} bytes");
        assert!(is_quiet(&connection).await, "behind {count} bytes");
    }
}

/// What a client sends right before it closes is read.
#[tokio::test]
async fn the_end_comes_behind_the_last_byte() {
    let mut pair = pair().await;
    let connection = pair.connection();
    pair.client.write_all(b"the end").await.unwrap();
    pair.client.shutdown().await.unwrap();
    assert_eq!(read(&connection, 7).await, b"the end");
    let mut buffer = [0; BUFFER];
    let end = poll_fn(|context| connection.poll_read(context, &mut buffer));
    assert_eq!(timeout(Duration::from_secs(20), end).await.unwrap(), Err(Lost));
}
