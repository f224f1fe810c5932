//! The relational database: accounts, quizzes, games and their logs, on `SQLite` or PostgreSQL.
//!
//! Called by `games` (the log), `auth` (accounts, sessions), `http` and `cli` (quizzes, games).
//! Owns all SQL of the service; never knows HTTP, sockets or a rule of the game, and never logs a row.
//!
//! The log, the health check and the care of a file are each engine's own (`sqlite`, `postgres`). Everything else is written
//! once, with statements that both understand (`connection`).

mod cold;
mod columns;
mod connection;
mod error;
mod log;
pub mod postgres;
mod proof;
pub mod sqlite;
mod tables;

use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use quizhall_rules::GameId;

use crate::telemetry::StorageUsage;

use self::connection::{Connection, FromRows, Statement};
use self::postgres::PostgresStore;
use self::sqlite::SqliteStore;

pub use cold::accounts::{AccountChange, AccountCreation, AccountLine, AccountRow, NewAccount};
pub use cold::games::{CODE_HELD_MS, GameCreation, GameRow, Listed, NewGame};
pub use cold::nodes::{NewNode, NodeReport, NodeRow, OwnerRow, Renewal};
pub use cold::quizzes::{QuizLine, QuizRow};
pub use cold::retention::{Deleted, Due, Hold};
pub use cold::sessions::{HASH_BYTES, NewSession, SessionRow};
pub use error::StoreError;
pub use log::snapshots::Snapshot;
pub use log::{Append, Head, LogRow, Outcome, PhaseChange, is_last_page};
pub use tables::Tables;

/// The database as the service sees it. Every method may fail with [`StoreError`]; none panics, and after a fault
/// (locked, full, gone) the next call tries afresh: nothing has to be restarted.
pub struct Store {
    engine: Engine,
}

enum Engine {
    Sqlite(Box<SqliteStore>),
    Postgres(Box<PostgresStore>),
}

/// Awaits a call of whichever engine it is, in a box: what waits for a connection is large, and a task that calls the store
/// would hold it many times.
macro_rules! on {
    ($store:expr, |$engine:ident| $call:expr) => {
        match &$store.engine {
            Engine::Sqlite($engine) => $call.boxed().await,
            Engine::Postgres($engine) => $call.boxed().await,
        }
    };
}

/// The log, and the database as a whole.
impl Store {
    fn sqlite(file: SqliteStore) -> Arc<Self> {
        Arc::new(Self { engine: Engine::Sqlite(Box::new(file)) })
    }

    fn postgres(server: PostgresStore) -> Arc<Self> {
        Arc::new(Self { engine: Engine::Postgres(Box::new(server)) })
    }

    /// Appends one row per entry to the logs of games, all in one transaction and with one sync to disk.
    ///
    /// A row goes in only behind exactly the row its writer saw last; otherwise it is [`Outcome::Refused`], which
    /// harms no other row. When this resolves to `Ok`, the committed rows are durable (promise 1). `Err` means
    /// unknown for all of them: read [`Store::head`] before anything else (promise 3).
    /// Called by one task only, which nobody cancels.
    pub async fn append(&self, rows: Vec<Append>) -> Result<Vec<Outcome>, StoreError> {
        on!(self, |engine| engine.append(rows))
    }

    /// A page of a game's log: rows whose `seq` is at least `from_seq`, in order, at most 4,096 of them and at most 1 MiB of
    /// bodies and one row, but two rows in any case unless the log ends before. Empty: the log has no further rows.
    /// [`is_last_page`] tells whether it ended.
    ///
    /// A row that is not what was written is [`StoreError::DamagedRow`]; rows before it are not returned then.
    pub async fn read_log_page(&self, game: GameId, from_seq: u64) -> Result<Vec<LogRow>, StoreError> {
        on!(self, |engine| engine.read_log_page(game, from_seq)).map_err(|error| error.in_log(from_seq))
    }

