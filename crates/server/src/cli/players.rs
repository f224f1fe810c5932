//! `quizhall player …`: erases a player.

use anyhow::bail;
use clap::Subcommand;
use uuid::Uuid;

use super::purge::NOT_CLEARED;
use super::{Desk, audit, print};

#[derive(Debug, Subcommand)]
pub(super) enum PlayerCommand {
    /// Replace a player's name in a game that has ended or was deleted; ranks, points and marks stay.
    Erase {
        /// The game.
        #[arg(long, value_name = "ID")]
        game: Uuid,
        /// The player.
        #[arg(long, value_name = "ID")]
        player: Uuid,
        /// Replace the texts of the answers too; their marks stay.
        #[arg(long)]
        answers: bool,
    },
}

pub(super) async fn run(command: PlayerCommand, desk: Desk) -> anyhow::Result<()> {
    let PlayerCommand::Erase { game, player, answers } = command;
    let erased = desk.retention.erase_player(game.into(), player.into(), answers).await?;
    audit::write("erase_player", player);
    match erased.rows {
        0 => print("The player had been erased before.")?,
        rows => print(format!("The player is erased; {rows} rows were rewritten."))?,
    }
    if !erased.cleared {
        bail!(NOT_CLEARED);
    }
    Ok(())
}
