//! A TCP proxy on loopback, between a node and one of its stores, that causes the faults it is set to. Switched at run time.
//!
//! It behaves as TCP does: bytes arrive in order or not at all. Bytes held back by a black hole arrive when the way is open
//! again, as after a cable was plugged back in; bytes lost in a cut or a reset are lost with their connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// Most bytes read at once.
const CHUNK: usize = 16 * 1024;
/// Chunks under way per direction; at this limit the proxy stops reading from the sender, as with a full window.
const UNDER_WAY: usize = 256;

/// How the proxy treats its connections, present and future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Everything passes.
    Pass,
    /// Every connection is closed, and every new one at once.
    Cut,
    /// Connections stay open and new ones are accepted, but nothing passes in this direction.
    BlackHole(Direction),
    /// Everything passes, delayed by this time.
    Delay(Duration),
    /// The next bytes of every connection are cut in half, then the connection is reset.
    Reset,
}

/// The direction of bytes; the node is the client of its stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Both,
    ToStore,
    FromStore,
}

/// A proxy in front of one address.
pub struct Proxy {
    address: SocketAddr,
    way: watch::Sender<Way>,
    resets: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

/// The state that all connections of a proxy share.
#[derive(Clone)]
struct Rules {
    way: watch::Receiver<Way>,
    resets: Arc<AtomicUsize>,
}

impl Proxy {
    /// Listens on a free port and passes everything on to `target`.
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (way, seen) = watch::channel(Way::Pass);
        let resets = Arc::new(AtomicUsize::new(0));
        let rules = Rules { way: seen, resets: Arc::clone(&resets) };
        let accepting = tokio::spawn(accept(listener, target, rules));
        Self { address, way, resets, accepting }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the way of all connections from now on.
    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }

    /// How many connections were reset so far.
    pub fn resets(&self) -> usize {
        self.resets.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // The connections see that their switch was dropped, and end too.
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, target: SocketAddr, rules: Rules) {
    while let Ok((client, _)) = listener.accept().await {
        if *rules.way.borrow() != Way::Cut {
            tokio::spawn(carry(client, target, rules.clone()));
        }
    }
}

/// Serves one connection until it ends.
async fn carry(client: TcpStream, target: SocketAddr, rules: Rules) {
    // When the store cannot be reached, the client sees its connection end.
    let Ok(store) = TcpStream::connect(target).await else { return };
    let _ = (client.set_nodelay(true), store.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_store, to_store) = store.into_split();
    let mut way = rules.way.clone();
    let ended = tokio::select! {
        ended = pump((from_client, to_store), Direction::ToStore, rules.clone()) => ended,
        ended = pump((from_store, to_client), Direction::FromStore, rules.clone()) => ended,
        // Also ends when the proxy has been dropped.
        _ = way.wait_for(|way| *way == Way::Cut) => None,
    };
    if ended == Some(End::Reset) {
        rules.resets.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Debug, PartialEq, Eq)]
enum End {
    Reset,
}

/// Reads from one side and writes to the other until either ends. The writer is a future of its own, so that a delay holds up
/// each byte but not the reading.
async fn pump((from, to): (OwnedReadHalf, OwnedWriteHalf), direction: Direction, rules: Rules) -> Option<End> {
    let (push, pull) = mpsc::channel(UNDER_WAY);
    tokio::select! {
        () = read(from, push, rules.way.clone()) => None,
        ended = write(to, pull, (direction, rules.way)) => ended,
    }
}

async fn read(mut from: OwnedReadHalf, push: mpsc::Sender<(Instant, Vec<u8>)>, way: watch::Receiver<Way>) {
    loop {
        let mut bytes = vec![0; CHUNK];
        let Ok(count @ 1..) = from.read(&mut bytes).await else { break };
        bytes.truncate(count);
        let late = match *way.borrow() {
            Way::Delay(late) => late,
            _ => Duration::ZERO,
        };
        if push.send((Instant::now() + late, bytes)).await.is_err() {
            break;
        }
    }
    // The bytes under way still arrive; the writer ends after them.
    drop(push);
    std::future::pending::<()>().await;
}

async fn write(
    mut to: OwnedWriteHalf,
    mut pull: mpsc::Receiver<(Instant, Vec<u8>)>,
    (direction, mut way): (Direction, watch::Receiver<Way>),
) -> Option<End> {
    while let Some((due, bytes)) = pull.recv().await {
        sleep_until(due).await;
        let open = |way: &Way| !matches!(way, Way::BlackHole(held) if [direction, Direction::Both].contains(held));
        let passing = *way.wait_for(open).await.ok()?;
        if passing == Way::Reset {
            let _ = to.write_all(&bytes[..bytes.len() / 2]).await;
            // Closing now sends RST instead of FIN; a socket that is already closed needs no RST.
            let _ = to.as_ref().set_zero_linger();
            to.forget();
            return Some(End::Reset);
        }
        to.write_all(&bytes).await.ok()?;
    }
    let _ = to.shutdown().await;
    None
}

/// A connection through a proxy to an echo.
async fn through() -> (Proxy, TcpStream) {
    let echo = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = Proxy::to(echo.local_addr().unwrap()).await;
    tokio::spawn(async move {
        while let Ok((stream, _)) = echo.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.into_split();
                let _ = tokio::io::copy(&mut from, &mut to).await;
            });
        }
    });
    let stream = TcpStream::connect(proxy.address()).await.unwrap();
    (proxy, stream)
}