    /// The rows of a game's log in order: all, or those whose `seq` is above `after_seq`. Holds all of them in memory.
    pub async fn read_log(&self, game: GameId, after_seq: Option<u64>) -> Result<Vec<LogRow>, StoreError> {
        let (mut rows, mut from): (Vec<LogRow>, _) = (Vec::new(), after_seq.map_or(0, |after| after + 1));
        loop {
            let page = self.read_log_page(game, from).await?;
            let Some(last) = page.last() else { return Ok(rows) };
            from = last.seq + 1;
            rows.extend(page);
        }
    }

    /// The last row of a game's log, read after everything committed so far.
    pub async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        on!(self, |engine| engine.head(game))
    }

    /// Which one it is, as a word for metrics: `sqlite` or `postgres`.
    pub fn engine(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "sqlite",
            Engine::Postgres(_) => "postgres",
        }
    }

    /// Proves that a commit works now, by one unless another was seen to work within the last second, and that the
    /// database keeps what it commits. Used by the health check; gives up within a second.
    pub async fn probe(&self) -> Result<(), StoreError> {
        on!(self, |engine| engine.probe())
    }

    /// What the database takes and when it was last cared for, as far as it is known without waiting for writers.
    pub async fn usage(&self) -> Result<StorageUsage, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => Ok(file.usage()),
            Engine::Postgres(server) => server.usage().boxed().await,
        }
    }

    /// Closes every connection after the running statement; later calls open them again.
    pub async fn close(&self) {
        on!(self, |engine| engine.close());
    }

    /// What is wrong with the database file, a sentence each; reads all of it. Nothing where the database is a server,
    /// which looks after its files itself.
    pub async fn check_file(&self) -> Result<Vec<String>, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.check().boxed().await,
            Engine::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Overwrites what rows that are deleted or replaced have left in the free space of the database's pages. Reads all of an
    /// `SQLite` file, beside the writers; PostgreSQL's vacuum does so.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.scrub().boxed().await,
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Sees to it that deleted and replaced content is in no file of the database any more. `false`: somebody reads an older
    /// state just now; try again.
    pub async fn drop_old_frames(&self) -> Result<bool, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.drop_old_frames().boxed().await,
            Engine::Postgres(_) => Ok(true),
        }
    }

    /// Lets an `SQLite` file grow to at most `pages` pages: how the tests fill the disk. 0 lifts the limit.
    #[doc(hidden)]
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.limit_pages(pages).boxed().await,
            Engine::Postgres(_) => Ok(()),
        }
    }
}

/// How everything but the log is read and written.
impl Store {
    /// Runs `work`, which only reads; on PostgreSQL once more when its connection turns out to be dead.
    async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a, 'c> Fn(&'a mut Connection<'c>) -> BoxFuture<'a, Result<T, StoreError>>,
        F: Clone + Send + Sync + 'static,
    {
        on!(self, |engine| engine.read(work))
    }

    /// Runs `work` in a transaction, and commits it when `work` says `Ok`.
    async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a, 'c> FnOnce(&'a mut Connection<'c>) -> BoxFuture<'a, Result<T, StoreError>> + Send + 'static,
    {
        on!(self, |engine| engine.write(work))
    }

    /// Runs `work`, which renews or removes leases in time whatever else is asked of the database. On PostgreSQL each of its
    /// statements is a transaction by itself: a node that is stopped within one would hold its own row, and could not be evicted.
    async fn lease<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a, 'c> FnOnce(&'a mut Connection<'c>) -> BoxFuture<'a, Result<T, StoreError>> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(file) => file.write(work).boxed().await,
            Engine::Postgres(server) => server.lease(work).boxed().await,
        }
    }

    /// The rows of a statement that only reads.
    async fn rows<T: FromRows + 'static>(&self, select: Statement) -> Result<Vec<T>, StoreError> {
        self.read(move |connection| select.clone().all(connection).boxed()).await
    }

    /// The first row of a statement that only reads, if there is one.
    async fn row<T: FromRows + 'static>(&self, select: Statement) -> Result<Option<T>, StoreError> {
        self.read(move |connection| select.clone().optional(connection).boxed()).await
    }

    /// The value of a statement that only reads and has one in any case.
    async fn value<T: Send + 'static>(&self, select: Statement) -> Result<T, StoreError>
    where
        (T,): FromRows,
    {
        self.read(move |connection| select.clone().value(connection).boxed()).await
    }

    /// Runs a statement in a transaction; how many rows it changed.
    async fn change(&self, statement: Statement) -> Result<u64, StoreError> {
        self.write(move |connection| statement.execute(connection).boxed()).await
    }

    /// Runs a statement that is a transaction by itself, so that its rows are not held by a node that is stopped in the middle;
    /// how many rows it changed.
    async fn change_alone(&self, statement: Statement) -> Result<u64, StoreError> {
        match &self.engine {
            Engine::Sqlite(_) => self.change(statement).await,
            Engine::Postgres(server) => {
                server.alone(move |connection| statement.execute(connection).boxed()).boxed().await
            }
        }
    }
}

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

