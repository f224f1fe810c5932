//! One writing connection that mends itself: whatever happens to it, the next use finds a clean one.
//!
//! The connection is out of its slot while it works. If the work is cancelled or panics, the connection is dropped,
//! which rolls back; it never returns to the slot in the middle of a transaction.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::sync::Mutex;

use super::super::StoreError;
use super::open;

/// Who may write now. Fair (first come, first served), so that nobody starves under a steady load of appends.
#[derive(Default)]
pub(super) struct Gate(Mutex<()>);

/// A place for one connection, opened at its first use.
pub(super) struct Link {
    options: SqliteConnectOptions,
    slot: Mutex<Option<SqliteConnection>>,
}

impl Link {
    pub(super) fn new(options: SqliteConnectOptions) -> Self {
        Self { options, slot: Mutex::new(None) }
    }

    /// Runs `work` in a transaction that begins by taking `SQLite`'s write lock (a deferred one would fail at its
    /// first write with "busy", without waiting), and commits it when `work` says `Ok`.
    pub(super) async fn write<T, F>(&self, gate: &Gate, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.with(gate, move |connection| transaction(connection, work).boxed()).await
    }

    /// Runs `work` alone, outside a transaction.
    pub(super) async fn with<T, F>(&self, gate: &Gate, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        // The slot first: who waits at the gate keeps at most one place in its queue per link.
        let mut slot = self.slot.lock().await;
        let _turn = gate.0.lock().await;
        let mut connection = match slot.take() {
            Some(connection) => connection,
            None => open::connection(&self.options).await?,
        };
        let result = work(&mut connection).await;
        if result.is_ok() || rolled_back(&mut connection).await {
            *slot = Some(connection);
        }
        result
    }

    /// Whether somebody works on this connection, or waits with it at the gate.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.try_lock().is_err()
    }

    /// Closes the connection, if there is one; the next use opens another.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.slot.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

/// Proves that a write could begin, and writes nothing.
pub(super) async fn begin_and_leave(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    connection.execute("BEGIN IMMEDIATE").await?;
    connection.execute("ROLLBACK").await?;
    Ok(())
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

/// Ends whatever transaction a failure left open. `false`: the connection cannot be trusted any more.
async fn rolled_back(connection: &mut SqliteConnection) -> bool {
    match connection.execute("ROLLBACK").await {
        Ok(_) => true,
        // SQLite has rolled back already (it does so when the disk is full), or nothing had begun.
        Err(sqlx::Error::Database(error)) => error.message().contains("no transaction is active"),
        Err(_) => false,
    }
}
