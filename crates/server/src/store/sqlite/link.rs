//! One writing connection that repairs itself: whatever happens to it, the next use gets a clean one.
//!
//! The connection is out of its slot while it works. If the work is cancelled or panics, the connection is dropped,
//! which rolls back; it never returns to the slot in the middle of a transaction. Its work counts only if the path of
//! the database still leads to the file that the connection has open.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::sync::Mutex;

use super::super::error::StoreError;
use super::file::{DataFile, Identity};
use super::open;
use crate::telemetry::Recurring;

static NOT_SAVED: Recurring = Recurring::new();

/// The turn to write. Fair (first come, first served), so that no writer starves under a steady load of appends.
#[derive(Default)]
pub(in crate::store) struct Gate(Mutex<()>);

/// A place for one connection, opened at its first use.
pub(in crate::store) struct Link {
    options: SqliteConnectOptions,
    file: Arc<DataFile>,
    slot: Mutex<Option<Held>>,
}

/// An open connection, and the write-ahead log that it writes to.
struct Held {
    connection: SqliteConnection,
    _log: Arc<Identity>,
}

impl Link {
    pub(super) fn new(options: SqliteConnectOptions, file: &Arc<DataFile>) -> Self {
        Self { options, file: Arc::clone(file), slot: Mutex::new(None) }
    }

    /// Runs `work` in a transaction, and commits it when `work` returns `Ok`. The transaction begins by taking
    /// `SQLite`'s write lock: a deferred one would fail at its first write with "busy", without waiting.
    pub(in crate::store) async fn write<T, F>(&self, gate: &Gate, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.with(gate, move |connection| transaction(connection, work).boxed()).await
    }

    /// Runs `work` by itself, outside a transaction. It succeeds only if the file is still in its place afterwards.
    pub(in crate::store) async fn with<T, F>(&self, gate: &Gate, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        // The slot is taken first, so that each link has at most one place in the queue at the gate.
        let mut slot = self.slot.lock().await;
        let _turn = gate.0.lock().await;
        let mut held = match slot.take() {
            Some(held) => held,
            None => self.open().await?,
        };
        let result = work(&mut held.connection).await;
        let result = match (result, self.file.check()) {
            (Ok(_), Err(error)) => {
                if !self.file.is_overwritten() {
                    save(&mut held.connection).await;
                }
                Err(error)
            }
            (result, _) => result,
        };
        if result.is_ok() || rolled_back(&mut held.connection).await {
            *slot = Some(held);
        }
        result
    }

    /// Opens a connection, unless another file has replaced the store's own.
    async fn open(&self) -> Result<Held, StoreError> {
        self.file.check()?;
        let connection = open::connection(&self.options).await?;
        Ok(Held { connection, _log: self.file.opened()? })
    }

    /// Whether this connection is in use, or waits at the gate.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.try_lock().is_err()
    }

    /// Closes the connection, if there is one; the next use opens a new one.
    pub(super) async fn close(&self) {
        if let Some(held) = self.slot.lock().await.take() {
            let _ = held.connection.close().await;
        }
    }
}

/// Moves committed data from the write-ahead log into the file, both as this connection has them open. One of them is
/// no longer where a restart would look for it, and only the file can be put back.
async fn save(connection: &mut SqliteConnection) {
    if let Err(error) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").await
        && let Some(unsaid) = NOT_SAVED.due()
    {
        tracing::warn!(%error, unsaid, "the write-ahead log could not be moved into the database file");
    }
}

async fn transaction<T, F>(connection: &mut SqliteConnection, work: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
{
    connection.execute("BEGIN IMMEDIATE").await?;
    let value = work(connection).await?;
    connection.execute("COMMIT").await?;
    Ok(value)
}

/// Ends a transaction that a failure left open. `false`: the connection cannot be trusted any more.
async fn rolled_back(connection: &mut SqliteConnection) -> bool {
    match connection.execute("ROLLBACK").await {
        Ok(_) => true,
        // SQLite has rolled back already (it does so when the disk is full), or nothing had begun.
        Err(sqlx::Error::Database(error)) => error.message().contains("no transaction is active"),
        Err(_) => false,
    }
}
