//! Games whose co-hosts the service has to remove, because the sessions of their account have ended.
//!
//! Marked in the transaction that ends the sessions, whether by command line or over HTTP. `games/registry` removes the
//! co-hosts through the games' logs and clears the mark. Co-hosts are not stored here.

use quizhall_rules::{GameId, HostId};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::games::CODE_HELD_MS;
use crate::clock;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// A game whose invitations have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedInvitations {
    /// The game.
    pub game: GameId,
    /// The mark; it changes when the invitations end again.
    pub at_ms: i64,
}
from_row!(PgRow, SqliteRow => EndedInvitations { game = "id" as Uuid, at_ms = "invitations_ended_at_ms" });

impl Store {
    /// Games whose invitations have ended, the oldest marks first, at most `most`.
    pub async fn ended_invitations(&self, most: u32) -> Result<Vec<EndedInvitations>, StoreError> {
        let select = sql("
            SELECT id, invitations_ended_at_ms FROM game WHERE invitations_ended_at_ms IS NOT NULL
            ORDER BY invitations_ended_at_ms LIMIT $1");
        self.rows(select.bind(i64::from(most))).await
    }

    /// Clears the mark, unless the invitations of the game have ended once more since.
    pub async fn invitations_removed(
        &self,
        EndedInvitations { game, at_ms }: EndedInvitations,
    ) -> Result<(), StoreError> {
        let clear =
            sql("UPDATE game SET invitations_ended_at_ms = NULL WHERE id = $1 AND invitations_ended_at_ms = $2");
        self.change(clear.bind(game).bind(at_ms)).await?;
        Ok(())
    }
}

/// Marks the games of an account that a co-host's token may still open.
pub(super) async fn mark(connection: &mut Connection<'_>, host: HostId) -> Result<(), StoreError> {
    let now = clock::unix_ms();
    let mark = sql("
        UPDATE game SET invitations_ended_at_ms = CASE
            WHEN invitations_ended_at_ms >= $2 THEN invitations_ended_at_ms + 1 ELSE $2 END
        WHERE host_id = $1 AND closed = 0 AND (phase <> 'ended' OR ended_at_ms IS NULL OR ended_at_ms > $3)");
    mark.bind(host).bind(now).bind(now - CODE_HELD_MS).execute(connection).await?;
    Ok(())
}
