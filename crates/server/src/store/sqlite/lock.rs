//! The lock that keeps a second service away from a database file.
//!
//! Taken by `serve`, by `quizhall init` while it makes or changes tables, and by `quizhall restore`. There are two
//! locks. One is on a file next to the database, found by name: it also covers a database that does not exist yet or
//! that `restore` replaces. The other is on the database file itself, found whatever its name is: under a hard link,
//! and when the file next to it was removed. Both are `flock` locks: the system keeps them apart from the POSIX locks
//! of `SQLite`, and releases them when the process ends. Closing a descriptor of the database would end `SQLite`'s
//! locks in this process, so `header` opens the file once for all users.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::error::StoreError;
use super::file::identity_of;
use super::header;

/// Appended to the name of the database file.
const SUFFIX: &str = ".lock";

/// The right to serve one database file. Dropping it releases the file.
#[derive(Debug)]
pub struct ServiceLock {
    _named: File,
    /// `None` when there is no database yet.
    itself: Option<Arc<File>>,
}

impl Drop for ServiceLock {
    /// A store may keep the file of the database open.
    fn drop(&mut self) {
        if let Some(file) = &self.itself {
            let _ = file.unlock();
        }
    }
}

impl ServiceLock {
    /// Takes the lock of the database at `path`, which need not exist; its folder must. Every spelling of the path and every
    /// symbolic link to the file leads to the same lock.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when another process serves the database, or the lock file cannot be made.
    pub fn try_take(path: &Path) -> Result<Self, StoreError> {
        let database = real_path(path);
        let lock = beside(&database, SUFFIX);
        let unusable = |what: &str| StoreError::Unusable(format!("{what} {}", lock.display()));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock)
            .map_err(|error| unusable(&format!("the lock file cannot be opened ({error}):")))?;
        let taken = |file: &File| match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(StoreError::Unusable(format!(
                "another service uses the database {}: one process at a time; stop that one first",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => Err(unusable(&format!("the lock file cannot be locked ({error}):"))),
        };
        taken(&file)?;
        let itself = match identity_of(&database) {
            Ok(identity) => Some(header::opened(&database, identity)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => Some(Err(error)),
        };
        let itself =
            itself.transpose().map_err(|error| unusable(&format!("the database cannot be opened ({error}):")))?;
        itself.as_deref().map(taken).transpose()?;
        Ok(Self { _named: file, itself })
    }
}

/// The path without symbolic links, also of a file that does not exist yet.
pub(super) fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (fs::canonicalize(folder), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

/// The file whose name is that of the database with a suffix.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(suffix);
    name.into()
}
