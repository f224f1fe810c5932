//! The store on `SQLite`: the embedded default, one file, one machine.
//!
//! Three connections that write (log, everything else, probe) take turns at one gate, so that they never run into
//! `SQLite`'s own lock polling. A fourth moves the write-ahead log into the file; reads use a small pool. Never used
//! outside `store`.

mod backup;
pub(super) mod checkpoint;
mod copy;
mod file;
pub mod header;
mod inspect;
mod link;
mod lock;
mod media;
mod open;
mod pace;
mod precaution;
mod probe;
mod restore;
pub mod scrub;
mod stream;
mod touched;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteConnectOptions;

pub use backup::{BackedUp, backup, last_backup, mark_backup};
pub use copy::Progress;
pub use lock::ServiceLock;
pub use media::media_of;
pub(super) use open::{path_of, prepare_file};
pub use restore::{Backup, Restored};
pub use stream::{is_stream, receive};

use crate::telemetry::StorageUsage;

use self::checkpoint::Checkpoints;
use self::file::DataFile;
use self::link::{Gate, Link};
use self::media::MediaFile;
use self::touched::Touched;
use super::connection::work::{Done, Reading, Work};
use super::connection::{Connection, run};
use super::error::StoreError;
use super::options::StoreOptions;
use super::proof::Proof;
use super::tables::Tables;

/// How long a writer waits for another process that has locked the file (the service's own writers never wait for it).
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The same for the probe, which must answer within its second.
const PROBE_BUSY_TIMEOUT: Duration = Duration::from_millis(500);

/// Page cache of the connection that appends, in KiB and negative as `SQLite` requires. Each game's log ends in a page
/// of its own, and those of a thousand busy games are more than the 2 MiB of the default.
const LOG_CACHE: &str = "-16384";

/// The store on one `SQLite` file.
pub struct SqliteStore {
    file: Arc<DataFile>,
    pub(in crate::store) gate: Arc<Gate>,
    pub(in crate::store) log: Link,
    cold: Link,
    probe: Arc<Link>,
    pub(in crate::store) proof: Arc<Proof>,
    pub(in crate::store) readers: SqlitePool,
    pub(in crate::store) checkpoints: Arc<Checkpoints>,
    pub(in crate::store) touched: Touched,
    media: MediaFile,
}

impl SqliteStore {
    /// Opens the file, creates what is missing, and checks that commits will survive a loss of power.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence for the operator.
    pub async fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        prepare_file(path)?;
        precaution::keep_copy(path).await?;
        let store = Self::new(path, options)?;
        store.cold.with(&store.gate, |connection| open::migrate(connection).boxed()).await?;
        store.cold.with(&store.gate, |connection| header::number(connection).boxed()).await?;
        Ok(store)
    }

    /// Opens a file that has all tables of this version, and creates and changes nothing.
    ///
    /// # Errors
    /// As [`SqliteStore::open`]; also when there is no file, or its tables are missing or older.
    pub async fn open_existing(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        Self::tables(path).await?.must_be_current(&path.display().to_string())?;
        Self::new(path, options)
    }

    /// The state of the tables in the file, if there is one. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when it is not a database, or one of a newer version.
    pub async fn tables(path: &Path) -> Result<Tables, StoreError> {
        if !path.try_exists().is_ok_and(|exists| exists) {
            return Ok(Tables::NoDatabase);
        }
        open::tables(path).await
    }

    fn new(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let file = Arc::new(DataFile::find(path, options.min_free_disk)?);
        let connecting = open::options(path).busy_timeout(BUSY_TIMEOUT);
        let readers = open::readers(connecting.clone(), &file);
        let media = MediaFile::of(path, false);
        Ok(Opened { file, media, connecting, readers, checkpoint_after: options.checkpoint_after }.store())
    }

    /// Opens a file only to read it; every write fails.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when there is no such file, or none that this version can read.
    pub async fn open_to_read(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let (connecting, readers) = inspect::open(path).await?;
        let file = Arc::new(DataFile::find(path, options.min_free_disk)?);
        let media = MediaFile::of(path, true);
        Ok(Opened { file, media, connecting, readers, checkpoint_after: options.checkpoint_after }.store())
    }

    /// See [`super::Store::limit_pages`].
    pub(super) async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        for link in [&self.log, &self.cold] {
            link.with(&self.gate, |connection| open::limit_pages(connection, pages).boxed()).await?;
        }
        Ok(())
    }
}

