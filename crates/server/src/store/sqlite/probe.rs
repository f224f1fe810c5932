//! Proof that a commit works now: the health check examines the file and its disk, and changes a row.
//!
//! Called by the store's `probe`, in a task of its own. Writes at most once a second, and not within a second of a
//! committed append. Waits for another process only as long as its connection does.

use futures_util::FutureExt as _;
use sqlx::SqliteConnection;

use super::super::error::StoreError;
use super::super::proof::{Proof, WRITE};
use super::file::DataFile;
use super::link::{Gate, Link};
use crate::clock;

/// Checks the file and its disk, and commits a change of the probe's row unless a commit succeeded recently. Resolves
/// to whether it wrote.
pub(super) async fn run(file: &DataFile, link: &Link, gate: &Gate, proof: &Proof) -> Result<bool, StoreError> {
    file.check()?;
    file.check_disk()?;
    if proof.is_recent() {
        return Ok(false);
    }
    link.with(gate, |connection| write(connection).boxed()).await?;
    proof.note(true);
    Ok(true)
}

/// One statement, which is a transaction by itself.
async fn write(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query(WRITE).bind(clock::unix_ms()).execute(connection).await?;
    Ok(())
}
