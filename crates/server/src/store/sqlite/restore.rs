//! Replacing a database with a backup.
//!
//! Called by `quizhall restore`, which reads the games of the backup between the two steps. The backup is examined
//! before anything is changed. The previous database is kept under another name. The exchange is one rename of a file
//! that is complete and synced, and the write-ahead log of the previous database is moved into it first. So a loss of
//! power leaves one of the two, and never one with the log of the other.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::super::error::StoreError;
use super::super::tables::Tables;
use super::copy::{Copy, Progress, Source, folder_of, refused, sync_folder, unusable};
use super::lock::{ServiceLock, beside, real_path};
use super::media::media_of;
use super::pace::Pace;
use super::{open, path_of};
use crate::clock;

/// The files beside a database while it is used.
const SIDE_FILES: [&str; 2] = ["-wal", "-shm"];

/// A database that was put in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The database.
    pub database: PathBuf,
    /// Where the previous database is now, with its pictures and sounds next to it; `None` when there was none.
    pub kept: Option<PathBuf>,
    /// Games in the database now, including closed ones.
    pub games: i64,
}

/// A backup that was checked: undamaged, of Quizhall, and of no newer version than this. Also names the database that
/// it replaces.
pub struct Backup {
    database: PathBuf,
    source: Source,
    /// The source of its pictures and sounds, if it has any.
    media: Option<Source>,
    games: i64,
}

impl Backup {
    /// Examines all of the file `from`, which is to replace the database that `url` names. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence.
    pub async fn examine(url: &str, from: &Path) -> Result<Self, StoreError> {
        let database = real_path(&path_of(url)?);
        let (source, games) = examine(from, &database).await?;
        let media = examine_media(&media_of(from)).await?;
        Ok(Self { database, source, media, games })
    }

    /// Replaces the database with a copy of the backup.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence, also while a service uses the database; then the database is
    /// unchanged.
    pub async fn restore(self, progress: Progress<'_>) -> Result<Restored, StoreError> {
        restore(self, progress).await
    }
}

async fn restore(backup: Backup, progress: Progress<'_>) -> Result<Restored, StoreError> {
    let Backup { database, source, media, games } = backup;
    let folder = folder_of(&database);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|error| unusable("cannot create the folder of the database", &folder, &error))?;
    let _lock = ServiceLock::try_take(&database)?;
    let copy = copied(source, &database, progress).await?;
    let media_place = media_of(&database);
    let media = match media {
        Some(source) => Some(copied(source, &media_place, progress).await?),
        None => None,
    };
    empty_log(&database).await?;
    empty_log(&media_place).await?;
    let kept_as = kept_name(&database);
    let kept = set_aside(&database, &kept_as)?;
    set_aside(&media_place, &media_of(&kept_as))?;
    match media {
        Some(media) => media.replace(&media_place)?,
        None => remove(&media_place)?,
    }
    copy.replace(&database)?;
    Ok(Restored { database, kept: kept.then_some(kept_as), games })
}

/// A copy of the source, to replace `place`.
async fn copied(source: Source, place: &Path, progress: Progress<'_>) -> Result<Copy, StoreError> {
    let copy = Copy::make(source, place, Pace::Full, progress).await?;
    copy.give_to_owner_of(place)?;
    Ok(copy)
}

/// Removes the file, if there is one.
fn remove(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(unusable("cannot remove", file, &error)),
        _ => Ok(()),
    }
}

/// Opens and examines all of the backup; returns it with its number of games.
async fn examine(from: &Path, database: &Path) -> Result<(Source, i64), StoreError> {
    let backup = fs::metadata(from).map_err(|error| unusable("cannot read", from, &error))?;
    if !backup.is_file() {
        return Err(refused("is no file", from));
    }
    let is_same = |place: fs::Metadata| (place.dev(), place.ino()) == (backup.dev(), backup.ino());
    if fs::metadata(database).is_ok_and(is_same) {
        return Err(refused("is the database itself", from));
    }
    let mut source = Source::still(from).await?;
    let unreadable = |error: StoreError| refused(&format!("cannot be restored: {error}"), from);
    let games = look_through(&mut source.connection).await.map_err(unreadable)?;
    Ok((source, games))
}

/// Opens and examines all pictures and sounds of a backup; `None` when it has none.
async fn examine_media(from: &Path) -> Result<Option<Source>, StoreError> {
    if !from.is_file() {
        return Ok(None);
    }
    let mut source = Source::still(from).await?;
    let found: Result<String, _> = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut source.connection).await;
    match found.map_err(StoreError::from) {
        Ok(found) if found == "ok" => Ok(Some(source)),
        Ok(_) => Err(refused("cannot be restored: it is damaged", from)),
        Err(error) => Err(refused(&format!("cannot be restored: {error}"), from)),
    }
}

async fn look_through(backup: &mut SqliteConnection) -> Result<i64, StoreError> {
    if matches!(open::read_tables(backup).await?, Tables::Missing | Tables::NoDatabase) {
        return Err(StoreError::Unusable("it is no database of Quizhall".to_owned()));
    }
    let found: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut *backup).await?;
    let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *backup).await?;
    if found != "ok" || orphans.is_some() {
        return Err(StoreError::Unusable("it is damaged".to_owned()));
    }
    Ok(sqlx::query_scalar("SELECT count(*) FROM game").fetch_one(&mut *backup).await?)
}

/// Moves the write-ahead log of the present database into its file. A damaged database is kept as it is, with its log.
async fn empty_log(database: &Path) -> Result<(), StoreError> {
    if !database.exists() || !is_whole(database).await? {
        return Ok(());
    }
    let unreadable =
        |error: StoreError| refused(&format!("cannot be prepared: {error}; nothing was changed"), database);
    if checkpoint(database).await.map_err(unreadable)? {
        return Ok(());
    }
    Err(refused("is used by another process; nothing was changed", database))
}

/// Whether the whole database can be read. Changes nothing.
async fn is_whole(database: &Path) -> Result<bool, StoreError> {
    let mut source = Source::live(database).await?;
    let found: Result<String, _> = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut source.connection).await;
    source.close().await;
    match found.map_err(StoreError::from) {
        Ok(found) => Ok(found == "ok"),
        Err(StoreError::Corrupt(_)) => Ok(false),
        Err(error) => Err(refused(&format!("cannot be read: {error}; nothing was changed"), database)),
    }
}

/// `false`: another process uses the database.
async fn checkpoint(database: &Path) -> Result<bool, StoreError> {
    let mut connection = open::options(database).connect().await?;
    let (busy, ..): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
    connection.close().await?;
    // The last process that closes the database removes the log.
    Ok(busy == 0 && !beside(database, SIDE_FILES[0]).exists())
}

/// The name under which the previous database is kept. It ends in the time, in UTC.
fn kept_name(database: &Path) -> PathBuf {
    let time: String = clock::rfc3339(clock::unix_ms()).chars().filter(|symbol| !"-:".contains(*symbol)).collect();
    beside(database, &format!(".before-restore-{time}"))
}

/// Gives the existing file a second name and renames its remaining side files; returns whether there was a file.
fn set_aside(file: &Path, kept: &Path) -> Result<bool, StoreError> {
    let failed = |error: std::io::Error| unusable("cannot keep the database in place as", kept, &error);
    let is_there = file.exists();
    if is_there {
        fs::hard_link(file, kept).map_err(failed)?;
    }
    for suffix in SIDE_FILES {
        let side = beside(file, suffix);
        if side.exists() {
            fs::rename(side, beside(kept, suffix)).map_err(failed)?;
        }
    }
    sync_folder(&folder_of(file))?;
    Ok(is_there)
}
