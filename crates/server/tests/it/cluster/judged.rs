//! The conformance suite against one node of a cluster, while the host is connected to another.

use quizhall_conformance::Options;

use super::harness::Cluster;
use super::party::{HOST, OWNER};
use crate::process::HOST_TOKEN;

/// Rows that no other node takes part in, which `conformance.rs` plays on one node: the node of the socket refuses a message by its form,
/// its name or the kind of its sender, and a request or a handshake by what it says. Of the matrices, `core` has each message of the
/// interface in each phase, and `v1_matrix` each of the extension.
const OF_ONE_NODE: &[&str] = &[
    "auth",
    "browser",
    "envelope",
    "extended",
    "fields",
    "forms",
    "frames",
    "http",
    "join",
    "payload",
    "unasked",
    "v1_answers",
    "v1_beside",
    "v1_core",
    "v1_forms",
    "v1_payload",
    "v1_screens",
    "v1_seconds",
    "v1_text",
];
/// With fewer rows than this, some are missing.
const ROWS: usize = 1_300;

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
