//! The database in use, whichever engine it is: the calls that concern all of it, and how `cold` reads and writes.
//!
//! Used by `log` and `cold`, which add their calls to [`Store`]. Contains no SQL.

use std::sync::Arc;

use futures_util::FutureExt as _;

use super::connection::work::{self, Done, Reading, Reads, Returns, Work};
use super::connection::{FromRows, Statement};
use super::error::StoreError;
use super::postgres::PostgresStore;
use super::sqlite::SqliteStore;
use crate::telemetry::StorageUsage;

/// The database as the service sees it. Every method may fail with [`StoreError`]; none panics. After a fault (locked,
/// full, unreachable) the next call tries again, so nothing has to be restarted.
pub struct Store {
    pub(super) engine: Engine,
}

pub(super) enum Engine {
    Sqlite(Box<SqliteStore>),
    Postgres(Box<PostgresStore>),
}

/// Awaits a call of whichever engine it is, in a box: the future that waits for a connection is large, and a task that
/// calls the store would contain it many times.
macro_rules! on {
    ($store:expr, |$engine:ident| $call:expr) => {
        match &$store.engine {
            Engine::Sqlite($engine) => $call.boxed().await,
            Engine::Postgres($engine) => $call.boxed().await,
        }
    };
}
pub(super) use on;

/// The database as a whole.
impl Store {
    pub(super) fn sqlite(file: SqliteStore) -> Arc<Self> {
        Arc::new(Self { engine: Engine::Sqlite(Box::new(file)) })
    }

    pub(super) fn postgres(server: PostgresStore) -> Arc<Self> {
        Arc::new(Self { engine: Engine::Postgres(Box::new(server)) })
    }

    /// The name of the engine for metrics: `sqlite` or `postgres`.
    pub fn engine(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "sqlite",
            Engine::Postgres(_) => "postgres",
        }
    }

    /// Proves that a commit works now and that the database keeps what it commits. Makes a commit, unless another one
    /// succeeded within the last second. Used by the health check; gives up within a second.
    pub async fn probe(&self) -> Result<(), StoreError> {
        on!(self, |engine| engine.probe())
    }

    /// The space that the database takes and the time of its last maintenance, as far as they are known without waiting
    /// for writers.
    pub async fn usage(&self) -> Result<StorageUsage, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => Ok(file.usage()),
            Engine::Postgres(server) => server.usage().boxed().await,
        }
    }

    /// Milliseconds since 1970 by the clock that all nodes share.
    pub async fn now_ms(&self) -> Result<i64, StoreError> {
        self.read(|connection| connection.now_ms().boxed()).await
    }

    /// Closes every connection after its running statement; later calls open them again.
    pub async fn close(&self) {
        on!(self, |engine| engine.close());
    }

    /// The faults of the database file, one sentence each; reads all of it. Empty when the database is a server, which
    /// checks its files itself.
    pub async fn check_file(&self) -> Result<Vec<String>, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.check().boxed().await,
            Engine::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Overwrites the remains of deleted and replaced rows in the free space of the database's pages. Reads all of an
    /// `SQLite` file while writers continue; on PostgreSQL the vacuum does it.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.scrub().boxed().await,
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Removes deleted and replaced content from every file of the database. `false`: a reader holds an older state; try
    /// again.
    pub async fn drop_old_frames(&self) -> Result<bool, StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.drop_old_frames().boxed().await,
            Engine::Postgres(_) => Ok(true),
        }
    }

    /// Lets an `SQLite` file grow to at most `pages` pages; tests fill the disk this way. 0 lifts the limit.
    #[doc(hidden)]
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite(file) => file.limit_pages(pages).boxed().await,
            Engine::Postgres(_) => Ok(()),
        }
    }
}

