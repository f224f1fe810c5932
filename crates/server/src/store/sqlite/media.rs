//! The file with the bytes of pictures and sounds, next to the database: large data never pass through the write-ahead
//! log to which answers are committed.
//!
//! Used by the store for the parts of files, by the backup and by the restore. Created by the first upload. The
//! database lists the files and their owners; this file has only numbered parts by id.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt as _;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Executor as _, SqliteConnection, SqlitePool};
use tokio::sync::OnceCell;

use super::super::connection::work::{Done, Reading, Work};
use super::super::connection::{Connection, run};
use super::super::error::StoreError;
use super::file::DataFile;
use super::link::{Gate, Link};
use super::lock::{beside, real_path};
use super::{BUSY_TIMEOUT, header, inspect, open};

/// Appended to the name of the database file.
const SUFFIX: &str = ".media";

/// Pages after which a commit moves the write-ahead log of this file into it; no answer waits for that.
const CHECKPOINT_PAGES: &str = "1000";

/// Size to which the write-ahead log of this file is cut after a checkpoint.
const WAL_BYTES: &str = "16777216";

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS media_part (
        media_id BLOB    NOT NULL,
        part     INTEGER NOT NULL,
        body     BLOB    NOT NULL,
        PRIMARY KEY (media_id, part)
    ) STRICT";

/// The file, opened at its first use.
pub(super) struct MediaFile {
    path: PathBuf,
    is_read_only: bool,
    opened: OnceCell<Opened>,
}

struct Opened {
    gate: Gate,
    link: Link,
    readers: SqlitePool,
}

/// The path of the media of the database at `database`.
pub fn media_of(database: &Path) -> PathBuf {
    beside(&real_path(database), SUFFIX)
}

impl MediaFile {
    /// The media of the database at `database`. Opens nothing.
    pub(super) fn of(database: &Path, is_read_only: bool) -> Self {
        Self { path: media_of(database), is_read_only, opened: OnceCell::new() }
    }

    /// Runs `work`, which only reads; `None` when there is no file.
    pub(super) async fn read(&self, work: Reading) -> Result<Option<Done>, StoreError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let mut reader = self.opened().await?.readers.acquire().await?;
        work(&mut Connection::Sqlite(&mut reader)).await.map(Some)
    }

    /// Runs `work` in a transaction. Creates the file if it does not exist.
    pub(super) async fn write(&self, work: Work) -> Result<Done, StoreError> {
        let Opened { gate, link, .. } = self.opened().await?;
        link.write(gate, |connection| run(Connection::Sqlite(connection), work)).await
    }

    /// Moves the write-ahead log of this file into it, so that no deleted content is left in the log. `false`: a reader
    /// holds an older state.
    pub(super) async fn drop_old_frames(&self) -> Result<bool, StoreError> {
        if !self.path.exists() {
            return Ok(true);
        }
        let Opened { gate, link, .. } = self.opened().await?;
        link.with(gate, |connection| truncate(connection).boxed()).await
    }

    /// The faults of the file, one sentence each; empty when there is no file.
    pub(super) async fn check(&self) -> Result<Vec<String>, StoreError> {
        if !self.path.exists() {
            return Ok(Vec::new());
        }
        let findings = inspect::check(&self.opened().await?.readers).await?;
        Ok(findings.into_iter().map(|what| format!("the file of pictures and sounds: {what}")).collect())
    }

    /// Closes every connection; later calls open them again.
    pub(super) async fn close(&self) {
        if let Some(Opened { link, readers, .. }) = self.opened.get() {
            readers.close().await;
            link.close().await;
        }
    }

    async fn opened(&self) -> Result<&Opened, StoreError> {
        self.opened.get_or_try_init(|| async { self.open().await }).await
    }

    async fn open(&self) -> Result<Opened, StoreError> {
        if self.is_read_only {
            let options = inspect::options(&self.path);
            let file = Arc::new(DataFile::find(&self.path, 0)?);
            let readers = inspect::pool().connect_lazy_with(options.clone());
            return Ok(Opened { gate: Gate::default(), link: Link::new(options, &file), readers });
        }
        open::prepare_file(&self.path)?;
        let (file, options) = (Arc::new(DataFile::find(&self.path, 0)?), options(&self.path));
        let (gate, link) = (Gate::default(), Link::new(options.clone(), &file));
        link.with(&gate, |connection| prepare(connection).boxed()).await?;
        Ok(Opened { gate, link, readers: open::readers(options, &file) })
    }
}

/// The options of the database, but with a short write-ahead log.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    let options = open::options(path).busy_timeout(BUSY_TIMEOUT);
    options.pragma("wal_autocheckpoint", CHECKPOINT_PAGES).pragma("journal_size_limit", WAL_BYTES)
}

async fn prepare(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    connection.execute(TABLES).await?;
    header::number(connection).await
}

async fn truncate(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    let (busy, ..): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await?;
    Ok(busy == 0)
}
