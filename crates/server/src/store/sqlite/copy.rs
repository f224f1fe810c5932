//! A consistent copy of a database file, made while other processes read and write it.
//!
//! Used by the backup, by the restore and before a migration. `VACUUM INTO` reads in one transaction: it sees what was
//! committed when it began, is never restarted by a commit, and takes no lock that a writer waits for. Meanwhile the
//! write-ahead log cannot start over and grows by what is committed. A copy has a temporary name until it is complete,
//! synced and checked; one that fails, or is dropped, leaves no file.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tempfile::NamedTempFile;
use tokio::time::{MissedTickBehavior, interval};

use super::super::error::StoreError;
use super::lock::beside;
use super::pace::Pace;

/// Called while a copy is made, with the bytes written so far and the bytes of the source.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

/// How often the length of the copy is reported.
const TICK: Duration = Duration::from_millis(100);
/// How long the copy waits for a process that has locked the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A complete copy under a temporary name, in the folder of its later name.
pub(super) struct Copy {
    file: NamedTempFile,
    folder: PathBuf,
    _journal: Journal,
}

/// The journal that `SQLite` writes next to a copy in progress, and leaves there when it is stopped.
struct Journal(PathBuf);

impl Drop for Journal {
    fn drop(&mut self) {
        // A complete copy has none.
        let _ = fs::remove_file(&self.0);
    }
}

/// A database that is open for reading. Dropping it closes it some time later; `close` closes it now.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) connection: SqliteConnection,
}

impl Copy {
    /// Copies a database into the folder of `to`, readable by this user only.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence: the database cannot be read, there is no room, or the copy is damaged.
    pub(super) async fn make(from: Source, to: &Path, pace: Pace, progress: Progress<'_>) -> Result<Self, StoreError> {
        let folder = folder_of(to);
        let name = to.file_name().ok_or_else(|| refused("is no name of a file", to))?.to_string_lossy();
        let file = tempfile::Builder::new()
            .prefix(&format!(".{name}.partial-"))
            .tempfile_in(&folder)
            .map_err(|error| unusable("cannot write into", &folder, &error))?;
        let copy = Self { _journal: Journal(beside(file.path(), "-journal")), file, folder };
        let (path, filled) = (from.path.clone(), copy.fill(from, pace, progress).await);
        filled.map_err(|error| copy.explained(error, &path))?;
        copy.check().await?;
        Ok(copy)
    }

