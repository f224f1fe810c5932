//! Reading without the runtime, on loopback: no data are missed, and no task is woken without need.

#![allow(clippy::unwrap_used)]

use std::future::poll_fn;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use super::super::registry::Sockets;
use super::super::testing::Pair;
use super::super::watch::MOST_ON_THE_WAY;
use super::*;
use crate::config::Config;

const BUFFER: usize = 1_000;

async fn pair() -> Pair {
    let limits = Config::from_pairs(&[]).unwrap().sockets;
    Pair::open(&Sockets::start(limits, 1, 1 << 20), Dialect::Interface).await
}

/// Reads this many bytes, in as many turns as needed.
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

/// Less than a buffer, exactly one, and several; each time later data are read as well.
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

/// The player's phone does not read for three seconds, reads everything, and answers at once. Points for speed count
/// the three seconds, minus the round trip that was measured before.
#[tokio::test]
async fn a_client_that_stops_reading_gains_no_time() {
    const ASLEEP: Duration = Duration::from_secs(3);
    let (mut pair, question) = (pair().await, QuestionId::from(uuid::Uuid::from_u128(1)));
    let connection = pair.connection();
    let start = connection.shared.now();
    connection.watch.note_pong(start.plus(ASLEEP));
    assert_eq!(connection.watch.most_on_the_way(), MOST_ON_THE_WAY, "it answers no ping");
    connection.watch.note_ping(start);
    connection.watch.note_pong(start.plus(Duration::from_millis(50)));
    let mut filling = 0;
    while connection.standing() == Standing::Flowing {
        let frame = Bytes::from(vec![b'x'; 60_000]);
        filling += frame.len();
        connection.push(frame, Key::Plain);
    }
    connection.push(Bytes::from_static(b"question"), Key::Asks(question));
    assert_eq!(connection.elapsed_since(question), None);
    tokio::time::sleep(ASLEEP).await;
    let flushing = poll_fn(|context| connection.poll_flush(context));
    let mut all = vec![0; filling + b"question".len()];
    let (flushed, read) = tokio::join!(flushing, pair.client.read_exact(&mut all));
    assert!(flushed.is_ok() && read.is_ok() && all.ends_with(b"question"));
    connection.watch.received.set(connection.shared.now());
    let elapsed = connection.elapsed_since(question).unwrap();
    assert!((2_950..20_000).contains(&elapsed), "{elapsed} ms");
}
