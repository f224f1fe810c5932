//! The lock that keeps a second service away from a database file.
//!
//! Taken by `serve`, by `quizhall init` while it makes or changes tables, and by `quizhall restore`. It is a lock on a file
//! of its own beside the database, never on the database: closing a descriptor of that would release the locks that `SQLite`
//! holds on it in this process. The system releases the lock when the process ends, however it ends.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::super::error::StoreError;

/// Appended to the name of the database file.
const SUFFIX: &str = ".lock";

/// The right to serve one database file. Dropping it releases the file.
#[derive(Debug)]
pub struct ServiceLock {
    _file: File,
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
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Unusable(format!(
                "another service uses the database {}: one process at a time; stop that one first",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => Err(unusable(&format!("the lock file cannot be locked ({error}):"))),
        }
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

/// The file whose name is that of the database with an appendix.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests;
