//! `quizhall game …`: games, for operators. Works beside a running service.

use anyhow::bail;
use clap::Subcommand;
use quizhall_rules::{GameId, Phase};
use uuid::Uuid;

use super::{Desk, audit, print};
use crate::store::{GameRow, Store};
use crate::verify;

#[derive(Debug, Subcommand)]
pub(super) enum GameCommand {
    /// Delete a game that has ended, or whose stored log is damaged.
    Delete {
        /// Its id, as `quizhall verify` and the service's log name it.
        id: Uuid,
    },
}

pub(super) async fn run(command: GameCommand, desk: Desk) -> anyhow::Result<()> {
    match command {
        GameCommand::Delete { id } => delete(&desk.store, GameId::from(id)).await,
    }
}

/// A game that is being played has an owner, which would not notice the deletion: its host deletes it through the
/// service.
async fn delete(store: &Store, game: GameId) -> anyhow::Result<()> {
    let Some(row) = store.game_by_id(game).await? else { bail!("there is no game with this id") };
    if row.closed {
        bail!("this game is deleted already");
    }
    if !is_over(store, &row).await? {
        bail!(
            "this game is not damaged and has not ended: its host deletes it, on the host's page or with \
             DELETE /api/v1/games/{game}"
        );
    }
    if !store.close_game(game).await? {
        bail!("this game is deleted already");
    }
    audit::write("delete_game", game);
    print("The game is deleted.")
}

/// Whether it has ended, or can never continue. The damage noted in its line may be out of date.
async fn is_over(store: &Store, row: &GameRow) -> anyhow::Result<bool> {
    Ok(row.phase == Phase::Ended || verify::log(store, row.id).await?.is_some())
}
