//! Connections with a peer that does not read, on loopback: bounds, replaced states, budget, deadlines.

#![allow(clippy::unwrap_used)]

use bytes::Bytes;
use quizhall_engine::{Closing, FrameKind};
use quizhall_protocol::{Role, frame};
use serde_json::json;
use socket2::SockRef;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};

use crate::config::Config;

use super::super::registry::{Registered, Session, Sockets};
use super::*;

/// A socket of the server, the client's end of it, and what keeps it open.
struct Pair {
    registered: Registered,
    client: TcpStream,
}

impl Pair {
    /// With the smallest buffers that the kernel gives.
    async fn open(sockets: &Sockets) -> Self {
        Self::until(sockets, Moment::END).await
    }

    /// With a token that ends at `expires`.
    async fn until(sockets: &Sockets, expires: Moment) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        SockRef::from(&listener).set_recv_buffer_size(4_096).unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (client, server) = (client.unwrap(), accepted.unwrap().0);
        SockRef::from(&server).set_send_buffer_size(4_096).unwrap();
        SockRef::from(&client).set_recv_buffer_size(4_096).unwrap();
        let session = Session {
            role: Role::Player,
            dialect: quizhall_protocol::Dialect::Interface,
            address: std::net::IpAddr::from([127, 0, 0, 1]).into(),
            token: None,
            expires,
        };
        let registered = sockets.open(server, session, sockets.reserve().unwrap());
        Self { registered, client }
    }

    fn connection(&self) -> &Connection {
        &self.registered.connection
    }

    /// Sends until something waits.
    fn clog(&self) {
        for _ in 0..10_000 {
            if matches!(self.connection().standing(), Standing::Waiting { .. }) {
                return;
            }
            self.connection().send(text("clog", 2_000), FrameKind::Queued);
        }
        panic!("the kernel takes everything");
    }

    /// Reads and flushes until nothing more comes; returns everything that the client received.
    async fn drained(&mut self) -> String {
        let connection = Arc::clone(&self.registered.connection);
        let flush = std::future::poll_fn(|context| {
            connection.register(context.waker());
            connection.poll_flush(context)
        });
        let mut bytes = Vec::new();
        let read = async {
            let mut flushed = std::pin::pin!(flush);
            let mut done = false;
            loop {
                tokio::select! {
                    outcome = &mut flushed, if !done => {
                        outcome.unwrap();
                        done = true;
                        connection.shut_down();
                    }
                    read = self.client.read_buf(&mut bytes) => if read.unwrap() == 0 { break },
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), read).await.unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn text(word: &str, padding: usize) -> Bytes {
    frame::text(&json!({"type": word, "payload": "x".repeat(padding)}))
}

fn sockets(settings: &[(&str, &str)]) -> Sockets {
    let limits = Config::from_pairs(settings).unwrap().sockets;
    let budget = limits.outbound_budget.unwrap_or(64 << 20);
    Sockets::start(limits, 100, budget)
}

#[tokio::test]
async fn states_are_conflated_and_everything_else_arrives_in_order() {
    let sockets = sockets(&[]);
    let mut pair = Pair::open(&sockets).await;
    pair.clog();
    for number in 0..200 {
        pair.connection().send(text(&format!("lobby{number}."), 0), FrameKind::Replace(7));
    }
    pair.connection().send(text("round_over", 0), FrameKind::Closes(Closing::Round));
    pair.connection().send(text("lobby-last", 0), FrameKind::Replace(7));
    assert_eq!(pair.connection().closings_written(), 0);
    let seen = pair.drained().await;
    assert_eq!(seen.matches("lobby").count(), 1, "one state, the last");
    assert!(seen.find("lobby-last").unwrap() < seen.find("round_over").unwrap(), "in the place of the first");
    assert_eq!(pair.connection().closings_written(), 1);
}

/// The list of a lobby of 2,000, some 180 KB, is sent whole several times a second while the lobby fills. Two lists are
/// more than may pile up.
#[tokio::test]
async fn a_phone_that_is_slow_in_a_big_lobby_keeps_its_line() {
    const LOBBY: usize = 180_000;
    let sockets = sockets(&[]);
    let mut pair = Pair::open(&sockets).await;
    for number in 0..10 {
        pair.connection().send(text(&format!("lobby{number}."), LOBBY), FrameKind::Replace(7));
        assert!(matches!(pair.connection().standing(), Standing::Waiting { .. }), "list {number}");
    }
    assert!(sockets.stats().queued_bytes < 3 * LOBBY, "one that is begun, and the newest");
    pair.connection().send(text("game_started", 0), FrameKind::Queued);
    SockRef::from(&pair.client).set_recv_buffer_size(1 << 20).unwrap();
    let seen = pair.drained().await;
    assert_eq!(seen.matches("lobby").count(), 2);
    assert!(seen.find("lobby9.").unwrap() < seen.find("game_started").unwrap());
}

#[tokio::test]
async fn the_message_too_many_closes_with_4101_and_drops_the_rest() {
    let sockets = sockets(&[]);
    let mut pair = Pair::open(&sockets).await;
    pair.clog();
    for _ in 0..70 {
        pair.connection().send(text("small", 0), FrameKind::Queued);
    }
    assert!(matches!(pair.connection().standing(), Standing::Closing(_)));
    assert!(sockets.stats().queued_bytes < 5_000, "what waited is dropped");
    let seen = pair.drained().await;
    assert!(seen.ends_with("slow_consumer"), "the close is the last word");
    assert!(!seen.contains("small"));
}

#[tokio::test]
async fn past_the_budget_those_longest_behind_go_first() {
    let sockets = sockets(&[("OUTBOUND_BUDGET", "1MiB")]);
    let mut pairs = Vec::new();
    for _ in 0..6 {
        let pair = Pair::open(&sockets).await;
        pair.clog();
        pairs.push(pair);
    }
    // Each may have 256 KiB, and six times that is more than the budget.
    for round in 0..25 {
        for pair in &pairs {
            pair.connection().send(text(&format!("r{round}"), 8_000), FrameKind::Queued);
        }
        tokio::task::yield_now().await;
    }
    let end = tokio::time::Instant::now() + Duration::from_secs(20);
    while sockets.stats().queued_bytes > 1 << 20 {
        assert!(tokio::time::Instant::now() < end);
        tokio::task::yield_now().await;
    }
    let closed: Vec<bool> =
        pairs.iter().map(|pair| matches!(pair.connection().standing(), Standing::Closing(_))).collect();
    assert!(closed[0], "the first to fall behind is closed");
    assert!(!closed[5], "the last is not");
    assert!(closed.is_sorted_by(|earlier, later| earlier >= later), "in the order of falling behind: {closed:?}");
}

#[tokio::test]
async fn nothing_follows_a_close_and_the_first_close_counts() {
    let sockets = sockets(&[]);
    let mut pair = Pair::open(&sockets).await;
    pair.connection().send(text("before", 0), FrameKind::Queued);
    pair.connection().close(CloseCode::Replaced.into());
    pair.connection().close(CloseCode::GameOver.into());
    pair.connection().send(text("after", 0), FrameKind::Queued);
    let seen = pair.drained().await;
    assert!(seen.contains("before") && seen.ends_with("replaced"), "{seen:?}");
}

#[tokio::test]
async fn a_closed_socket_gives_its_place_back() {
    let limits = Config::from_pairs(&[]).unwrap().sockets;
    let sockets = Sockets::start(limits, 1, 1 << 20);
    let pair = Pair::open(&sockets).await;
    assert!(sockets.reserve().is_err());
    assert_eq!(sockets.count(), 1);
    drop(pair);
    assert_eq!(sockets.count(), 0);
    assert!(sockets.reserve().is_ok());
}

#[tokio::test]
async fn a_socket_ends_with_its_token() {
    let sockets = sockets(&[("CLOSE_TIMEOUT", "50ms")]);
    let mut stays = Pair::open(&sockets).await;
    let mut pair = Pair::until(&sockets, sockets.now().plus(Duration::from_millis(30))).await;
    let end = tokio::time::Instant::now() + Duration::from_secs(20);
    while !matches!(pair.connection().standing(), Standing::Closing(_)) {
        assert!(tokio::time::Instant::now() < end, "the token has ended, the socket has not");
        tokio::task::yield_now().await;
    }
    assert!(pair.drained().await.ends_with("unauthorized"));
    assert_eq!(stays.connection().standing(), Standing::Flowing);
    stays.connection().close(CloseCode::GameOver.into());
    assert!(stays.drained().await.ends_with("game_over"));
}

#[test]
fn a_sweep_over_many_sockets_is_made_in_parts() {
    let half = Duration::from_millis(500);
    assert_eq!(parts_of(0, half), 1);
    assert_eq!(parts_of(AT_ONCE, half), 1);
    assert_eq!(parts_of(AT_ONCE * 10, half), 10);
    assert_eq!(parts_of(100_000, half), SHARDS);
    assert_eq!(parts_of(100_000, Duration::from_millis(5)), 1, "no finer than timers are");
}
