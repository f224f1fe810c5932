//! An echo in place of the game, with the same handshake, parser, limits, reader and writer; the protocol's own test
//! suite runs against it (`make autobahn`, docs/operate/security.md).
//!
//! Without the suite, which needs Python 2, the test below sends the messages of a few of its cases.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::future::ready;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::future::BoxFuture;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use quizhall::config::{Config, SocketLimits, SocketRates};
use quizhall::games::{Seat, Sink as _};
use quizhall::moment::Moment;
use quizhall::pace::{Pace, Paced};
use quizhall::ws::upgrade::{handshake, switch};
use quizhall::ws::{Audience, Connection, Session, Sockets};
use quizhall_engine::FrameKind;
use quizhall_protocol::{CloseCode, Dialect, Role, frame};
use quizhall_rules::GameId;
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::time::timeout;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

/// Most bytes of a message of the suite.
const LARGEST: usize = 16 << 20;

struct Echo;

impl Audience for Echo {
    async fn attach(&self, _: &Arc<Connection>) -> Result<(), CloseCode> {
        Ok(())
    }

    fn receive(&self, connection: &Connection, text: &str) -> Option<BoxFuture<'static, ()>> {
        connection.send(frame::text_of_json(&[text.as_bytes()]), FrameKind::Queued);
        None
    }

    fn receive_binary(&self, connection: &Connection, bytes: &Bytes) {
        let mut binary = BytesMut::from(frame::text_of_json(&[bytes]));
        binary[0] = 0x82;
        connection.send(binary.freeze(), FrameKind::Queued);
    }

    async fn detach(&self, _: &Connection, _: bool) {}

    fn participant(&self) -> Option<(GameId, Seat)> {
        None
    }
}

/// The service's limits where the suite stays within them. The suite's sizes, fragments and rates are beyond the needs
/// of a quiz.
fn limits() -> SocketLimits {
    let config = Config::from_pairs(&[("MESSAGE_TIMEOUT", "60s")]).unwrap();
    let rates = SocketRates { per_second: 1_000_000, burst: 1_000_000 };
    SocketLimits {
        host_message_bytes: LARGEST,
        host_queue_bytes: 2 * LARGEST,
        host_queue_messages: 1 << 20,
        fragments: 1 << 20,
        host_messages: rates,
        control_frames: rates,
        ..config.sockets
    }
}

fn upgrade(sockets: Sockets, mut request: Request<Incoming>) -> Response {
    let handshake = handshake::read(request.headers()).unwrap();
    let session = Session {
        role: Role::Host,
        dialect: Dialect::Interface,
        address: IpAddr::from([127, 0, 0, 1]).into(),
        token: None,
        expires: Moment::END,
    };
    let room = sockets.reserve().unwrap();
    switch(&mut request, &handshake, move |stream| sockets.serve(stream, Echo, session, room))
}

/// Serves the echo on a free port of loopback until the test ends.
async fn serve() -> SocketAddr {
    let sockets = Sockets::start(limits(), 64, 1 << 30);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let sockets = sockets.clone();
            let service = service_fn(move |request| ready(Ok::<_, Infallible>(upgrade(sockets.clone(), request))));
            let paced = Paced::new(stream, Pace::default(), Duration::from_mins(1));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(paced), service).with_upgrades());
        }
    });
    address
}

#[tokio::test]
async fn the_echo_sends_back_every_kind_and_size() {
    let address = serve().await;
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut socket, _) = client_async(format!("ws://{address}/"), stream).await.unwrap();
    for size in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
        for message in [Message::text("\u{20ac}".repeat(size / 3)), Message::binary(vec![0xff; size])] {
            socket.send(message.clone()).await.unwrap();
            assert_eq!(socket.next().await.unwrap().unwrap(), message, "{size} bytes");
        }
    }
    socket.send(Message::Ping(Bytes::from_static(b"here"))).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::Pong(Bytes::from_static(b"here")));
}

/// The result of one case in the suite's index.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    behavior: String,
    behavior_close: String,
}

/// Plays the suite's groups 1 to 7, 9 and 10, when `QUIZHALL_AUTOBAHN` names the folder of the installed suite and
/// `QUIZHALL_PYTHON2` the interpreter, as `make autobahn` does.
#[tokio::test(flavor = "multi_thread")]
async fn the_protocols_own_suite_finds_nothing() {
    let Some(suite) = env::var_os("QUIZHALL_AUTOBAHN").map(PathBuf::from) else { return };
    let python = env::var_os("QUIZHALL_PYTHON2").unwrap();
    let reports = suite.join("reports");
    let _ = fs::remove_dir_all(&reports);
    let cases = env::var("QUIZHALL_AUTOBAHN_CASES").unwrap_or_else(|_| "1.*,2.*,3.*,4.*,5.*,6.*,7.*,9.*,10.*".into());
    let plan = serde_json::json!({
        "outdir": &reports,
        "servers": [{ "agent": "quizhall", "url": format!("ws://{}/", serve().await) }],
        "cases": cases.split(',').collect::<Vec<_>>(),
        "exclude-cases": [],
        "exclude-agent-cases": {},
    });
    fs::write(suite.join("plan.json"), plan.to_string()).unwrap();
    let mut client = Command::new(python);
    client.args(["-m", "autobahntestsuite.wstest", "--mode", "fuzzingclient", "--spec"]).arg(suite.join("plan.json"));
    client.env("PYTHONPATH", &suite).kill_on_drop(true);
    let ended = timeout(Duration::from_secs(1_800), client.status()).await.unwrap().unwrap();
    assert!(ended.success(), "the suite ended with {ended}");
    let index: BTreeMap<String, BTreeMap<String, Verdict>> =
        serde_json::from_slice(&fs::read(reports.join("index.json")).unwrap()).unwrap();
    judge(&index["quizhall"], &reports);
}

/// Writes the table of groups, and fails for any case with a result that the suite does not accept.
fn judge(verdicts: &BTreeMap<String, Verdict>, reports: &Path) {
    let mut groups: BTreeMap<u32, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut bad = Vec::new();
    for (case, Verdict { behavior, behavior_close }) in verdicts {
        let group = case.split('.').next().unwrap().parse().unwrap();
        *groups.entry(group).or_default().entry(behavior).or_default() += 1;
        let good = ["OK", "NON-STRICT", "INFORMATIONAL"];
        if !good.contains(&behavior.as_str()) || !good.contains(&behavior_close.as_str()) {
            bad.push(format!("{case}: {behavior}, close {behavior_close}"));
        }
    }
    let mut table = "| Group | Cases | OK | Non-strict | Informational |\n|---|---|---|---|---|\n".to_owned();
    for (group, counts) in &groups {
        let of = |behavior| counts.get(behavior).copied().unwrap_or(0);
        let (all, [ok, lax, informational]) =
            (counts.values().sum::<usize>(), ["OK", "NON-STRICT", "INFORMATIONAL"].map(of));
        let _ = writeln!(table, "| {group} | {all} | {ok} | {lax} | {informational} |");
    }
    fs::write(reports.join("table"), &table).unwrap();
    assert!(!verdicts.is_empty(), "the suite played no case");
    assert_eq!(bad, Vec::<String>::new(), "{table}");
}
