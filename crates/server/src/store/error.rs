//! Why the database did not do what was requested. Texts contain the database's own words, never a row's content.

use std::io::ErrorKind;

use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;
use sqlx::postgres::PgDatabaseError;
use thiserror::Error;

/// A failure of the database. Every one except `Unusable` may be temporary.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Locked, unreachable or broken for now; try again.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// No room on the disk (promise 24); nothing was written.
    #[error("the database has no room left on its disk")]
    Full,
    /// Stored data do not have the form in which they were stored.
    #[error("the database holds something that cannot be read: {0}")]
    Corrupt(&'static str),
    /// A row of a game's log differs from what was written. Only this game is affected.
    #[error("the row of event {seq} of a game's log is damaged: {what}")]
    DamagedRow {
        /// Number of the row's first event, as it is stored.
        seq: u64,
        /// The fault, without any content of the row.
        what: &'static str,
    },
    /// The database cannot be opened as the service needs it; reported at start.
    #[error("{0}")]
    Unusable(String),
}

impl StoreError {
    /// The same error for a page of one game's log that begins with event `seq`: damage in it affects only that game.
    pub(super) fn in_log(self, seq: u64) -> Self {
        match self {
            Self::Corrupt(what) => Self::DamagedRow { seq, what },
            other => other,
        }
    }

    /// Whether what was read is damaged, so that reading it again would not help.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt(_) | Self::DamagedRow { .. })
    }

    /// The fault, in a few words for the health check.
    pub fn reason(&self) -> String {
        match self {
            Self::Unavailable(why) => why.clone(),
            Self::Full => "disk full".to_owned(),
            other => other.to_string(),
        }
    }
}

/// Result codes of `SQLite`, without their extension bits.
mod sqlite_code {
    pub(super) const READ_ONLY: i32 = 8;
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const NOT_A_DATABASE: i32 = 26;
}

/// SQLSTATEs of PostgreSQL, some of them whole classes.
mod postgres_code {
    pub(super) const DISK_FULL: &str = "53100";
    pub(super) const DATA_CORRUPTED: &str = "XX001";
    pub(super) const INDEX_CORRUPTED: &str = "XX002";
    pub(super) const INVALID_AUTHORIZATION: &str = "28";
    pub(super) const NO_SUCH_DATABASE: &str = "3D000";
    pub(super) const TOO_MANY_CONNECTIONS: &str = "53300";
}

/// The text for every failure of TLS.
const TLS: &str = "the TLS handshake failed (certificate, name or version)";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(cause) => match cause.try_downcast_ref::<PgDatabaseError>() {
                Some(cause) => of_postgres(cause),
                None => of_sqlite(cause.as_ref()),
            },
            // The library's text names the host of the address and those of the certificate.
            sqlx::Error::Tls(_) => Self::Unavailable(TLS.to_owned()),
            sqlx::Error::Io(cause) if cause.kind() == ErrorKind::InvalidData => Self::Unavailable(TLS.to_owned()),
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Corrupt("a column of another type"),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

fn of_sqlite(cause: &dyn DatabaseError) -> StoreError {
    let code = cause.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
    match code {
        Some(sqlite_code::FULL) => StoreError::Full,
        Some(sqlite_code::READ_ONLY) => StoreError::Unavailable("read-only".to_owned()),
        Some(sqlite_code::CORRUPT | sqlite_code::NOT_A_DATABASE) => StoreError::Corrupt("the database file is damaged"),
        _ => StoreError::Unavailable(cause.message().to_owned()),
    }
}

/// Only the message: detail, context and hint can hold values of the row.
fn of_postgres(cause: &PgDatabaseError) -> StoreError {
    match cause.code() {
        postgres_code::DISK_FULL => StoreError::Full,
        postgres_code::DATA_CORRUPTED | postgres_code::INDEX_CORRUPTED => {
            StoreError::Corrupt("the database's files are damaged")
        }
        // The server's text names users, databases and addresses, and the health check is public.
        code if code.starts_with(postgres_code::INVALID_AUTHORIZATION) || code == postgres_code::NO_SUCH_DATABASE => {
            StoreError::Unavailable(format!("it refuses this service's user, password or database ({code})"))
        }
        postgres_code::TOO_MANY_CONNECTIONS => StoreError::Unavailable("it has too many connections".to_owned()),
        _ => StoreError::Unavailable(cause.message().to_owned()),
    }
}

/// Why the tables could not be migrated to this version.
pub(super) fn unusable_tables(error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(_) => {
            StoreError::Unusable("the database was written by a newer version of Quizhall".to_owned())
        }
        MigrateError::VersionMismatch(version) => {
            StoreError::Unusable(format!("the database's tables were changed by hand (migration {version})"))
        }
        MigrateError::Execute(cause) if cause.as_database_error().is_none() => cause.into(),
        error => StoreError::Unusable(format!("the database cannot be prepared: {error}")),
    }
}
