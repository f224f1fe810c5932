//! `quizhall nodes`: the serving nodes according to the database. Contacts no node, so it works when none answers;
//! changes nothing in the database, so its version may differ from that of the nodes.

use anyhow::Context as _;
use quizhall_protocol::http::nodes::Node;

use secrecy::ExposeSecret as _;

use super::print;
use crate::cluster::members::node_list;
use crate::config::Storage;
use crate::store;

/// The text when there is no list.
const ALONE: &str = "The database is SQLite: one process serves it, and no list of nodes is kept.";
const EMPTY: &str = "No node is in the list.";

/// Prints the list, if this kind of database keeps one.
pub(super) async fn run(storage: &Storage, as_json: bool) -> anyhow::Result<()> {
    let rows = store::look_at_nodes(storage.database_url.expose_secret(), storage.options);
    let rows = rows.await.context("the list cannot be read")?;
    let list = node_list(rows.as_deref().unwrap_or_default(), None);
    if rows.is_none() {
        eprintln!("{ALONE}");
    } else if list.nodes.is_empty() {
        eprintln!("{EMPTY}");
    }
    if as_json {
        return print(serde_json::to_string_pretty(&list)?);
    }
    if list.nodes.is_empty() { Ok(()) } else { print(table(&list.nodes)) }
}

/// One line per node below a line of headings, in columns as wide as their widest cell.
fn table(nodes: &[Node]) -> String {
    let mut rows = vec![["ID", "NAME", "VERSION", "UP", "SEEN", "GAMES", "SOCKETS", "LAG", "STATE"].map(str::to_owned)];
    rows.extend(nodes.iter().map(cells));
    let mut widths = [0; 9];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |row: &[String; 9]| {
        let padded: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn cells(node: &Node) -> [String; 9] {
    [
        node.id.to_string(),
        // A name is free text; its control characters must not reach the terminal.
        node.name.chars().map(|symbol| if symbol.is_control() { '?' } else { symbol }).collect(),
        node.version.clone(),
        age(node.up_seconds),
        format!("{} ms ago", node.last_seen_ms),
        node.games.to_string(),
        node.sockets.to_string(),
        node.bus_lag_ms.map_or_else(|| "-".to_owned(), |lag| format!("{lag} ms")),
        if node.draining { "stopping" } else { "serving" }.to_owned(),
    ]
}

/// The two largest units: `3d 4h`, `5m 6s`.
fn age(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h {}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

#[cfg(test)]
mod tests;
