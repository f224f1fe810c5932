//! Proof that a commit works now, for the health check; called by the store's `probe` on a connection of its own.

use sqlx::{Executor as _, PgConnection};

use super::super::error::StoreError;
use super::super::proof::WRITE;
use super::durability::Durability;
use crate::clock;

/// Plans a write as the appends do and checks its permissions, waits for a lock on the log, and writes nothing. A
/// standby and a read-only server refuse it.
const LOG: &str = "
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body)
    SELECT game_id, seq, n, epoch, batch, body FROM game_log WHERE FALSE";

/// Commits a change of the probe's row if `write`, and checks that the server still keeps what it commits, unless
/// `unsafe_durability` is set.
///
/// # Errors
/// When the server does not answer, accepts no writes, or is not durable.
pub(super) async fn run(connection: &mut PgConnection, write: bool, unsafe_durability: bool) -> Result<(), StoreError> {
    if !unsafe_durability {
        Durability::read(connection).await?.check()?;
    }
    connection.execute(LOG).await?;
    if write {
        sqlx::query(WRITE).bind(clock::unix_ms()).execute(connection).await?;
    }
    Ok(())
}
