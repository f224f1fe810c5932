//! The list of nodes as operators are shown it, over HTTP and by the command line.

use std::time::Duration;

use quizhall_protocol::http::nodes::{Node, NodeList};
use uuid::Uuid;

use crate::store::NodeRow;

/// The rows as they are shown; `me` is the node that answers.
pub fn node_list(rows: &[NodeRow], me: Option<Uuid>) -> NodeList {
    NodeList { nodes: rows.iter().map(|row| node(row, me)).collect() }
}

fn node(row: &NodeRow, me: Option<Uuid>) -> Node {
    Node {
        id: row.id,
        name: row.name.clone(),
        version: row.version.clone(),
        up_seconds: row.up.as_secs(),
        last_seen_ms: milliseconds(row.age),
        games: row.report.games,
        sockets: row.report.sockets,
        bus_lag_ms: row.report.bus_lag.map(milliseconds),
        draining: row.report.draining,
        drained: row.drain,
        zone: Some(row.zone.clone()).filter(|zone| !zone.is_empty()),
        busy_millicores: row.report.busy_millicores,
        is_self: me == Some(row.id),
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
