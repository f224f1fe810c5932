//! Opens a database by its URL: to serve, to read or to inspect.
//!
//! Called by `serve`, `cli` and `config`. Errors never repeat a URL: it can contain a password.

use std::path::Path;
use std::sync::Arc;

use super::engine::Store;
use super::error::StoreError;
use super::options::StoreOptions;
use super::postgres::{self, PostgresStore};
use super::sqlite::{self, SqliteStore};
use super::tables::Tables;

/// Opens the database that `url` names, `sqlite://path` or `postgres://…`, and creates folder, file and tables as
/// needed. For the service and `quizhall init`.
///
/// # Errors
/// [`StoreError::Unusable`] when the URL, the database or its settings cannot be used: durability is checked, not
/// assumed.
pub async fn connect(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open(url, options).await?));
    }
    Ok(Store::sqlite(SqliteStore::open(&sqlite::path_of(url)?, options).await?))
}

/// Opens a database that has all tables of this version; creates no folder, file or table, and changes none. For
/// commands.
///
/// # Errors
/// As [`connect`]; also when there is no database or its tables are those of another version.
pub async fn connect_existing(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open_existing(url, options).await?));
    }
    Ok(Store::sqlite(SqliteStore::open_existing(&sqlite::path_of(url)?, options).await?))
}

/// What the database that `url` names holds. Changes nothing.
///
/// # Errors
/// As [`connect`].
pub async fn tables(url: &str, options: StoreOptions) -> Result<Tables, StoreError> {
    if postgres::is_url(url) {
        return postgres::tables(url, options).await;
    }
    SqliteStore::tables(&sqlite::path_of(url)?).await
}

/// Takes the right to serve this database for as long as the lock lives. Creates the folder and an empty file if they
/// are missing. `None` when several processes may serve the database.
///
/// # Errors
/// [`StoreError::Unusable`] when another process has the lock, or the file cannot be made.
pub fn lock_service(url: &str) -> Result<Option<sqlite::ServiceLock>, StoreError> {
    if postgres::is_url(url) {
        return Ok(None);
    }
    let path = sqlite::path_of(url)?;
    sqlite::prepare_file(&path)?;
    sqlite::ServiceLock::try_take(&path).map(Some)
}

/// Opens the database that `url` names only to read it: creates and changes nothing.
///
/// # Errors
/// [`StoreError::Unusable`] when there is no such database, or none that this version can read.
pub async fn open_to_read(url: &str, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Store::postgres(PostgresStore::open_existing(url, options).await?));
    }
    open_file_to_read(&sqlite::path_of(url)?, options).await
}

/// Opens an `SQLite` file, such as a copy, only to read it; it may be of an earlier version.
///
/// # Errors
/// As [`open_to_read`].
pub async fn open_file_to_read(path: &Path, options: StoreOptions) -> Result<Arc<Store>, StoreError> {
    Ok(Store::sqlite(SqliteStore::open_to_read(path, options).await?))
}

/// Whether [`connect`] would accept `url`; touches neither disk nor network.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence about the fault, which repeats nothing of the URL.
pub fn check_url(url: &str) -> Result<(), StoreError> {
    if postgres::is_url(url) {
        return postgres::check_url(url);
    }
    sqlite::path_of(url).map(|_| ())
}
