//! The whole black-box suite against the real binary on its defaults: every row of the interface's tables.

use std::time::Duration;

use quizhall_conformance::{Options, Report};

use crate::process::{HOST_TOKEN, Launch, Server};

/// Below this, rows have gone missing.
const ROWS: usize = 800;
/// What the suite may take here.
const BUDGET: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_of_the_tables_holds() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("GAME_OVER_LINGER", "3s"), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let begun = std::time::Instant::now();
    let report = quizhall_conformance::run(options(&server)).await;
    let took = begun.elapsed();
    println!("conformance in {took:.1?}: {report}");
    assert!(report.is_green(), "{report}");
    assert!(report.outcomes.len() >= ROWS, "{} rows", report.outcomes.len());
    assert!(took < BUDGET, "{took:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_fails_the_suite() {
    let report: Report = quizhall_conformance::run(Options::new("http://127.0.0.1:9", HOST_TOKEN)).await;
    assert!(!report.is_green());
}

fn options(server: &Server) -> Options {
    Options { failed_joins_per_minute: 0, ..Options::new(&server.url(), HOST_TOKEN) }
}
