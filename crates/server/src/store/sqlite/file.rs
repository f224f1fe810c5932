//! The file behind the store: whether its path still leads to the file that was opened, whether that file still holds
//! the same database, and how much room its disk has.
//!
//! Checked by every connection after its work and by the probe, with a `stat` of each file and a read of 100 bytes. An
//! unlinked file accepts writes like any other: without this check a whole game could be acknowledged into a file that
//! no restart finds. Opens, locks and changes nothing.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustix::fs::{StatVfsMountFlags, statvfs};

use super::super::error::StoreError;
use super::backup::last_backup;
use super::header::Header;
use super::lock::{beside, real_path};
use crate::telemetry::StorageUsage;

/// The text for a failure of the check. The health check shows it.
const REMOVED: &str = "file removed";
const REPLACED: &str = "file replaced, restart the service";
const OVERWRITTEN: &str = "file overwritten, stop the service and restore a backup";
const LOG_REMOVED: &str = "write-ahead log removed, restart the service";
const READ_ONLY: &str = "read-only";

/// One mebibyte, for messages.
const MIB: u64 = 1 << 20;

/// Identifies the file to which a path leads, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

/// The database file as it was when the store was opened.
#[derive(Debug)]
pub(super) struct DataFile {
    path: PathBuf,
    identity: Identity,
    header: Header,
    log_path: PathBuf,
    /// The write-ahead log of the connections that are open. It stays the same file until the last of them is closed.
    log: Mutex<Weak<Identity>>,
    /// Bytes.
    min_free: u64,
}

impl DataFile {
    /// Remembers the file to which `path` leads now, and how many bytes must be free on its disk.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when there is no such file.
    pub(super) fn find(path: &Path, min_free: u64) -> Result<Self, StoreError> {
        let unusable =
            |error: io::Error| StoreError::Unusable(format!("cannot open the database {}: {error}", path.display()));
        let path = std::path::absolute(path).map_err(unusable)?;
        let identity = identity_of(&path).map_err(unusable)?;
        let header = Header::of(&path, identity).map_err(unusable)?;
        let log_path = beside(&real_path(&path), "-wal");
        Ok(Self { path, identity, header, log_path, log: Mutex::default(), min_free })
    }

    /// Whether another database was written over the file. The content of the write-ahead log does not belong to that
    /// one.
    pub(super) fn is_overwritten(&self) -> bool {
        !self.header.is_ours()
    }

    /// Whether the paths still lead to the file and, while a connection is open, to its write-ahead log.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when one of them was removed, replaced or overwritten.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity_of(&self.path) {
            Ok(found) if found == self.identity && self.is_overwritten() => return Err(unavailable(OVERWRITTEN)),
            Ok(found) if found == self.identity => {}
            Ok(_) => return Err(unavailable(REPLACED)),
            Err(error) => return Err(missing(&error, REMOVED)),
        }
        let Some(log) = self.log.lock().unwrap_or_else(PoisonError::into_inner).upgrade() else { return Ok(()) };
        match identity_of(&self.log_path) {
            Ok(found) if found == *log => Ok(()),
            Ok(_) => Err(unavailable(LOG_REMOVED)),
            Err(error) => Err(missing(&error, LOG_REMOVED)),
        }
    }

    /// The write-ahead log of a connection that was just opened; kept as long as the connection.
    ///
    /// # Errors
    /// As [`DataFile::check`]: the connection must not be used then.
    pub(super) fn opened(&self) -> Result<Arc<Identity>, StoreError> {
        self.check()?;
        let mut known = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = known.upgrade() {
            return Ok(log);
        }
        let log = Arc::new(identity_of(&self.log_path).map_err(|error| missing(&error, LOG_REMOVED))?);
        *known = Arc::downgrade(&log);
        Ok(log)
    }

    /// The size of the file and its write-ahead log, and the free room of their disk. A value that cannot be read is
    /// left out.
    pub(super) fn usage(&self) -> StorageUsage {
        let bytes = |path: &Path| fs::metadata(path).ok().map(|found| found.len());
        let free = statvfs(&self.path).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        StorageUsage {
            database_bytes: bytes(&self.path),
            // No connection has opened a log yet.
            wal_bytes: Some(bytes(&self.log_path).unwrap_or(0)),
            free_bytes: free,
            last_backup: Some(last_backup(&self.path).and_then(|at| u64::try_from(at).ok()).unwrap_or(0)),
            last_checkpoint: None,
        }
    }

    /// Whether the disk accepts writes and has the required room.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it is read-only or has too little room.
    pub(super) fn check_disk(&self) -> Result<(), StoreError> {
        let disk = statvfs(&self.path).map_err(|error| missing(&error.into(), REMOVED))?;
        if disk.f_flag.contains(StatVfsMountFlags::RDONLY) {
            return Err(unavailable(READ_ONLY));
        }
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < self.min_free {
            let (free, wanted) = (free / MIB, self.min_free.div_ceil(MIB));
            return Err(unavailable(&format!("disk full: {free} MiB free, MIN_FREE_DISK is {wanted} MiB")));
        }
        Ok(())
    }
}

pub(super) fn identity_of(path: &Path) -> io::Result<Identity> {
    let found = fs::metadata(path)?;
    Ok(Identity { device: found.dev(), inode: found.ino() })
}

fn missing(error: &io::Error, removed: &str) -> StoreError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => unavailable(removed),
        // Only the kind, because the whole error would name the path.
        kind => unavailable(&format!("file not readable: {kind}")),
    }
}

fn unavailable(what: &str) -> StoreError {
    StoreError::Unavailable(what.to_owned())
}
