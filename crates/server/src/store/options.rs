//! How a database is opened. Made by `config`; tests use shorter limits and weaker checks.

use std::time::Duration;

/// Connections to PostgreSQL that nothing else uses: one each for the log, the list of nodes and the health check.
const OWN_CONNECTIONS: u32 = 3;

/// How to open a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// Connections to PostgreSQL, in addition to the one for the log; `SQLite` has its own numbers.
    pub connections: u32,
    /// Accepts a PostgreSQL that may lose what it has acknowledged (`fsync` or `full_page_writes` off, and
    /// `synchronous_commit` as the server sets it). For tests that need no durability.
    pub unsafe_durability: bool,
    /// How long a request to PostgreSQL may take, also when the server hangs. Tests that do not check times allow more,
    /// because many of them run at once.
    pub time_limit: Duration,
    /// Bytes that must be free on the disk of an `SQLite` file; with less the probe fails. 0: no minimum.
    pub min_free_disk: u64,
    /// Bytes written to the write-ahead log of an `SQLite` file before it is moved into the file.
    pub checkpoint_after: u64,
}

impl StoreOptions {
    /// The most connections that a process has to PostgreSQL.
    pub fn most_connections(&self) -> u32 {
        self.connections + OWN_CONNECTIONS
    }
}

impl Default for StoreOptions {
    fn default() -> Self {
        let (min_free_disk, checkpoint_after) = (64 << 20, 128 << 20);
        let time_limit = Duration::from_secs(4);
        Self { connections: 16, unsafe_durability: false, time_limit, min_free_disk, checkpoint_after }
    }
}
