//! A player's socket without a game, on loopback: the test sends through the server's end and holds the client's.

use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use quizhall::config::Config;
use quizhall::games::Sink as _;
use quizhall::moment::Moment;
use quizhall::ws::{Audience, Connection, Session, Sockets, UpgradedStream};
use quizhall_engine::{FrameKind, Seat};
use quizhall_protocol::{CloseCode, Dialect, Role, frame as server_frame};
use quizhall_rules::GameId;
use serde_json::json;
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;

use crate::ws_stage::TIMEOUT;
use crate::ws_wire::frame;

/// Both ends of a socket. The kernel holds as few bytes as it can.
pub struct Line {
    pub connection: Arc<Connection>,
    pub client: TcpStream,
}

/// Passes the connection to the test, and takes every message.
struct Handing {
    to: Sender<Arc<Connection>>,
    then_reads: bool,
}

impl Audience for Handing {
    async fn attach(&self, connection: &Arc<Connection>) -> Result<(), CloseCode> {
        let _ = self.to.try_send(Arc::clone(connection));
        if !self.then_reads {
            pending::<()>().await;
        }
        Ok(())
    }

    fn receive(&self, _: &Connection, _: &str) -> Option<BoxFuture<'static, ()>> {
        None
    }

    fn receive_binary(&self, _: &Connection, _: &Bytes) {}

    async fn detach(&self, _: &Connection, _: bool) {}

    fn participant(&self) -> Option<(GameId, Seat)> {
        None
    }
}

impl Line {
    pub async fn open(sockets: &Sockets) -> Self {
        Self::begin(sockets, Moment::END, true).await
    }

    /// With a token that ends at `expires`.
    pub async fn until(sockets: &Sockets, expires: Moment) -> Self {
        Self::begin(sockets, expires, true).await
    }

    /// The socket's own task does not read what the client sends.
    pub async fn unread(sockets: &Sockets) -> Self {
        Self::begin(sockets, Moment::END, false).await
    }

    async fn begin(sockets: &Sockets, expires: Moment, then_reads: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        SockRef::from(&listener).set_recv_buffer_size(4_096).unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (client, stream) = (client.unwrap(), accepted.unwrap().0);
        SockRef::from(&stream).set_send_buffer_size(4_096).unwrap();
        SockRef::from(&client).set_recv_buffer_size(4_096).unwrap();
        let address = IpAddr::from([127, 0, 0, 1]).into();
        let session = Session { role: Role::Player, dialect: Dialect::Interface, address, token: None, expires };
        let (to, mut handed) = channel(1);
        let upgraded = UpgradedStream { stream, first: Bytes::new(), held: None };
        sockets.serve(upgraded, Handing { to, then_reads }, session, sockets.reserve().unwrap());
        Self { connection: handed.recv().await.unwrap(), client }
    }

    /// Sends until something waits.
    pub fn clog(&self, sockets: &Sockets) {
        let before = sockets.stats().queued_bytes;
        for _ in 0..10_000 {
            self.connection.send(text("clog", 2_000), FrameKind::Queued);
            if sockets.stats().queued_bytes > before {
                return;
            }
        }
        panic!("the kernel takes everything");
    }

    /// What the client receives until this has come.
    pub async fn received(&mut self, wanted: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        while !bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes()) {
            let read = timeout(TIMEOUT, self.client.read_buf(&mut bytes)).await;
            assert!(matches!(read, Ok(Ok(1..))), "{wanted:?} does not come behind {} bytes", bytes.len());
        }
        bytes
    }

    /// The same up to a close with this reason, which the client answers. Nothing follows it.
    pub async fn closed(&mut self, reason: &str) -> String {
        let mut bytes = self.received(reason).await;
        self.client.write_all(&frame(0x88, &1_000_u16.to_be_bytes())).await.unwrap();
        timeout(TIMEOUT, self.client.read_to_end(&mut bytes)).await.unwrap().unwrap();
        let all = String::from_utf8_lossy(&bytes).into_owned();
        assert!(all.ends_with(reason), "{all}");
        all
    }
}

/// A message that ends with its word.
pub fn text(word: &str, padding: usize) -> Bytes {
    server_frame::text(&json!({"padding": "x".repeat(padding), "word": word}))
}

/// Room for sockets of which none is closed because the machine is slow.
pub fn sockets(settings: &[(&str, &str)]) -> Sockets {
    let patient = [("WRITE_TIMEOUT", "60s"), ("CLOSE_TIMEOUT", "60s")];
    let limits = Config::from_pairs(&[&patient, settings].concat()).unwrap().sockets;
    let budget = limits.outbound_budget.unwrap_or(64 << 20);
    Sockets::start(limits, 100, budget)
}
