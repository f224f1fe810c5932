//! Moves committed data from the write-ahead log into the file, while writers continue, instead of inside a commit.
//!
//! By default `SQLite` does this in the commit that makes the log longer than 1,000 pages, and all acknowledgements
//! wait for it. Here a connection of its own does most of it in a few rounds without the writers' gate, and holds the
//! gate only for what was committed meanwhile; then the log is empty and starts over. A failure loses nothing: the log
//! is as durable as the file. A sync that fails ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Executor as _, SqliteConnection};

use super::super::error::StoreError;
use super::file::DataFile;
use super::link::{Gate, Link};
use crate::clock;
use crate::telemetry::Recurring;

/// Bytes of a page.
pub(in crate::store) const PAGE: usize = 4_096;
/// Pages for which a write of the probe counts: the log of a service that only probes starts over after 4 MiB, every 17
/// minutes, and not after 128.
pub(super) const PROBE: u64 = 32;
/// The length of the log, in pages, at which commits move it themselves in case the task here fails: 512 MiB. This is
/// far above any error of the estimate below, because beyond it every commit waits for a sync of the file.
pub(super) const AT_LAST: &str = "131072";

/// Rounds while writers continue, before they have to wait for the last one. A round moves what was committed during
/// the previous one, so rounds become short. In the first round during which nothing is committed, `SQLite` syncs the
/// file, which takes longer than all else.
const ROUNDS: usize = 8;

static FAILED: Recurring = Recurring::new();

/// `SQLite`'s extended code for a sync that failed.
const IOERR_FSYNC: &str = "1034";

/// How long the process waits after a failed sync, so that its last log line is written.
const LAST_WORDS: Duration = Duration::from_millis(100);

const PASSIVE: &str = "PRAGMA wal_checkpoint(PASSIVE)";
const TRUNCATE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
/// How long cutting the log waits for readers of older states, in milliseconds: writers wait as long.
const READERS_MAY_TAKE: &str = "PRAGMA busy_timeout = 100";

/// Runs the checkpoints and decides when.
pub(in crate::store) struct Checkpoints {
    gate: Arc<Gate>,
    link: Arc<Link>,
    /// Estimated pages written since the last checkpoint.
    written: AtomicU64,
    /// The number of pages that makes the next one due.
    enough: u64,
    /// When the last one was complete, in seconds of Unix time; 0: none yet.
    last: Arc<AtomicU64>,
}

impl Checkpoints {
    /// A checkpoint is due after about `bytes` of writes.
    pub(super) fn new(options: SqliteConnectOptions, gate: Arc<Gate>, file: &Arc<DataFile>, bytes: u64) -> Self {
        let enough = bytes / PAGE as u64;
        Self {
            gate,
            link: Arc::new(Link::new(options, file)),
            written: AtomicU64::new(0),
            enough,
            last: Arc::default(),
        }
    }

    /// When the last one was complete, in seconds of Unix time; 0: none yet.
    pub(super) fn last(&self) -> u64 {
        self.last.load(Ordering::Relaxed)
    }

    /// Counts written pages. Starts a checkpoint when it is due.
    pub(in crate::store) fn written(&self, pages: u64) {
        let written = self.written.fetch_add(pages, Ordering::Relaxed) + pages;
        if written < self.enough || self.link.is_busy() {
            return;
        }
        self.written.store(0, Ordering::Relaxed);
        let (gate, link, last) = (Arc::clone(&self.gate), Arc::clone(&self.link), Arc::clone(&self.last));
        // Runs in a task of its own, for which no caller waits.
        tokio::spawn(async move {
            match both_steps(&gate, &link).await {
                Ok(()) => last.store(u64::try_from(clock::unix_ms() / 1_000).unwrap_or(0), Ordering::Relaxed),
                Err(error) => {
                    if let Some(unsaid) = FAILED.due() {
                        tracing::warn!(%error, unsaid, "moving the write-ahead log into the database failed; it is tried again");
                    }
                }
            }
        });
    }

    /// Moves all of the log into the file and cuts it to nothing, so that no old content is left in it. `false` when a
    /// reader holds an older state, or another process is moving it; the log is as long as before.
    pub(super) async fn empty(&self) -> Result<bool, StoreError> {
        both_steps(&self.gate, &self.link).await?;
        self.link.with(&self.gate, |connection| cut(connection).boxed()).await
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }
}

/// The rounds while writers continue, and the last one at their gate.
async fn both_steps(gate: &Gate, link: &Link) -> Result<(), StoreError> {
    let mut before = None;
    for _ in 0..ROUNDS {
        // A gate of its own, so writers continue.
        let moved = link.with(&Gate::default(), |connection| once(connection).boxed()).await?;
        if before.replace(moved) == Some(moved) {
            break;
        }
    }
    link.with(gate, |connection| once(connection).boxed()).await.map(drop)
}

/// Cuts the log to nothing; `false` when it was in use.
async fn cut(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    connection.execute(READERS_MAY_TAKE).await?;
    let (busy, _log, _moved) = checkpoint(connection, TRUNCATE).await?;
    Ok(busy == 0)
}

/// How many pages of the log are in the file now.
async fn once(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let (_busy, _log, moved) = checkpoint(connection, PASSIVE).await?;
    Ok(moved)
}

/// Whether it was busy, the length of the log, and how much of it was moved, in pages. Ends the process when a sync
/// failed.
async fn checkpoint(connection: &mut SqliteConnection, how: &'static str) -> Result<(i64, i64, i64), StoreError> {
    let done = sqlx::query_as(how).fetch_one(connection).await;
    if done.as_ref().is_err_and(is_failed_sync) {
        end_process().await;
    }
    Ok(done?)
}

fn is_failed_sync(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == IOERR_FSYNC)
}

/// Ends the process without closing a connection, while the caller holds the one that moves the log.
///
/// After a failed sync the kernel takes the written pages for clean, and no later sync writes them. `SQLite` counts the
/// pages of an earlier round as moved although no sync has covered them yet, so the next checkpoint would succeed
/// without them and let the log start over; a loss of power would then lose acknowledged answers. A new process reads
/// the log from its beginning and moves all of it again; nothing inside this process makes `SQLite` do so.
async fn end_process() {
    tracing::error!("a sync of the database failed; the process ends, and the next start moves the whole log again");
    // A thread of its own writes the log lines.
    tokio::time::sleep(LAST_WORDS).await;
    #[allow(clippy::disallowed_methods, reason = "dropping a connection would begin the checkpoint that must not be")]
    std::process::exit(1);
}