    /// Its length in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.file.as_file().metadata().map_or(0, |metadata| metadata.len())
    }

    /// Gives the copy its name, durably; `false` when a file already has this name, which is not touched.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when the folder cannot be written.
    pub(super) fn publish(self, to: &Path) -> Result<bool, StoreError> {
        match self.file.persist_noclobber(to) {
            Ok(_) => sync_folder(&self.folder).map(|()| true),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(unusable("cannot give the copy its name", to, &error.error)),
        }
    }

    /// Gives the copy to the user who owns the file that it will replace, or its folder: a service that runs as another
    /// user than the operator must be able to open it.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when that is not allowed.
    pub(super) fn give_to_owner_of(&self, place: &Path) -> Result<(), StoreError> {
        let given = fs::metadata(place).or_else(|_| fs::metadata(&self.folder)).and_then(|place| self.give_to(&place));
        given.map_err(|error| unusable("cannot give the copy the owner of", place, &error))
    }

    fn give_to(&self, place: &Metadata) -> io::Result<()> {
        let own = self.file.as_file().metadata()?;
        if (own.uid(), own.gid()) == (place.uid(), place.gid()) {
            return Ok(());
        }
        match chown(self.file.path(), Some(place.uid()), Some(place.gid())) {
            // A user other than root may be in another group, and have no right to give the copy to the group of the
            // place.
            Err(error) if error.kind() == ErrorKind::PermissionDenied && own.uid() == place.uid() => Ok(()),
            done => done,
        }
    }

    /// Replaces the file of this name with the copy, durably and in one step.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when the folder cannot be written; the existing file is then unchanged.
    pub(super) fn replace(self, to: &Path) -> Result<(), StoreError> {
        self.file.persist(to).map_err(|error| unusable("cannot put the copy in the place of", to, &error.error))?;
        sync_folder(&self.folder)
    }

    async fn fill(&self, mut from: Source, pace: Pace, progress: Progress<'_>) -> Result<(), StoreError> {
        let bytes = size(&mut from.connection).await?;
        let reopened = || self.file.reopen().map_err(|error| io_error(&error));
        let written = tokio::fs::File::from_std(reopened()?);
        pace.hold(&mut from.connection, reopened()?).await?;
        let filled = {
            let vacuum = sqlx::query("VACUUM INTO $1").bind(text(self.file.path())?).execute(&mut from.connection);
            tokio::pin!(vacuum);
            let mut ticks = interval(TICK);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    done = &mut vacuum => break done.map(drop),
                    _ = ticks.tick() => progress(self.bytes(), bytes),
                }
            }
        };
        from.close().await;
        // Checked first, because this error has the cause of an interrupted copy.
        written.sync_all().await.map_err(|error| io_error(&error))?;
        filled?;
        progress(bytes, bytes);
        Ok(())
    }

    /// Reads the whole copy once to find damage.
    async fn check(&self) -> Result<(), StoreError> {
        let mut copy = Source::live(self.file.path()).await?;
        let found: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut copy.connection).await?;
        copy.close().await;
        if found == "ok" {
            Ok(())
        } else {
            Err(refused("was written and reads otherwise; it was not kept", self.file.path()))
        }
    }

    fn explained(&self, error: StoreError, from: &Path) -> StoreError {
        match error {
            StoreError::Full => refused("has no room for the copy; nothing was kept", &self.folder),
            StoreError::Unusable(_) => error,
            error => StoreError::Unusable(format!("{} cannot be copied: {error}", from.display())),
        }
    }
}

impl Source {
    /// Opens a database that other processes may use.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence when it cannot be read.
    pub(super) async fn live(path: &Path) -> Result<Self, StoreError> {
        Self::open(path, false).await
    }

    /// Opens a database that no process uses. Without a write-ahead log the file is read as it is, and nothing is
    /// written next to it, because it may be on a read-only disk.
    ///
    /// # Errors
    /// As [`Source::live`].
    pub(super) async fn still(path: &Path) -> Result<Self, StoreError> {
        Self::open(path, !beside(path, "-wal").exists()).await
    }

    /// Closes the file before it resolves.
    pub(super) async fn close(self) {
        // The database was only read, so an error means nothing.
        let _ = self.connection.close().await;
    }

    async fn open(path: &Path, immutable: bool) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(immutable);
        let options = options.create_if_missing(false).busy_timeout(BUSY_TIMEOUT).disable_statement_logging();
        let unreadable = |error| refused(&format!("cannot be read: {}", StoreError::from(error)), path);
        let connection = options.connect().await.map_err(unreadable)?;
        Ok(Self { path: path.to_owned(), connection })
    }
}

/// Makes the entries of a folder durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| unusable("cannot sync", folder, &error))
}

/// The folder that a file is in, or would be in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// A sentence about a path.
pub(super) fn refused(what: &str, path: &Path) -> StoreError {
    StoreError::Unusable(format!("{} {what}", path.display()))
}

/// A sentence about a failed operation on a path, with the cause.
pub(super) fn unusable(what: &str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unusable(format!("{what} {}: {error}", path.display()))
}

async fn size(database: &mut SqliteConnection) -> Result<u64, StoreError> {
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *database).await?;
    let page: i64 = sqlx::query_scalar("PRAGMA page_size").fetch_one(&mut *database).await?;
    Ok(pages.unsigned_abs() * page.unsigned_abs())
}

fn io_error(error: &io::Error) -> StoreError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => StoreError::Full,
        _ => StoreError::Unavailable(error.to_string()),
    }
}

fn text(path: &Path) -> Result<String, StoreError> {
    let path = std::path::absolute(path).map_err(|error| unusable("cannot find", path, &error))?;
    path.to_str().map(str::to_owned).ok_or_else(|| refused("is no name in UTF-8", &path))
}
