//! A backup while players answer continuously: everything acknowledged before it began is in the copy, which is restored into
//! a second service and played on there. Measures how much slower acknowledgements become, and how long the write-ahead log.
//!
//! Small in an ordinary run. `make backup-under-load` uses a database of a gigabyte and the release build, and checks the promises.
//! The 99th percentile of a few seconds varies by a factor of three on an idle machine, so that run compares medians over several
//! backups with medians over the play between them.

use std::env;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::play::Play;
use super::{done, filler};
use crate::crash::ledger::Ledger;
use crate::process::{Launch, Server};

/// The size of the database in MiB, for the measured run.
const MEASURED: &str = "QUIZHALL_BACKUP_MB";

/// How often the length of the log is measured.
const LOOK: Duration = Duration::from_millis(5);

/// Pause after a copy was removed.
const SETTLED: Duration = Duration::from_secs(2);

/// The parameters of a run.
struct Size {
    bytes: u64,
    players: usize,
    /// How long players answer before each backup, for comparison.
    before: Duration,
    /// How many backups are made, one after the other. The last is restored.
    backups: usize,
    is_measured: bool,
}

/// The measurements of one backup.
struct Run {
    bytes: u64,
    took: Duration,
    /// The 99th percentile of the waits for an acknowledgement, before the backup and during it.
    before: Duration,
    during: Duration,
    /// How many answers were acknowledged during the backup.
    answers: usize,
    /// The greatest length of the write-ahead log in bytes, before the backup and during it.
    log_before: u64,
    log: u64,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, took, before, during, answers, log_before, log } = self;
        write!(
            f,
            "{bytes} bytes in {took:.1?}; 99 % of acknowledgements: {before:?} before, {during:?} during ({answers} of them); "
        )?;
        write!(f, "write-ahead log: {log_before} bytes before, {log} during")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_holds_every_answer_that_was_acknowledged_before_it_began() {
    let size = size();
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), size.bytes).await;
    let mut server = Server::start(&Launch::new(folder.path()));
    let mut play = Play::begin(&server, size.players).await;
    let mut runs = Vec::new();
    let mut last = None;
    for number in 0..size.backups {
        let file = shelf.path().join(format!("backup-{number}.db"));
        let (run, at_start) = run(&size, &play, folder.path(), &file).await;
        println!("{run}");
        runs.push(run);
        if let Some((before, _)) = last.replace((file, at_start)) {
            fs::remove_file(before).unwrap();
            // The disk frees a gigabyte: this time belongs neither to play without a backup nor to a backup.
            tokio::time::sleep(SETTLED).await;
        }
    }
    play.stop().await;
    let (file, at_start) = last.expect("at least one backup");

    let ledger = at_start.with_sent_until(&play.ledger());
    assert!(ledger.acknowledgements() > 0);
    server.kill();
    let elsewhere = TempDir::new().unwrap();
    done(elsewhere.path(), "restore", &file);
    let restored = Server::start(&Launch::new(elsewhere.path()));
    play.finish(&restored, &ledger).await;
    // The service itself has every answer, and continues as well.
    play.finish(&Server::start(&Launch::new(folder.path())), &play.ledger()).await;

    if size.is_measured {
        let (took, before, during) =
            (median(&runs, |run| run.took), median(&runs, |run| run.before), median(&runs, |run| run.during));
        println!("medians: {took:?}; 99 % of acknowledgements {before:?} before, {during:?} during a backup");
        assert!(took < Duration::from_secs(10), "{took:?}");
        assert!(during <= 2 * before, "{during:?} instead of {before:?}");
        for run in &runs {
            assert!(run.log < run.log_before + (512 << 20), "{run}");
        }
    }
}

/// Lets players answer without a backup, then makes one into `file`. Also returns the ledger from the moment when it began.
async fn run(size: &Size, play: &Play, folder: &Path, file: &Path) -> (Run, Ledger) {
    let log = LogLength::watch(folder);
    let quiet = Instant::now();
    tokio::time::sleep(size.before).await;
    let log_before = log.longest();
    let (at_start, begun) = (play.ledger(), Instant::now());
    let backup = tokio::task::spawn_blocking({
        let (folder, file) = (folder.to_owned(), file.to_owned());
        move || done(&folder, "backup", &file)
    });
    backup.await.unwrap();
    let ended = Instant::now();
    let ((before, _), (during, answers)) = (play.slowest(quiet, begun), play.slowest(begun, ended));
    assert!(answers > 0, "no player answered during the backup");
    let bytes = fs::metadata(file).unwrap().len();
    (Run { bytes, took: ended - begun, before, during, answers, log_before, log: log.longest() }, at_start)
}

/// The median of one figure over all runs.
fn median(runs: &[Run], figure: impl Fn(&Run) -> Duration) -> Duration {
    let mut figures: Vec<Duration> = runs.iter().map(figure).collect();
    figures.sort_unstable();
    figures[figures.len() / 2]
}

fn size() -> Size {
    match env::var(MEASURED) {
        Ok(megabytes) => Size {
            bytes: megabytes.parse::<u64>().unwrap() << 20,
            players: 500,
            before: Duration::from_secs(8),
            backups: 5,
            is_measured: true,
        },
        Err(_) => {
            Size { bytes: 8 << 20, players: 40, before: Duration::from_millis(300), backups: 1, is_measured: false }
        }
    }
}

/// Measures how long the write-ahead log of a database was at its longest.
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
