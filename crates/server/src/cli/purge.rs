//! `quizhall purge`: deletes due data for good, with or without a running service.

use anyhow::bail;
use clap::Args;
use quizhall_rules::GameId;
use uuid::Uuid;

use super::{Desk, print};
use crate::retention::{Plan, Purged};

/// Printed when a reader holds an older state.
pub(super) const NOT_CLEARED: &str = "it is deleted, but its bytes may still be in the write-ahead log, because another process \
     reads an older state of the database; run `quizhall purge` again when that has ended";

#[derive(Debug, Args)]
pub(super) struct PurgeArgs {
    /// Only this game, if it has ended or was deleted, however recently.
    #[arg(long, value_name = "ID")]
    game: Option<Uuid>,
    /// Report what would be deleted, and delete nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) async fn run(args: PurgeArgs, desk: Desk) -> anyhow::Result<()> {
    let game = args.game.map(GameId::from);
    if args.dry_run {
        let plan = match game {
            Some(game) => desk.retention.plan_game(game).await?,
            None => desk.retention.plan().await?,
        };
        let Plan { games, logs } = plan;
        return print(format!(
            "{games} games would be purged: {} rows, {} bytes. Nothing was deleted.",
            logs.rows, logs.bytes
        ));
    }
    let purged = match game {
        Some(game) => desk.retention.purge_game(game).await?,
        None => desk.retention.purge_due().await?,
    };
    let Purged { games, logs, files, sessions, cleared } = purged;
    print(format!("Purged {games} games: {} rows, {} bytes. {sessions} sessions have ended.", logs.rows, logs.bytes))?;
    if files > 0 {
        print(format!("Purged {files} pictures and sounds that nothing used."))?;
    }
    if !cleared {
        bail!(NOT_CLEARED);
    }
    Ok(())
}
