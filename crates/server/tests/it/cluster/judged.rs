//! The conformance suite against one node of a cluster, while the host is connected to another.

use quizhall_conformance::Options;

use super::harness::Cluster;
use super::party::{HOST, OWNER};
use crate::process::HOST_TOKEN;

/// Rows that no other node takes part in: the node of the socket refuses a message by its form, its name or the kind of its sender. On one
/// node `conformance.rs` plays them; here they took a third of 124 s of processor time.
const OF_ONE_NODE: &[&str] = &[
    "envelope",
    "fields",
    "forms",
    "frames",
    "payload",
    "unasked",
    "v1_beside",
    "v1_forms",
    "v1_payload",
    "v1_screens",
    "v1_seconds",
];
/// With fewer rows than this, some are missing.
const ROWS: usize = 2_300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tables_hold_between_two_nodes() {
    let cluster = Cluster::start(&[
        ("GAME_OVER_LINGER", crate::conformance::LINGER),
        ("CLOSE_TIMEOUT", "60s"),
        ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000"),
        ("RECONNECTS_PER_SEAT", "1000000"),
        ("REFUSED_UPGRADES_PER_SECOND", "1000000"),
    ])
    .await;
    for group in OF_ONE_NODE {
        assert!(quizhall_conformance::ids().iter().any(|id| id.split('/').next() == Some(group)), "no rows of {group}");
    }
    let report = quizhall_conformance::run(Options {
        host_url: Some(cluster.nodes[HOST].server.url()),
        failed_joins_per_minute: 0,
        without: OF_ONE_NODE,
        ..Options::new(&cluster.nodes[OWNER].server.url(), HOST_TOKEN)
    })
    .await;
    assert!(report.is_green(), "{report}");
    assert!(report.outcomes.len() >= ROWS, "{} rows", report.outcomes.len());
    assert_eq!(report.not_offered, Vec::<String>::new());
}
