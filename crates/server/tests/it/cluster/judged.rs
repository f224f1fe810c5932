//! The whole conformance suite against one node of a cluster, while the host is connected to another.

use std::time::Instant;

use quizhall_conformance::Options;

use super::harness::Cluster;
use super::party::{HOST, OWNER};
use crate::conformance::BUDGET;
use crate::process::HOST_TOKEN;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_of_the_tables_holds_between_two_nodes() {
    let cluster = Cluster::start(&[
        ("GAME_OVER_LINGER", crate::conformance::LINGER),
        ("CLOSE_TIMEOUT", "60s"),
        ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000"),
        ("RECONNECTS_PER_SEAT", "1000000"),
        ("REFUSED_UPGRADES_PER_SECOND", "1000000"),
    ])
    .await;
    let begun = Instant::now();
    let report = quizhall_conformance::run(Options {
        host_url: Some(cluster.nodes[HOST].server.url()),
        failed_joins_per_minute: 0,
        ..Options::new(&cluster.nodes[OWNER].server.url(), HOST_TOKEN)
    })
    .await;
    let took = begun.elapsed();
    println!("conformance between two nodes in {took:.1?}: {report}");
    assert!(report.is_green(), "{report}");
    assert!(report.outcomes.len() >= crate::conformance::ROWS, "{} rows", report.outcomes.len());
    assert_eq!(report.not_offered, Vec::<String>::new());
    assert!(took < BUDGET, "{took:?}");
}
