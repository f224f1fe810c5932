//! The whole conformance suite against the real binary, with limits for a client that tries every mistake: every row of the
//! interface's tables, and of the tables of the extension, which this server must offer.

use quizhall_conformance::{Options, Report, tables};
use quizhall_protocol::SUBPROTOCOL;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::process::{HOST_TOKEN, Launch, Server};

/// With fewer rows than this, some are missing.
const ROWS: usize = 3_900;
/// How long the sockets of an ended game stay open. Forty rows are played on them; the row about their close waits meanwhile.
pub const LINGER: &str = "25s";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_of_the_tables_holds() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [
        ("GAME_OVER_LINGER", LINGER),
        ("CLOSE_TIMEOUT", "60s"),
        ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000"),
        ("RECONNECTS_PER_SEAT", "1000000"),
        ("REFUSED_UPGRADES_PER_SECOND", "1000000"),
    ];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let report = quizhall_conformance::run(options(&server)).await;
    assert!(report.is_green(), "{report}");
    assert!(report.outcomes.len() >= ROWS, "{} rows", report.outcomes.len());
    assert_eq!(report.not_offered, Vec::<String>::new());
    for row in tables::extension() {
        assert!(report.outcomes.iter().any(|outcome| outcome.id == row.id), "{} was not played", row.id);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn below_the_default_limits_rows_of_refused_sockets_hold() {
    let folder = tempfile::tempdir().unwrap();
    // A quarter of the default, so that a few rows reach it.
    let environment = [("REFUSED_UPGRADES_PER_SECOND", "5")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let played = |default_limits| {
        let filter = Some("auth/unknown_code".to_owned());
        quizhall_conformance::run(Options { filter, default_limits, ..options(&server) })
    };
    let report = played(false).await;
    assert!(
        !report.is_green() && report.outcomes.len() > 30,
        "they refuse more sockets at once than they may: {report}"
    );
    let report = played(true).await;
    assert!(report.is_green(), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_the_interface_alone_is_judged_by_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000"), ("RECONNECTS_PER_SEAT", "1000000")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let url = without_extension(&server.url()).await;
    let report = quizhall_conformance::run(Options { filter: Some("_beside/".to_owned()), ..judged(&url) }).await;
    assert_eq!((report.outcomes.len(), report.not_offered.len()), (0, 92), "{report}");
    assert!(!report.is_green(), "nothing was judged");
    let report = quizhall_conformance::run(Options { filter: Some("core/lobby".to_owned()), ..judged(&url) }).await;
    assert!(report.is_green(), "{report}");
    assert_eq!((report.outcomes.len(), report.not_offered.len()), (16, 16), "{report}");
    assert!(report.to_string().ends_with("16 passed, 0 failed, 16 not offered"), "{report}");
}

/// A proxy to the server through which no client can ask for the extension: the extension's name is changed on the way.
async fn without_extension(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = server.strip_prefix("http://").unwrap().to_owned();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&server).await.unwrap();
            tokio::spawn(renaming(client, server));
        }
    });
    url
}

async fn renaming(mut client: TcpStream, mut server: TcpStream) {
    let mut head = Vec::new();
    while !head.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        if !matches!(client.read_buf(&mut head).await, Ok(1..)) {
            return;
        }
    }
    let name = SUBPROTOCOL.as_bytes();
    while let Some(place) = head.windows(name.len()).position(|bytes| bytes == name) {
        head[place] = b'x';
    }
    // Either side may close at any time; the other sees its connection end.
    if server.write_all(&head).await.is_ok() {
        let _ = copy_bidirectional(&mut client, &mut server).await;
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_fails_the_suite() {
    let report: Report = quizhall_conformance::run(Options::new("http://127.0.0.1:9", HOST_TOKEN)).await;
    assert!(!report.is_green());
}

fn options(server: &Server) -> Options {
    judged(&server.url())
}

fn judged(url: &str) -> Options {
    Options { failed_joins_per_minute: 0, ..Options::new(url, HOST_TOKEN) }
}
