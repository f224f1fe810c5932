//! A backup while players answer without a pause: everything acknowledged before it began is in the copy, which is restored
//! into a second service and played on there. How much slower acknowledgements become, and how long the write-ahead log.
//!
//! Small in an ordinary run; `make backup-under-load` makes it a gigabyte on the release build and holds it to the promises.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::play::Play;
use super::{done, filler};
use crate::process::{Launch, Server};

/// The size of the database in MiB, for the measured run.
const MEASURED: &str = "QUIZHALL_BACKUP_MB";

/// Between two looks at the length of the log.
const LOOK: Duration = Duration::from_millis(5);

/// What a run looks like.
struct Size {
    bytes: u64,
    players: usize,
    /// Play before, for comparison.
    before: Duration,
    is_measured: bool,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_holds_every_answer_that_was_acknowledged_before_it_began() {
    let size = size();
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), size.bytes).await;
    let mut server = Server::start(&Launch::new(folder.path()));
    let mut play = Play::begin(&server, size.players).await;
    let log = LogLength::watch(folder.path());
    let quiet = Instant::now();
    tokio::time::sleep(size.before).await;
    let length_before = log.longest();

    let (at_start, begun) = (play.ledger(), Instant::now());
    let file = shelf.path().join("backup.db");
    let said = tokio::task::spawn_blocking({
        let (folder, file) = (folder.path().to_owned(), file.clone());
        move || done(&folder, "backup", &file)
    });
    let said = said.await.unwrap();
    let ended = Instant::now();
    play.stop().await;
    let ((before, _), (during, answers)) = (play.slowest(quiet, begun), play.slowest(begun, ended));
    let (bytes, took) = (fs::metadata(folder.path().join("quizhall.db")).unwrap().len(), ended - begun);
    println!("{bytes} bytes in {took:?}; {said}");
    println!("99 % of acknowledgements: {before:?} before, {during:?} during the backup ({answers} of them)");
    println!("write-ahead log: {length_before} bytes before, at most {} during the backup", log.longest());
    assert!(answers > 0, "no player answered during the backup");

    let ledger = at_start.with_sent_until(&play.ledger());
    assert!(ledger.acknowledgements() > 0);
    server.kill();
    let elsewhere = TempDir::new().unwrap();
    done(elsewhere.path(), "restore", &file);
    let restored = Server::start(&Launch::new(elsewhere.path()));
    play.finish(&restored, &ledger).await;
    // The service itself has all of it, and goes on as well.
    play.finish(&Server::start(&Launch::new(folder.path())), &play.ledger()).await;

    if size.is_measured {
        assert!(took < Duration::from_secs(10), "{took:?}");
        assert!(during <= 2 * before, "{during:?} instead of {before:?}");
        assert!(log.longest() < length_before + (512 << 20), "{} bytes", log.longest());
    }
}

fn size() -> Size {
    match env::var(MEASURED) {
        Ok(megabytes) => Size {
            bytes: megabytes.parse::<u64>().unwrap() << 20,
            players: 500,
            before: Duration::from_secs(10),
            is_measured: true,
        },
        Err(_) => Size { bytes: 32 << 20, players: 20, before: Duration::from_millis(300), is_measured: false },
    }
}

/// How long the write-ahead log of a database was at its longest.
struct LogLength {
    longest: Arc<AtomicU64>,
    watching: JoinHandle<()>,
}

impl LogLength {
    fn watch(folder: &Path) -> Self {
        let longest = Arc::<AtomicU64>::default();
        let (file, seen) = (folder.join("quizhall.db-wal"), Arc::clone(&longest));
        let watching = tokio::spawn(async move {
            loop {
                seen.fetch_max(fs::metadata(&file).map_or(0, |file| file.len()), Ordering::Relaxed);
                tokio::time::sleep(LOOK).await;
            }
        });
        Self { longest, watching }
    }

    fn longest(&self) -> u64 {
        self.longest.load(Ordering::Relaxed)
    }
}

impl Drop for LogLength {
    fn drop(&mut self) {
        self.watching.abort();
    }
}
