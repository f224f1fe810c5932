//! Reads everything that is stored and reports damage: in the file, each game's log, its snapshots, and the pictures
//! and sounds.
//!
//! Called by `cli`. Changes nothing, and works while a service runs: a log that grows meanwhile is read to its end at
//! that time. Holds one game's state and one page of its log at a time. Never prints the content of a row.

mod copies;
mod files;
mod replay;

use quizhall_rules::GameId;
use uuid::Uuid;

use crate::store::{Head, Listed, Store, StoreError};
use copies::Copies;
use replay::Replay;

/// The parts that were read, and the damaged ones.
#[derive(Debug, Default)]
pub struct Report {
    /// Games with a line or a log.
    pub games: u64,
    /// Rows of their logs.
    pub rows: u64,
    /// Events in those rows.
    pub events: u64,
    /// Complete snapshots.
    pub snapshots: u64,
    /// Pictures and sounds, used or not.
    pub files: u64,
    /// The faults of the database file itself, a sentence each.
    pub file: Vec<String>,
    /// The faults of games, a sentence each.
    pub damaged: Vec<(GameId, String)>,
    /// The faults of pictures and sounds, a sentence each.
    pub damaged_files: Vec<(Uuid, String)>,
}

impl Report {
    /// Whether nothing is damaged.
    pub fn is_clean(&self) -> bool {
        self.file.is_empty() && self.damaged.is_empty() && self.damaged_files.is_empty()
    }
}

/// Reads everything. `progress` is called after each game with the report so far.
///
/// # Errors
/// When the store cannot be read at all; damage is not an error but part of the report.
pub async fn run(store: &Store, progress: &mut (dyn FnMut(&Report) + Send)) -> Result<Report, StoreError> {
    let report = Report { file: store.check_file().await?, ..Report::default() };
    read_all(store, report, progress).await
}

/// The same for a database whose file is known to be undamaged: only its games and files.
///
/// # Errors
/// As [`run`].
pub async fn games(store: &Store, progress: &mut (dyn FnMut(&Report) + Send)) -> Result<Report, StoreError> {
    read_all(store, Report::default(), progress).await
}

async fn read_all(
    store: &Store,
    mut report: Report,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, StoreError> {
    read_games(store, &mut report, progress).await?;
    files::read(store, &mut report).await?;
    Ok(report)
}

async fn read_games(
    store: &Store,
    report: &mut Report,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let page = match store.every_game(after).await {
            Ok(page) => page,
            Err(error) if error.is_damage() => {
                report.file.push(format!("the list of games cannot be read: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.game);
        for listed in page {
            game(store, &listed, report).await?;
            progress(report);
        }
    }
}

/// The fault of one game's log, if any.
///
/// # Errors
/// As [`run`].
pub async fn log(store: &Store, game: GameId) -> Result<Option<String>, StoreError> {
    log_into(store, &mut Replay::new(game), &mut Copies::default()).await
}

async fn game(store: &Store, listed: &Listed, report: &mut Report) -> Result<(), StoreError> {
    let (game, mut replay) = (listed.game, Replay::new(listed.game));
    report.games += 1;
    let mut copies = Copies::of(store, game).await?;
    let wrong = log_into(store, &mut replay, &mut copies).await?;
    report.rows += replay.rows();
    report.events += replay.events();
    // The deletion of a game removes its rows in pieces.
    let incomplete = listed.closed && replay.is_incomplete();
    if let Some(what) = wrong.filter(|_| !incomplete) {
        report.damaged.push((game, what));
    } else if !listed.has_line {
        report.damaged.push((game, "its log belongs to no game".to_owned()));
    }
    report.snapshots += copies.count;
    report.damaged.extend(copies.finish(store, game).await?.into_iter().map(|what| (game, what)));
    Ok(())
}

/// Replays the log, and compares the snapshots with the states; returns the fault of the log, if any.
async fn log_into(store: &Store, replay: &mut Replay, copies: &mut Copies) -> Result<Option<String>, StoreError> {
    let mut from = 0;
    loop {
        let page = match store.read_log_page(replay.game(), from).await {
            Ok(page) => page,
            Err(error) if error.is_damage() => return Ok(Some(error.to_string())),
            Err(error) => return Err(error),
        };
        let Some(last) = page.last() else { return Ok(replay.finish().err()) };
        from = last.seq + 1;
        for row in page {
            if let Err(what) = replay.push(&row) {
                return Ok(Some(what));
            }
            copies.passed(store, replay, Head { seq: row.seq, batch: row.batch }).await?;
        }
    }
}

/// `None` for a damaged row.
fn damage<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_damage() => Ok(None),
        Err(error) => Err(error),
    }
}
