//! `quizhall nodes`: who serves, as the database knows it. Asks no node, so it works when none answers; changes nothing in
//! the database, so it may be of another version than those who serve.

use anyhow::Context as _;
use quizhall_protocol::http::nodes::Node;

use secrecy::ExposeSecret as _;

use super::print;
use crate::config::Storage;
use crate::http::node_list;
use crate::store;

/// What is said where there is no list.
const ALONE: &str = "The database is SQLite: one process serves it, and no list of nodes is kept.";
const EMPTY: &str = "No node is in the list.";

/// Prints the list, where this kind of database keeps one.
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

/// One line per node under a line of headings, in columns as wide as their widest cell.
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
        // A name is what somebody typed; a terminal shall not obey it.
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
mod tests {
    use super::*;
    use uuid::Uuid;

    fn node(name: &str, up_seconds: u64, bus_lag_ms: Option<u64>) -> Node {
        Node {
            id: Uuid::nil(),
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            up_seconds,
            last_seen_ms: 40,
            games: 3,
            sockets: 1_200,
            bus_lag_ms,
            draining: bus_lag_ms.is_none(),
            is_self: false,
        }
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let table = table(&[node("a", 59, Some(2)), node("a longer\u{1b}[31m name", 90_000, None)]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        let column = |line: &str, cell: &str| line.find(cell);
        assert_eq!(column(lines[0], "VERSION"), column(lines[1], "1.2.3"));
        assert_eq!(column(lines[0], "VERSION"), column(lines[2], "1.2.3"));
        assert!(lines[1].contains("59s") && lines[1].ends_with("2 ms  serving"), "{table}");
        assert!(lines[2].contains("1d 1h") && lines[2].ends_with("-     stopping"), "{table}");
        assert!(!table.contains('\u{1b}'), "a terminal shall not obey a name");
    }

    #[test]
    fn ages_in_two_units() {
        let said = [0, 61, 3_600, 100_000].map(age);
        assert_eq!(said, ["0s", "1m 1s", "1h 0m", "1d 3h"]);
    }
}