async fn receive(stream: &mut TcpStream, expected: &[u8]) {
    let mut bytes = vec![0; expected.len()];
    stream.read_exact(&mut bytes).await.unwrap();
    assert_eq!(bytes, expected);
}

#[tokio::test]
async fn each_way_does_what_it_says() {
    let (proxy, mut stream) = through().await;
    stream.write_all(b"before").await.unwrap();
    receive(&mut stream, b"before").await;
    for direction in [Direction::Both, Direction::ToStore, Direction::FromStore] {
        proxy.set(Way::BlackHole(direction));
        stream.write_all(b"meanwhile").await.unwrap();
        let silence = tokio::time::timeout(Duration::from_millis(50), stream.read_u8()).await;
        assert!(silence.is_err(), "{direction:?}: {silence:?}");
        proxy.set(Way::Pass);
        receive(&mut stream, b"meanwhile").await;
    }

    // Each byte is late, there and back, and the stream is not.
    proxy.set(Way::Delay(Duration::from_millis(100)));
    let begun = Instant::now();
    for _ in 0..10 {
        stream.write_all(b"x").await.unwrap();
        tokio::task::yield_now().await;
    }
    receive(&mut stream, &[b'x'; 10]).await;
    let took = begun.elapsed();
    assert!(took >= Duration::from_millis(200) && took < Duration::from_secs(2), "{took:?}");

    proxy.set(Way::Reset);
    stream.write_all(b"12345678").await.unwrap();
    let mut received = Vec::new();
    // Reading fails, or it ends when the echo received the half first and its answer was halved again.
    let _ = stream.read_to_end(&mut received).await;
    assert!(received.len() < 8, "{received:?}");
    while proxy.resets() == 0 {
        tokio::task::yield_now().await;
    }

    proxy.set(Way::Pass);
    let mut open = TcpStream::connect(proxy.address()).await.unwrap();
    open.write_all(b"x").await.unwrap();
    receive(&mut open, b"x").await;
    proxy.set(Way::Cut);
    for mut stream in [open, TcpStream::connect(proxy.address()).await.unwrap()] {
        assert!(!matches!(stream.read(&mut [0; 8]).await, Ok(1..)));
    }
    proxy.set(Way::Pass);
    let mut healed = TcpStream::connect(proxy.address()).await.unwrap();
    healed.write_all(b"x").await.unwrap();
    receive(&mut healed, b"x").await;
}
