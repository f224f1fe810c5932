//! `/api/v1/nodes`: the processes that serve together, for the operator.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use quizhall_protocol::http::nodes::NodeList;
use quizhall_rules::LOG_VERSION;
use uuid::Uuid;

use crate::app::App;
use crate::cluster::members::node_list;
use crate::http::problem::Refused;
use crate::http::refusals::HasToken;
use crate::http::session::Host;
use crate::store::{NodeReport, NodeRow};

/// List the nodes
///
/// Every process that serves together with this one, from the list that it last read, at most a second ago. A process
/// that serves by itself lists only itself.
#[utoipa::path(
    get, path = "/api/v1/nodes", tag = "operation", operation_id = "listNodes", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The nodes, oldest first", body = NodeList),
        (status = 400, description = "Two different tokens"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_nodes(State(app): State<Arc<App>>, Host(_): Host) -> Result<Json<NodeList>, Refused> {
    let (me, mut rows) = (app.cluster.id(), app.cluster.nodes());
    if !rows.iter().any(|row| row.id == me) {
        rows.push(this_process(&app, me));
    }
    Ok(Json(node_list(&rows, Some(me))))
}

/// The row of this process when it serves by itself, or has just been removed from the list.
fn this_process(app: &App, id: Uuid) -> NodeRow {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let stats = app.registry.stats();
    NodeRow {
        id,
        name: app.config.cluster.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        log_version: LOG_VERSION,
        age: Duration::ZERO,
        up: app.health.up(),
        report: NodeReport {
            games: count(stats.owned),
            sockets: count(stats.sockets),
            bus_lag: None,
            draining: app.health.is_draining(),
            busy_millicores: None,
        },
        zone: app.config.cluster.zone.clone(),
        drain: app.cluster.is_drained(),
        moves: 0,
    }
}
