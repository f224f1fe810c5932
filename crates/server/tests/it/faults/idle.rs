//! Connections that take places and send nothing, while descriptors are few (promise 26): health checks and new clients get a place
//! nevertheless, and connections with a request or a WebSocket keep theirs.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::company::{Company, address, quiet, sync_messages};
use crate::operation::ask;
use crate::process::{self, Launch, Server};
use crate::ws_stage::TIMEOUT;

/// More idle connections than there are places.
const IDLE: usize = 900;

/// A server with 700 descriptors: 350 connections are served, 175 more are asked about health only.
fn small_server(folder: &TempDir) -> Server {
    // This process holds the clients' ends of the connections.
    process::raise_descriptors();
    let few = ["sh", "-c", r#"ulimit -n 700; exec "$0" "$@""#];
    Server::start(&Launch { wrapper: &few, ..Launch::new(folder.path()) })
}

/// Opens this many probes, each over a connection of its own; the number that got 200.
fn healthy(address: SocketAddr, probes: usize) -> usize {
    (0..probes).filter(|_| ask(address, "/healthz").starts_with("HTTP/1.1 200")).count()
}

/// A connection with one answered request that stays open.
fn kept_alive(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = [0; 2_048];
    let read = stream.read(&mut answer).unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..read]));
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_answered_while_idle_connections_take_every_descriptor() {
    let folder = TempDir::new().unwrap();
    let server = small_server(&folder);
    let address = address(&server);
    let company = Company::open(&server, &[1], &["Ann", "Bob"]).await;
    let mut player = company.player(&server, 0).await;
    sync_messages(&mut player).await;
    let silent: Vec<_> = (0..IDLE).map(|_| TcpStream::connect(address).unwrap()).collect();
    assert_eq!(healthy(address, 10), 10, "despite connections that never sent a request");
    assert!(ask(address, "/").starts_with("HTTP/1.1 200"), "and new clients are served");
    drop(silent);
    let idle: Vec<_> = (0..IDLE).map(|_| kept_alive(address)).collect();
    assert_eq!(healthy(address, 10), 10, "despite connections between two requests");
    quiet(&mut player).await;
    let mut newcomer = company.player(&server, 1).await;
    sync_messages(&mut newcomer).await;
    drop(idle);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_descriptors_health_still_answers_and_accepting_goes_on_afterwards() {
    let folder = TempDir::new().unwrap();
    let few = ["sh", "-c", r#"ulimit -n 64; exec "$0" "$@""#];
    let server = Server::start(&Launch { wrapper: &few, ..Launch::new(folder.path()) });
    let address = address(&server);
    let names: Vec<_> = (0..32).map(|number| format!("Player {number}")).collect();
    let company = Company::open(&server, &[1], &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    // 64 descriptors: 32 connections are served, 16 more are asked about health only, and some 20 are in use already.
    let mut sockets = Vec::new();
    for number in 0..32 {
        sockets.push(company.player(&server, number).await);
    }
    assert_eq!(healthy(address, 10), 10, "health checks use the reserve");
    let refused = ask(address, "/");
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: "), "{refused}");
    // Now no descriptor is left: the server logs that, and continues to run.
    let more: Vec<TcpStream> = (0..60).filter_map(|_| TcpStream::connect(address).ok()).collect();
    let begun = Instant::now();
    while !server.log().iter().any(|line| line.contains("cannot accept connections")) {
        assert!(begun.elapsed() < TIMEOUT, "the log does not mention it");
        drop(TcpStream::connect(address));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(healthy(address, 10), 10, "idle connections of the reserve are closed, too");
    for socket in &mut sockets {
        sync_messages(socket).await;
    }
    drop((sockets, more));
    let begun = Instant::now();
    while !ask(address, "/").starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < TIMEOUT, "it never recovered");
    }
}
