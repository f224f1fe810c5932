//! The settings of the server on which durability rests: set in every session, and read again with every probe and
//! refused append.
//!
//! `synchronous_commit` belongs to the session, so a session that sets it keeps it whatever the server's configuration
//! becomes. `fsync` and `full_page_writes` belong to the server, and a reload can change them at any time.

use sqlx::PgConnection;
use sqlx::postgres::PgRow;

use super::super::columns::from_row;
use super::super::error::StoreError;

/// The settings of the whole server.
const READ: &str = "SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes";

/// The settings of the whole server without which a commit can be lost, `on` or `off`.
#[derive(Debug)]
pub(in crate::store) struct Durability {
    fsync: String,
    full_page_writes: String,
}
from_row!(PgRow => Durability { fsync, full_page_writes });

impl Durability {
    /// Reads the settings as they are now.
    ///
    /// # Errors
    /// When the server does not answer.
    pub(in crate::store) async fn read(connection: &mut PgConnection) -> Result<Self, StoreError> {
        Ok(sqlx::query_as(READ).fetch_one(connection).await?)
    }

    /// Whether the server keeps what it has committed.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence that names what is off.
    pub(in crate::store) fn check(&self) -> Result<(), StoreError> {
        let settings = [("fsync", &self.fsync), ("full_page_writes", &self.full_page_writes)];
        let off: Vec<_> = settings.into_iter().filter(|(_, value)| *value != "on").map(|(name, _)| name).collect();
        if off.is_empty() {
            return Ok(());
        }
        Err(StoreError::Unusable(format!(
            "the PostgreSQL server has {} off: answers that were acknowledged could be lost when it or its machine fails",
            off.join(" and "),
        )))
    }
}
