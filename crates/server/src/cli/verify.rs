//! `quizhall verify`: whether all stored data can be read. Opens the database read-only, and works while a service
//! runs.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use secrecy::ExposeSecret as _;

use super::stopping::unless_stopped;
use super::streams::Given;
use super::{WrongUse, print};
use crate::clock;
use crate::config::Storage;
use crate::store::{self, StoreError};
use crate::verify::{self, Report};

/// How often the progress is shown: on a terminal, and in a file of standard error.
const SHOWN: Duration = Duration::from_millis(200);
const WRITTEN: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// An `SQLite` file, such as a backup, or `-` for a backup on standard input [default: the database of `DATABASE_URL`].
    file: Option<PathBuf>,
}

/// Where a line about damage goes.
pub(super) type Say = fn(String) -> anyhow::Result<()>;

/// Prints a line for each damaged thing, and a summary.
pub(super) async fn run(VerifyArgs { file }: VerifyArgs, storage: &Storage) -> anyhow::Result<()> {
    unless_stopped(read(file.as_deref(), storage)).await
}

async fn read(file: Option<&Path>, storage: &Storage) -> anyhow::Result<()> {
    let given = match file {
        Some(file) => Some(Given::find(file).await?),
        None => None,
    };
    let opened = match &given {
        Some(given) => store::open_file_to_read(&given.file, storage.options).await,
        None => store::open_to_read(storage.database_url.expose_secret(), storage.options).await,
    };
    let store = match opened {
        Err(StoreError::Unusable(sentence)) => return Err(WrongUse(sentence).into()),
        // The damage is so great that nothing can be read.
        Err(error) if error.is_damage() => {
            return conclude(&Report { file: vec![error.to_string()], ..Report::default() });
        }
        opened => opened?,
    };
    let mut progress = Progress::new();
    let report = verify::run(&store, &mut |report| progress.show(report)).await;
    progress.end();
    store.close().await;
    conclude(&report?)
}

/// Reads the games of an `SQLite` file that is undamaged as a file.
pub(super) async fn games_of(file: &Path, storage: &Storage) -> anyhow::Result<Report> {
    let store = store::open_file_to_read(file, storage.options).await?;
    let mut progress = Progress::new();
    let report = verify::games(&store, &mut |report| progress.show(report)).await;
    progress.end();
    store.close().await;
    Ok(report?)
}

/// Says a line for each damaged thing.
pub(super) fn name_damage(report: &Report, say: Say) -> anyhow::Result<()> {
    let file = report.file.iter().map(|what| format!("database: {what}"));
    let games = report.damaged.iter().map(|(game, what)| format!("game {game}: {what}"));
    let files = report.damaged_files.iter().map(|(file, what)| format!("file {file}: {what}"));
    file.chain(games).chain(files).try_for_each(say)
}

fn conclude(report: &Report) -> anyhow::Result<()> {
    name_damage(report, print)?;
    let Report { games, rows, events, snapshots, files, .. } = report;
    let files = if *files > 0 { format!(", {files} pictures and sounds") } else { String::new() };
    let read = format!("{games} games, {rows} log rows, {events} events, {snapshots} snapshots{files} read");
    if report.is_clean() {
        return print(format_args!("{read}: no damage found."));
    }
    print(format_args!("{read}."))?;
    let damaged_files = match report.damaged_files.len() {
        0 => String::new(),
        files => format!(", {files} in pictures and sounds"),
    };
    bail!(
        "damage was found: {} in the database file, {} in games{damaged_files}",
        report.file.len(),
        report.damaged.len()
    )
}

/// The progress of reading, on standard error.
struct Progress {
    shown: Instant,
    on_terminal: bool,
}

impl Progress {
    fn new() -> Self {
        Self { shown: clock::now(), on_terminal: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, report: &Report) {
        if clock::since(self.shown) < if self.on_terminal { SHOWN } else { WRITTEN } {
            return;
        }
        self.shown = clock::now();
        let (begin, end) = if self.on_terminal { ("\r", "") } else { ("", "\n") };
        // When standard error is closed, the progress is dropped.
        let _ = write!(std::io::stderr(), "{begin}{} games, {} log rows read{end}", report.games, report.rows);
        let _ = std::io::stderr().flush();
    }

    /// Leaves the line, so that other output starts on a new one.
    fn end(&self) {
        if self.on_terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
