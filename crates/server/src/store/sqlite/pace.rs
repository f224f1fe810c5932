//! How fast a copy is written, so that a service on the same disk is not slowed down.
//!
//! A sync of the service waits for writes of other files. Without this a gigabyte was written in 3.4 s, and 1 % of the
//! acknowledgements of that time took longer than 285 ms. Owns no file of the service and decides nothing about the
//! copy.

use std::fs::File;
use std::thread;
use std::time::Duration;

use sqlx::SqliteConnection;

use super::super::error::StoreError;
use crate::clock;

/// Steps of `SQLite`'s virtual machine between two checks of the length of the copy. A step copies at most one row.
const STEPS: i32 = 64;
/// Bytes after which a copy next to a service pauses and is synced, so that a sync of the service never waits for much
/// more.
const WRITTEN: u64 = 256 << 10;
/// The least time for each byte of a copy next to a service: 6 s for a gigabyte.
const NANOSECONDS_PER_BYTE: u64 = 6;

/// How fast a copy is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// As fast as the disk can: no service uses the database.
    Full,
    /// In small pieces with pauses, for a service that may write to the same disk.
    BesideAService,
}

impl Pace {
    /// Makes the statements of `connection`, which fill `copy`, write at this pace. A sync that fails interrupts them;
    /// the next sync of another descriptor of the file reports the error again.
    pub(super) async fn hold(self, connection: &mut SqliteConnection, copy: File) -> Result<(), StoreError> {
        if self == Self::Full {
            return Ok(());
        }
        let (begun, mut written) = (clock::now(), 0);
        connection.lock_handle().await?.set_progress_handler(STEPS, move || {
            let Ok(length) = copy.metadata().map(|metadata| metadata.len()) else { return false };
            if length < written + WRITTEN {
                return true;
            }
            written = length;
            #[allow(clippy::disallowed_methods, reason = "SQLite calls this on the thread of the connection")]
            thread::sleep(due(length).saturating_sub(clock::since(begun)));
            copy.sync_data().is_ok()
        });
        Ok(())
    }
}

/// The least time for the first `bytes` of a copy next to a service.
fn due(bytes: u64) -> Duration {
    Duration::from_nanos(bytes.saturating_mul(NANOSECONDS_PER_BYTE))
}
