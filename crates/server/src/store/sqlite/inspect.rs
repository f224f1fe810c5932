//! Opening a file only to read it: nothing is created, migrated or changed, even when the file is of an earlier
//! version.
//!
//! Used for copies and for files that a service has open at the same time.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, SqlitePool};

use super::super::error::StoreError;
use super::super::tables::Tables;
use super::lock::{beside, real_path};
use super::open;

/// How long a read waits for the one connection.
const WAIT: Duration = Duration::from_secs(3);

/// The file's options, and a pool of one connection with them, opened when it is needed.
pub(super) async fn open(path: &Path) -> Result<(SqliteConnectOptions, SqlitePool), StoreError> {
    if !path.is_file() {
        return Err(StoreError::Unusable(format!("there is no database file {}", path.display())));
    }
    let options = options(path);
    let mut connection = options.connect().await?;
    let tables = open::read_tables(&mut connection).await?;
    // The file was only read, so a failure to close it means nothing.
    let _ = connection.close().await;
    if matches!(tables, Tables::NoDatabase | Tables::Missing) {
        return Err(StoreError::Unusable("the file is not a database of Quizhall".to_owned()));
    }
    let readers = pool().connect_lazy_with(options.clone());
    Ok((options, readers))
}

/// One connection at a time.
pub(super) fn pool() -> SqlitePoolOptions {
    SqlitePoolOptions::new().max_connections(1).acquire_timeout(WAIT).test_before_acquire(false)
}

/// Without a `-wal` file no process has the file open to write, and no file has to be created next to it to read it.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    let log = beside(&real_path(path), "-wal");
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .read_only(true)
        .immutable(!log.exists())
        .disable_statement_logging()
}

/// See [`super::super::Store::check_file`].
pub(super) async fn check(readers: &SqlitePool) -> Result<Vec<String>, StoreError> {
    let findings: Result<Vec<String>, StoreError> = async {
        let said = sqlx::query_scalar("PRAGMA main.integrity_check(20)").fetch_all(readers).await?;
        let references = "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1";
        let references: Vec<(String, i64)> = sqlx::query_as(references).fetch_all(readers).await?;
        let said = said.into_iter().filter(|line: &String| line != "ok");
        let references = references.into_iter().map(|(table, rows)| format!("{rows} rows of {table} refer to nothing"));
        Ok(said.chain(references).collect())
    }
    .await;
    match findings {
        // The damage is so great that the check itself ends.
        Err(error) if error.is_damage() => Ok(vec![error.to_string()]),
        other => other,
    }
}