/// Opens the database that `url` names, `sqlite://path` or `postgres://…`, creating folder, file and tables as needed.
/// For the service and `quizhall init`.
///
/// # Errors
/// [`StoreError::Unusable`] when the URL, the database or its settings cannot be used: durability is checked, not hoped for.
pub async fn connect(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open(url, options).await?));
    }
    Ok(Store::sqlite(SqliteStore::open(&sqlite::path_of(url)?, options).await?))
}

/// Opens a database that has all tables of this version; creates no folder, file or table, and changes none. For commands.
///
/// # Errors
/// As [`connect`]; also when there is no database or its tables are not those of this version.
pub async fn connect_existing(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open_existing(url, options).await?));
    }
    Ok(Store::sqlite(SqliteStore::open_existing(&sqlite::path_of(url)?, options).await?))
}

/// What the database that `url` names holds. Changes nothing.
///
/// # Errors
/// As [`connect`].
pub async fn tables(url: &str, options: StoreOptions) -> Result<Tables, StoreError> {
    if postgres::is_url(url) {
        return postgres::tables(url, options).await;
    }
    SqliteStore::tables(&sqlite::path_of(url)?).await
}

/// Takes the right to serve this database for as long as the lock lives. Creates the folder and an empty file where they
/// are missing. `None` where several processes may serve one database.
///
/// # Errors
/// [`StoreError::Unusable`] when another process has it, or the file cannot be made.
pub fn lock_service(url: &str) -> Result<Option<sqlite::ServiceLock>, StoreError> {
    if postgres::is_url(url) {
        return Ok(None);
    }
    let path = sqlite::path_of(url)?;
    sqlite::prepare_file(&path)?;
    sqlite::ServiceLock::try_take(&path).map(Some)
}

/// Opens the database that `url` names only to read it: nothing is created or changed.
///
/// # Errors
/// [`StoreError::Unusable`] when there is no such database, or none that this version can read.
pub async fn open_to_read(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open_existing(url, options).await?));
    }
    open_file_to_read(&sqlite::path_of(url)?, options).await
}

/// Opens an `SQLite` file only to read it, such as a copy; one of an earlier version too.
///
/// # Errors
/// As [`open_to_read`].
pub async fn open_file_to_read(path: &Path, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    Ok(Store::sqlite(SqliteStore::open_to_read(path, options).await?))
}

/// The list of nodes, for whoever only looks: creates and changes nothing. `None` where this kind of database keeps none.
///
/// # Errors
/// As [`connect`].
pub async fn look_at_nodes(url: &str, options: StoreOptions) -> Result<Option<Vec<NodeRow>>, StoreError> {
    if postgres::is_url(url) {
        return postgres::look_at_nodes(url, options).await.map(Some);
    }
    Ok(None)
}

/// Whether [`connect`] would understand `url`; touches nothing on disk and no network.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence that says what is wrong, and nothing of the URL.
pub fn check_url(url: &str) -> Result<(), StoreError> {
    if postgres::is_url(url) {
        return postgres::check_url(url);
    }
    sqlite::path_of(url).map(|_| ())
}