/// A file with what opens connections to it.
struct Opened {
    file: Arc<DataFile>,
    media: MediaFile,
    /// For every connection that is not a reader.
    connecting: SqliteConnectOptions,
    readers: SqlitePool,
    checkpoint_after: u64,
}

impl Opened {
    /// The store; its connections are made when they are used first.
    fn store(self) -> SqliteStore {
        let Self { file, media, connecting, readers, checkpoint_after } = self;
        let gate = Arc::<Gate>::default();
        let checkpoints = Checkpoints::new(connecting.clone(), Arc::clone(&gate), &file, checkpoint_after);
        SqliteStore {
            checkpoints: Arc::new(checkpoints),
            touched: Touched::default(),
            gate,
            log: Link::new(connecting.clone().pragma("cache_size", LOG_CACHE), &file),
            cold: Link::new(connecting.clone(), &file),
            probe: Arc::new(Link::new(connecting.busy_timeout(PROBE_BUSY_TIMEOUT), &file)),
            proof: Arc::default(),
            readers,
            media,
            file,
        }
    }
}

/// See [`super::Store`].
impl SqliteStore {
    /// Probes in a task of its own. When the health check gives up after a second, the probe continues until `SQLite`
    /// returns, and no other one begins before that.
    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        let (file, link, gate) = (Arc::clone(&self.file), Arc::clone(&self.probe), Arc::clone(&self.gate));
        let (proof, checkpoints) = (Arc::clone(&self.proof), Arc::clone(&self.checkpoints));
        if link.is_busy() {
            return Err(StoreError::Unavailable("the last probe has not come back".to_owned()));
        }
        let probe = async move {
            if probe::run(&file, &link, &gate, &proof).await? {
                checkpoints.written(checkpoint::PROBE);
            }
            Ok(())
        };
        tokio::spawn(probe).await.map_err(|_| StoreError::Unavailable("the probe was stopped".to_owned()))?
    }

    pub(super) fn usage(&self) -> StorageUsage {
        StorageUsage { last_checkpoint: Some(self.checkpoints.last()), ..self.file.usage() }
    }

    pub(super) async fn close(&self) {
        self.readers.close().await;
        for link in [&*self.probe, self.checkpoints.link(), &self.cold, &self.log] {
            link.close().await;
        }
        self.media.close().await;
    }

    pub(super) async fn check(&self) -> Result<Vec<String>, StoreError> {
        let mut findings = inspect::check(&self.readers).await?;
        findings.extend(self.media.check().await?);
        Ok(findings)
    }

    pub(super) async fn scrub(&self) -> Result<(), StoreError> {
        scrub::scrub(&self.readers, &self.cold, &self.gate).await.map(drop)
    }

    pub(super) async fn drop_old_frames(&self) -> Result<bool, StoreError> {
        Ok(self.checkpoints.empty().await? && self.media.drop_old_frames().await?)
    }

    pub(super) async fn read(&self, work: Reading) -> Result<Done, StoreError> {
        let mut reader = self.readers.acquire().await?;
        work(&mut Connection::Sqlite(&mut reader)).await
    }

    pub(super) async fn write(&self, work: Work) -> Result<Done, StoreError> {
        self.cold.write(&self.gate, |connection| run(Connection::Sqlite(connection), work)).await
    }

    /// Runs `work`, which only reads, on the file of media; `None` when there is none.
    pub(super) async fn read_media(&self, work: Reading) -> Result<Option<Done>, StoreError> {
        self.media.read(work).await
    }

    /// Runs `work` in a transaction on the file of media, which the first one creates.
    pub(super) async fn write_media(&self, work: Work) -> Result<Done, StoreError> {
        self.media.write(work).await
    }

    /// Counts bytes written outside the log of games towards the next checkpoint.
    pub(super) fn wrote(&self, bytes: usize) {
        self.checkpoints.written(2 + (bytes / checkpoint::PAGE) as u64);
    }
}
