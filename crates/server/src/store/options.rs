//! How a database is opened. Made by `config`; tests shorten and loosen it.

/// How to open a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// Connections to PostgreSQL besides the one for the log; `SQLite` has its own numbers.
    pub connections: u32,
    /// Accept a PostgreSQL that may lose what it has acknowledged (`fsync` or `full_page_writes` off, and
    /// `synchronous_commit` as the server has it). For tests that need no durability.
    pub unsafe_durability: bool,
    /// Bytes that the disk of an `SQLite` file is to have free; with less the probe fails. 0: any amount will do.
    pub min_free_disk: u64,
    /// Bytes written to the write-ahead log of an `SQLite` file before it is moved into the file.
    pub checkpoint_after: u64,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { connections: 16, unsafe_durability: false, min_free_disk: 64 << 20, checkpoint_after: 128 << 20 }
    }
}
