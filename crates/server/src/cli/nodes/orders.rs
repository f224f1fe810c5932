//! `quizhall nodes move` and `quizhall nodes drain`: orders to running nodes, through the database.
//!
//! A node reads its orders with every renewal of its place in the list. The commands wait for the result, for a limited time: an order
//! that no node took by then is withdrawn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use quizhall_rules::GameId;
use secrecy::ExposeSecret as _;
use tokio::time::sleep;
use uuid::Uuid;

use super::{ALONE, shown};
use crate::cli::{Desk, audit, print, with_store};
use crate::clock;
use crate::config::Config;
use crate::store::{self, GameMove, MoveOutcome, NodeRow, Store};

/// How often a command looks for the result.
const LOOK: Duration = Duration::from_millis(100);
/// How long an owner may take to read an order to move a game: twice the longest time between two renewals.
const TAKEN: Duration = Duration::from_secs(25);
/// How long it may then take to carry it out; releasing a game has shorter limits of its own.
const CARRIED_OUT: Duration = Duration::from_secs(20);
/// A node that has not renewed its entry for the longest lease is not given games, in a list that no node keeps any more.
const SILENT: Duration = Duration::from_secs(60);

#[derive(Debug, Args)]
pub(in crate::cli) struct MoveArgs {
    /// Its code, or its id as the service's log names it.
    game: String,
    /// The id or the name of the new owner [default: the node that suits best, in the zone of most sockets].
    node: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DrainArgs {
    /// Its id or its name.
    node: String,
    /// Let the node own games again.
    #[arg(long)]
    undo: bool,
    /// How long to wait until the node owns no game, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=3_600))]
    wait: u64,
}

/// Runs a command that needs a list of nodes.
pub(super) fn with_list<F>(config: Config, work: impl FnOnce(Desk) -> F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    if !store::keeps_nodes(config.storage.database_url.expose_secret()) {
        bail!("{ALONE}");
    }
    with_store(config, work)
}

/// Moves one game.
pub(super) async fn move_game(args: MoveArgs, store: Arc<Store>) -> anyhow::Result<()> {
    let game = find_game(&store, &args.game).await?;
    let nodes = store.nodes().await?;
    let target = match &args.node {
        Some(node) => Some(takes_games(find_node(&nodes, node)?)?.id),
        None => None,
    };
    let owner = store.game_owner(game).await?.and_then(|row| row.owner);
    let Some(owner) = nodes.iter().find(|node| Some(node.id) == owner) else {
        bail!("no node owns this game at the moment: the next client that connects to it decides which node will");
    };
    if target == Some(owner.id) {
        return print(format!("The game is on {} already.", name(owner)));
    }
    takes_orders(owner)?;
    if !nodes.iter().any(|node| node.id != owner.id && takes_games(node).is_ok()) {
        bail!("no other node can own the game");
    }
    let order = GameMove { id: Uuid::now_v7(), game, node: owner.id, target };
    let begun = clock::now();
    if !store.order_move(order).await? {
        bail!("another command moves this game now; try again when it has ended");
    }
    let outcome = wait_for_move(&store, order, begun).await?;
    store.forget_move(order).await?;
    match outcome {
        Some(MoveOutcome::Moved(to)) => {
            audit::write("move_game", game);
            let to = nodes.iter().find(|node| node.id == to).map_or_else(|| to.to_string(), name);
            print(format!("The game has moved from {} to {to} in {} ms.", name(owner), clock::since(begun).as_millis()))
        }
        Some(MoveOutcome::Alone) => bail!("no other node can own the game now; it stays on {}", name(owner)),
        Some(MoveOutcome::Kept) => {
            bail!("{} did not own the game any more, or could not release it; try again", name(owner))
        }
        Some(MoveOutcome::Taken) => bail!(
            "{} began to move the game and has not reported the result; `quizhall nodes move` again shows where it is",
            name(owner)
        ),
        None => bail!(
            "{} did not take the order within {} s; it is withdrawn, and the game stays",
            name(owner),
            TAKEN.as_secs()
        ),
    }
}

/// The outcome of an order; `None` when it was withdrawn because no node took it.
async fn wait_for_move(store: &Store, order: GameMove, begun: Instant) -> anyhow::Result<Option<MoveOutcome>> {
    loop {
        let outcome = store.move_outcome(order).await?;
        let waited = clock::since(begun);
        match outcome {
            Some(MoveOutcome::Taken) if waited < TAKEN + CARRIED_OUT => {}
            None if waited < TAKEN => {}
            None if !store.withdraw_move(order).await? => continue,
            outcome => return Ok(outcome),
        }
        sleep(LOOK).await;
    }
}

/// Drains a node, or ends that.
pub(super) async fn drain(args: DrainArgs, store: Arc<Store>) -> anyhow::Result<()> {
    let nodes = store.nodes().await?;
    let node = find_node(&nodes, &args.node)?;
    takes_orders(node)?;
    if args.undo {
        return undo(node, &store).await;
    }
    if node.report.draining && !node.drain {
        bail!("{} is stopping, and hands over its games by itself", name(node));
    }
    if !nodes.iter().any(|other| other.id != node.id && takes_games(other).is_ok()) {
        bail!("no other node can own the games of {}; nothing has changed", name(node));
    }
    let begun = clock::now();
    if !store.order_drain(node.id, true).await? {
        bail!("{} has left the list; nothing has changed", name(node));
    }
    audit::write("drain_node", node.id);
    let limit = Duration::from_secs(args.wait);
    loop {
        let row = store.nodes().await?.into_iter().find(|row| row.id == node.id);
        let Some(row) = row else { return Err(gone(node)) };
        if row.report.draining && row.report.games == 0 {
            let took = clock::since(begun).as_secs_f64();
            return print(format!(
                "{} owns no game after {took:.1} s, and serves {} sockets. Stop it, or end this with --undo.",
                name(node),
                row.report.sockets,
            ));
        }
        if clock::since(begun) >= limit {
            return Err(unfinished(&store, &row, args.wait).await?);
        }
        sleep(LOOK).await;
    }
}

/// Why the node still owns games. An order that it has not begun to carry out is withdrawn.
async fn unfinished(store: &Store, row: &NodeRow, waited: u64) -> anyhow::Result<anyhow::Error> {
    if store.withdraw_drain(row.id).await? {
        return Ok(anyhow::anyhow!("{} did not react within {waited} s; the order is withdrawn", name(row)));
    }
    let Some(row) = store.nodes().await?.into_iter().find(|listed| listed.id == row.id) else { return Ok(gone(row)) };
    Ok(anyhow::anyhow!(
        "{} still owns {} games after {waited} s. It continues to hand them over; --undo ends that. Each game is on one node, whole.",
        name(&row),
        row.report.games,
    ))
}

fn gone(node: &NodeRow) -> anyhow::Error {
    anyhow::anyhow!(
        "{} has left the list before it had handed over all games; other nodes take over the rest",
        name(node)
    )
}

async fn undo(node: &NodeRow, store: &Store) -> anyhow::Result<()> {
    if !node.drain {
        return print(format!("{} is not drained.", name(node)));
    }
    if !store.order_drain(node.id, false).await? {
        bail!("{} has left the list", name(node));
    }
    audit::write("undrain_node", node.id);
    print(format!("{} may own games again.", name(node)))
}

async fn find_game(store: &Store, text: &str) -> anyhow::Result<GameId> {
    let found = match text.parse::<Uuid>() {
        Ok(id) => store.game_by_id(GameId::from(id)).await?.filter(|row| !row.closed).map(|row| row.id),
        Err(_) => store.game_by_code(&text.to_uppercase()).await?,
    };
    found.ok_or_else(|| anyhow::anyhow!("there is no game with this code or id"))
}

fn find_node<'a>(nodes: &'a [NodeRow], text: &str) -> anyhow::Result<&'a NodeRow> {
    let id = text.parse::<Uuid>().ok();
    let mut found = nodes.iter().filter(|node| node.name == text || Some(node.id) == id);
    match (found.next(), found.next()) {
        (Some(node), None) => Ok(node),
        (Some(_), Some(_)) => bail!("several nodes have this name; give the id that `quizhall nodes list` shows"),
        (None, _) => bail!("there is no node with this name or id; `quizhall nodes list` shows all"),
    }
}

/// A node that can be given games.
fn takes_games(node: &NodeRow) -> anyhow::Result<&NodeRow> {
    if node.drain || node.report.draining {
        bail!("{} is drained or stopping, and takes no games", name(node));
    }
    if node.age >= SILENT {
        bail!("{} has been silent for {} s, and takes no games", name(node), node.age.as_secs());
    }
    Ok(node)
}

/// Refuses a node of a version that reads no orders.
fn takes_orders(node: &NodeRow) -> anyhow::Result<()> {
    if node.report.busy_millicores.is_none() {
        bail!(
            "{} runs version {}, or has just started, and takes no orders yet; a node of an earlier version hands over its games \
             when it is stopped",
            name(node),
            shown(&node.version)
        );
    }
    Ok(())
}

fn name(node: &NodeRow) -> String {
    format!("node {}", shown(&node.name))
}
