//! `quizhall nodes`: the serving nodes according to the database, and orders to them. Contacts no node: the list works when none
//! answers, and changes nothing in the database, so its version may differ from that of the nodes.

mod orders;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use quizhall_protocol::http::nodes::Node;
use secrecy::ExposeSecret as _;

use super::print;
use crate::cluster::members::node_list;
use crate::config::{Config, Storage};
use crate::store;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct NodesArgs {
    #[command(flatten)]
    list: ListArgs,
    #[command(subcommand)]
    command: Option<NodesCommand>,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Print JSON, as the HTTP interface does.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum NodesCommand {
    /// List the nodes (the default): id, name, zone, version, games, sockets, busy cores, state.
    List(ListArgs),
    /// Move a game to another owner. Its sockets stay open.
    Move(orders::MoveArgs),
    /// Move all games of a node to other nodes, and give it no more. It serves its sockets until it is stopped.
    Drain(orders::DrainArgs),
}

/// The text when there is no list.
const ALONE: &str = "The database is SQLite: one process serves it, and no list of nodes is kept.";
const EMPTY: &str = "No node is in the list.";

pub(super) fn run(args: NodesArgs, config: Config) -> anyhow::Result<()> {
    match args.command {
        None => super::runtime()?.block_on(list(&config.storage, args.list.json)),
        Some(NodesCommand::List(args)) => super::runtime()?.block_on(list(&config.storage, args.json)),
        Some(NodesCommand::Move(args)) => orders::with_list(config, |desk| orders::move_game(args, desk.store)),
        Some(NodesCommand::Drain(args)) => orders::with_list(config, |desk| orders::drain(args, desk.store)),
    }
}

/// Prints the list, if this kind of database keeps one.
async fn list(storage: &Storage, as_json: bool) -> anyhow::Result<()> {
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

/// One line per node below a line of headings, in columns as wide as their widest cell. Control characters in names become `?`.
pub fn table(nodes: &[Node]) -> String {
    let headings = ["ID", "NAME", "ZONE", "VERSION", "UP", "SEEN", "GAMES", "SOCKETS", "BUSY", "LAG", "STATE"];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(nodes.iter().map(cells));
    let mut widths = [0; 11];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |row: &[String; 11]| {
        let padded: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn cells(node: &Node) -> [String; 11] {
    [
        node.id.to_string(),
        shown(&node.name),
        node.zone.as_deref().map_or_else(|| "-".to_owned(), shown),
        node.version.clone(),
        age(node.up_seconds),
        format!("{} ms ago", node.last_seen_ms),
        node.games.to_string(),
        node.sockets.to_string(),
        node.busy_millicores.map_or_else(|| "-".to_owned(), |busy| format!("{:.2}", f64::from(busy) / 1_000.0)),
        node.bus_lag_ms.map_or_else(|| "-".to_owned(), |lag| format!("{lag} ms")),
        match (node.drained, node.draining) {
            (true, _) => "drained",
            (false, true) => "stopping",
            (false, false) => "serving",
        }
        .to_owned(),
    ]
}

/// Free text such as a name; its control characters must not reach the terminal.
fn shown(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_control() { '?' } else { symbol }).collect()
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
