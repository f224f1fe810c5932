//! `ws::connection`: frames wait for a client that does not read, and reading needs no runtime.

use std::future::poll_fn;
use std::time::{Duration, Instant};

use bytes::Bytes;
use quizhall::games::Sink as _;
use quizhall::ws::{Connection, Lost};
use quizhall_engine::{Closing, FrameKind};
use quizhall_protocol::CloseCode;
use quizhall_rules::QuestionId;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use super::ws_line::{Line, sockets, text};
use crate::ws_stage::TIMEOUT;
use crate::ws_wire::frame;

const BUFFER: usize = 1_000;

#[tokio::test]
async fn what_waits_arrives_in_order_with_the_newest_state_and_the_first_close() {
    let sockets = sockets(&[]);
    let mut line = Line::open(&sockets).await;
    let connection = line.connection.clone();
    line.clog(&sockets);
    for number in 0..200 {
        connection.send(text(&format!("lobby{number}."), 0), FrameKind::Replace(7));
    }
    connection.send(text("round_over", 0), FrameKind::Closes(Closing::Round));
    connection.send(text("lobby-last", 0), FrameKind::Replace(7));
    assert_eq!(connection.closings_written(), 0);
    connection.close(CloseCode::Replaced.into());
    connection.close(CloseCode::GameOver.into());
    connection.send(text("after", 0), FrameKind::Queued);
    let seen = line.closed("replaced").await;
    assert_eq!(seen.matches("lobby").count(), 1, "one state, the last");
    assert!(seen.find("lobby-last").unwrap() < seen.find("round_over").unwrap(), "in the place of the first");
    assert_eq!(connection.closings_written(), 1);
}

#[tokio::test]
async fn the_message_too_many_closes_with_4101_and_drops_the_rest() {
    let sockets = sockets(&[]);
    let mut line = Line::open(&sockets).await;
    line.clog(&sockets);
    for _ in 0..70 {
        line.connection.send(text("small", 0), FrameKind::Queued);
    }
    assert!(sockets.stats().queued_bytes < 5_000, "what waited is dropped");
    assert!(!line.closed("slow_consumer").await.contains("small"));
}

/// Reads this many bytes, in as many turns as needed.
async fn read(connection: &Connection, count: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < count {
        let mut buffer = [0; BUFFER];
        let reading = poll_fn(|context| connection.poll_read(context, &mut buffer));
        let read = timeout(TIMEOUT, reading).await.unwrap().unwrap();
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

/// Less than a buffer, exactly one, and several; each time later data are read as well. What a client sends right before it closes is
/// read before the end.
#[tokio::test]
async fn everything_that_comes_is_read_and_then_nothing() {
    let Line { connection, mut client } = Line::unread(&sockets(&[])).await;
    assert!(is_quiet(&connection).await);
    for count in [1, BUFFER - 1, BUFFER, BUFFER + 1, 10 * BUFFER, 2 * BUFFER, 1] {
        let sent: Vec<u8> = (0..=255).cycle().take(count).collect();
        client.write_all(&sent).await.unwrap();
        assert!(read(&connection, count).await == sent, "{count} bytes");
        assert!(is_quiet(&connection).await, "behind {count} bytes");
    }
    client.write_all(b"the end").await.unwrap();
    client.shutdown().await.unwrap();
    assert_eq!(read(&connection, 7).await, b"the end");
    let mut buffer = [0; BUFFER];
    let end = poll_fn(|context| connection.poll_read(context, &mut buffer));
    assert_eq!(timeout(TIMEOUT, end).await.unwrap(), Err(Lost));
}

/// The player's phone does not read for a second, reads everything, and answers at once. Points for speed count the second, minus the
/// round trip that was measured before.
#[tokio::test]
async fn a_client_that_stops_reading_gains_no_time() {
    const ASLEEP: Duration = Duration::from_secs(1);
    let (sockets, question) = (sockets(&[("PING_INTERVAL", "100ms")]), QuestionId::from(uuid::Uuid::from_u128(1)));
    let opened = Instant::now();
    let mut line = Line::open(&sockets).await;
    let pong = frame(0x8a, b"");
    // The first pong answers no ping, so it measures nothing.
    line.client.write_all(&pong).await.unwrap();
    // The length of the server's ping.
    line.received("\0").await;
    line.client.write_all(&[pong, frame(0x89, b"heard")].concat()).await.unwrap();
    line.received("heard").await;
    let round_trip = opened.elapsed();
    line.clog(&sockets);
    line.connection.send(Bytes::from_static(b"question"), FrameKind::Asks(question));
    assert_eq!(line.connection.elapsed_since(question), None);
    let begun = Instant::now();
    tokio::time::sleep(ASLEEP).await;
    line.received("question").await;
    line.client.write_all(&frame(0x89, b"answer")).await.unwrap();
    line.received("answer").await;
    let elapsed = line.connection.elapsed_since(question).unwrap();
    let least = (ASLEEP.saturating_sub(round_trip)).as_millis();
    assert!((least..=begun.elapsed().as_millis() + 1).contains(&elapsed.into()), "{elapsed} ms of at least {least}");
}
