//! The backup of a database file, and the mark of the last one.
//!
//! Called by `quizhall backup`; the mark is read for a metric.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::super::error::StoreError;
use super::copy::{Copy, Progress, Source, folder_of, refused, unusable};
use super::lock::{beside, real_path};
use super::media::media_of;
use super::pace::Pace;
use super::path_of;
use crate::clock;

/// Name of a file next to the database with the time at which its last backup was complete, as seconds since 1970 and
/// nothing else.
const MARK: &str = ".last-backup";

/// Tables that every version has.
const OURS: &str = "SELECT count(*) FROM sqlite_master WHERE name IN ('_sqlx_migrations', 'game', 'game_log')";
const OURS_COUNT: i64 = 3;

/// A backup that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackedUp {
    /// Bytes of the file.
    pub bytes: u64,
    /// The file with pictures and sounds next to the other, and its bytes; `None` when there are none.
    pub media: Option<(PathBuf, u64)>,
}

/// Copies the database that `url` names into the new file `to`, and its pictures and sounds, if there are any, into a
/// file next to it. Works while a service runs and writes.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence; then there is no file `to` unless it existed before.
pub async fn backup(url: &str, to: &Path, progress: Progress<'_>) -> Result<BackedUp, StoreError> {
    let database = real_path(&path_of(url)?);
    let media_to = media_of(to);
    for file in [to, &media_to] {
        if fs::symlink_metadata(file).is_ok() {
            return Err(taken(file));
        }
    }
    if !folder_of(to).is_dir() {
        return Err(refused("is no folder", &folder_of(to)));
    }
    let copy = Copy::make(ours(&database).await?, to, Pace::BesideAService, progress).await?;
    let bytes = copy.bytes();
    // Copied after the database: by then the parts of every file that it lists are stored.
    let media = back_up_media(&database, &media_to, progress).await?;
    if !copy.publish(to)? {
        return Err(taken(to));
    }
    Ok(BackedUp { bytes, media: media.map(|bytes| (media_to, bytes)) })
}

/// Marks that a backup of the database that `url` names is complete now.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence. The backup is valid without the mark.
pub fn mark_backup(url: &str) -> Result<(), StoreError> {
    mark(&real_path(&path_of(url)?))
}

/// Copies pictures and sounds; returns the number of bytes, or `None` when there are none.
async fn back_up_media(database: &Path, to: &Path, progress: Progress<'_>) -> Result<Option<u64>, StoreError> {
    let media = media_of(database);
    if !media.is_file() {
        return Ok(None);
    }
    let copy = Copy::make(Source::live(&media).await?, to, Pace::BesideAService, progress).await?;
    let bytes = copy.bytes();
    if copy.publish(to)? { Ok(Some(bytes)) } else { Err(taken(to)) }
}

/// When the last backup of the database at `path` was complete, in seconds since 1970; `None` when there was none, or its
/// mark cannot be read.
pub fn last_backup(path: &Path) -> Option<i64> {
    fs::read_to_string(beside(&real_path(path), MARK)).ok()?.trim().parse().ok()
}

/// Opens a database and checks that it is one of Quizhall.
async fn ours(database: &Path) -> Result<Source, StoreError> {
    if !database.is_file() {
        return Err(StoreError::Unusable(format!(
            "DATABASE_URL names {}, which does not exist; nothing was written",
            database.display()
        )));
    }
    let mut source = Source::live(database).await?;
    let tables: Result<i64, _> = sqlx::query_scalar(OURS).fetch_one(&mut source.connection).await;
    match tables {
        Ok(OURS_COUNT) => Ok(source),
        Ok(_) => Err(refused("is no database of Quizhall; nothing was written", database)),
        Err(error) => Err(refused(&format!("cannot be read: {}", StoreError::from(error)), database)),
    }
}

/// Written in one step, so that a reader gets either the old mark or the new one.
fn mark(database: &Path) -> Result<(), StoreError> {
    let mark: PathBuf = beside(database, MARK);
    let failed = |error: &std::io::Error| unusable("cannot write", &mark, error);
    let mut file = tempfile::NamedTempFile::new_in(folder_of(database)).map_err(|error| failed(&error))?;
    writeln!(file, "{}", clock::unix_ms() / 1_000).map_err(|error| failed(&error))?;
    file.persist(&mark).map_err(|error| failed(&error.error))?;
    Ok(())
}

fn taken(to: &Path) -> StoreError {
    refused("exists already and was left as it is; name another file", to)
}