/// How everything except the log is read and written.
impl Store {
    /// Runs `work`, which only reads; on PostgreSQL a second time when its connection turns out to be dead.
    pub(super) async fn read<T: Send + 'static>(&self, work: impl Reads<T>) -> Result<T, StoreError> {
        self.reading(work::reading(work)).await?.value()
    }

    async fn reading(&self, work: Reading) -> Result<Done, StoreError> {
        on!(self, |engine| engine.read(work))
    }

    /// Runs `work` in a transaction, and commits it when `work` returns `Ok`.
    pub(super) async fn write<T: Send + 'static>(&self, work: impl Returns<T>) -> Result<T, StoreError> {
        self.writing(work::work(work)).await?.value()
    }

    async fn writing(&self, work: Work) -> Result<Done, StoreError> {
        on!(self, |engine| engine.write(work))
    }

    /// Runs `work`, which renews or removes leases in time, however busy the database is. On PostgreSQL each of its
    /// statements is a transaction by itself: a node that is stopped within a transaction would hold its own row, and
    /// could not be evicted.
    pub(super) async fn lease<T: Send + 'static>(&self, work: impl Returns<T>) -> Result<T, StoreError> {
        let work = work::work(work);
        match &self.engine {
            Engine::Sqlite(_) => self.writing(work).await?.value(),
            Engine::Postgres(server) => server.lease(work).boxed().await?.value(),
        }
    }

    /// Runs `work`, which only reads, on the storage of media parts; `None` when nothing was ever stored there.
    pub(super) async fn read_media<T: Send + 'static>(&self, work: impl Reads<T>) -> Result<Option<T>, StoreError> {
        let work = work::reading(work);
        let done = match &self.engine {
            Engine::Sqlite(file) => file.read_media(work).boxed().await?,
            Engine::Postgres(_) => Some(self.reading(work).await?),
        };
        done.map(Done::value).transpose()
    }

    /// Runs `work` in a transaction on the storage of media parts.
    pub(super) async fn write_media<T: Send + 'static>(&self, work: impl Returns<T>) -> Result<T, StoreError> {
        let work = work::work(work);
        match &self.engine {
            Engine::Sqlite(file) => file.write_media(work).boxed().await?.value(),
            Engine::Postgres(_) => self.writing(work).await?.value(),
        }
    }

    /// The rows of a statement that only reads.
    pub(super) async fn rows<T: FromRows + 'static>(&self, select: Statement) -> Result<Vec<T>, StoreError> {
        self.read(move |connection| select.clone().all(connection).boxed()).await
    }

    /// The first row of a statement that only reads, if there is one.
    pub(super) async fn row<T: FromRows + 'static>(&self, select: Statement) -> Result<Option<T>, StoreError> {
        self.read(move |connection| select.clone().optional(connection).boxed()).await
    }

    /// The value of a statement that only reads and always has one.
    pub(super) async fn value<T: Send + 'static>(&self, select: Statement) -> Result<T, StoreError>
    where
        (T,): FromRows,
    {
        self.read(move |connection| select.clone().value(connection).boxed()).await
    }

    /// Runs a statement in a transaction; returns the number of rows changed.
    pub(super) async fn change(&self, statement: Statement) -> Result<u64, StoreError> {
        self.write(move |connection| statement.execute(connection).boxed()).await
    }

    /// Runs a statement that is a transaction by itself, so that a node that is stopped in the middle does not keep its
    /// rows locked; returns the number of rows changed.
    pub(super) async fn change_alone(&self, statement: Statement) -> Result<u64, StoreError> {
        self.alone(move |connection| statement.execute(connection).boxed()).await
    }

    /// The same for `work` that is one statement on PostgreSQL.
    pub(super) async fn alone<T: Send + 'static>(&self, work: impl Returns<T>) -> Result<T, StoreError> {
        let work = work::work(work);
        match &self.engine {
            Engine::Sqlite(_) => self.writing(work).await?.value(),
            Engine::Postgres(server) => server.alone(work).boxed().await?.value(),
        }
    }
}
