//! The store on PostgreSQL: many nodes and one log, which is the lock.
//!
//! The log, the leases and the probe have connections of their own, so that none of them ever waits for reads;
//! everything else shares some. Never used outside `store`.

mod dial;
pub(super) mod durability;
pub mod hosts;
mod link;
mod open;
mod probe;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use sqlx::PgConnection;

pub(super) use open::{check_url, is_url};

use crate::clock;
use crate::telemetry::StorageUsage;

use self::link::Link;
use self::open::Server;
use super::connection::work::{Done, Reading, Work};
use super::connection::{Connection, run};
use super::error::StoreError;
use super::options::StoreOptions;
use super::proof::Proof;
use super::tables::Tables;

/// How long a call of the probe may take, also when the server hangs: the probe must answer within its second.
const PROBE_TIMEOUT: Duration = Duration::from_millis(900);

/// How long a measured size of the database is used: to measure it, the server looks at every file.
const SIZE_VALID: Duration = Duration::from_secs(30);

/// The store on one PostgreSQL database.
pub struct PostgresStore {
    pub(in crate::store) log: Link,
    /// Renewals, which must come in time.
    leases: Link,
    pub(in crate::store) cold: Link,
    probe: Link,
    pub(in crate::store) proof: Proof,
    pub(in crate::store) unsafe_durability: bool,
    /// The last size, and when it was measured.
    size: Mutex<Option<(Instant, u64)>>,
}

impl PostgresStore {
    /// Connects, creates what is missing, and checks that commits will survive a loss of power.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence for the operator; [`StoreError::Unavailable`] when the server cannot be
    /// reached (yet).
    pub async fn open(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let server = Arc::new(Server::new(url, options)?);
        server.migrate().await?;
        Ok(Self::on(&server, options))
    }

    /// Connects to a database that has all tables of this version, and creates and changes nothing.
    ///
    /// # Errors
    /// As [`PostgresStore::open`]; also when the tables are missing or older.
    pub async fn open_existing(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let server = Arc::new(Server::new(url, options)?);
        server.tables().await?.must_be_current("a database")?;
        Ok(Self::on(&server, options))
    }

    fn on(server: &Arc<Server>, options: StoreOptions) -> Self {
        Self {
            log: Link::new(server, 1, options.time_limit),
            leases: Link::new(server, 1, options.time_limit),
            cold: Link::new(server, options.connections, options.time_limit),
            probe: Link::new(server, 1, PROBE_TIMEOUT),
            proof: Proof::default(),
            unsafe_durability: options.unsafe_durability,
            size: Mutex::default(),
        }
    }
}

/// Bytes of the database.
async fn size(connection: &mut PgConnection) -> Result<u64, StoreError> {
    let bytes: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(connection).await?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// See [`super::tables`].
pub(super) async fn tables(url: &str, options: StoreOptions) -> Result<Tables, StoreError> {
    Server::new(url, options)?.tables().await
}

/// Runs `work`, which only reads, on a connection that is closed afterwards; makes and changes no table.
pub(super) async fn read_once(url: &str, options: StoreOptions, work: Reading) -> Result<Done, StoreError> {
    let server = Arc::new(Server::new(url, options)?);
    let link = Link::new(&server, 1, options.time_limit);
    let read = read(&link, work).await;
    link.close().await;
    read
}

async fn read(link: &Link, work: Reading) -> Result<Done, StoreError> {
    link.read(|connection| {
        let work = Arc::clone(&work);
        run(Connection::Postgres(connection), move |connection| work(connection))
    })
    .await
}

/// See [`super::Store`].
impl PostgresStore {
    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        let (write, unsafe_durability) = (!self.proof.is_recent(), self.unsafe_durability);
        self.probe.read(move |connection| probe::run(connection, write, unsafe_durability).boxed()).await?;
        if write {
            self.proof.note(true);
        }
        Ok(())
    }

    pub(super) async fn usage(&self) -> Result<StorageUsage, StoreError> {
        let now = clock::now();
        let known = *self.size.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match known {
            Some((taken, bytes)) if now.duration_since(taken) < SIZE_VALID => bytes,
            _ => {
                let bytes = self.cold.read(|connection| size(connection).boxed()).await?;
                *self.size.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, bytes));
                bytes
            }
        };
        Ok(StorageUsage { database_bytes: Some(bytes), ..StorageUsage::default() })
    }

    pub(super) async fn close(&self) {
        for link in [&self.probe, &self.leases, &self.cold, &self.log] {
            link.close().await;
        }
    }

    pub(super) async fn read(&self, work: Reading) -> Result<Done, StoreError> {
        read(&self.cold, work).await
    }

    pub(super) async fn write(&self, work: Work) -> Result<Done, StoreError> {
        self.cold.write(|connection| run(Connection::Postgres(connection), work)).await
    }

    pub(super) async fn alone(&self, work: Work) -> Result<Done, StoreError> {
        self.cold.with(|connection| run(Connection::Postgres(connection), work)).await
    }

    pub(super) async fn lease(&self, work: Work) -> Result<Done, StoreError> {
        self.leases.with(|connection| run(Connection::Postgres(connection), work)).await
    }
}
