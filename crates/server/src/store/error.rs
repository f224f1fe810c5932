//! Why the database did not do what was asked. Texts hold the database's own words, never a row's content.

use thiserror::Error;

/// A failure of the database. Everything but `Unusable` may pass by itself.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Locked, gone or broken for now; try again.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// No room on the disk (promise P24); nothing was written.
    #[error("the database has no room left on its disk")]
    Full,
    /// Something stored does not have the form it was stored in.
    #[error("the database holds something that cannot be read: {0}")]
    Corrupt(&'static str),
    /// The database cannot be opened as the service needs it; said at start.
    #[error("{0}")]
    Unusable(String),
}

/// Result codes of `SQLite`, without their extension bits.
mod sqlite_code {
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const NOT_A_DATABASE: i32 = 26;
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(cause) => {
                let code = cause.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
                match code {
                    Some(sqlite_code::FULL) => Self::Full,
                    Some(sqlite_code::CORRUPT | sqlite_code::NOT_A_DATABASE) => {
                        Self::Corrupt("the database file is damaged")
                    }
                    _ => Self::Unavailable(cause.message().to_owned()),
                }
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Corrupt("a column of another type"),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}
