//! Opening the file: its path, its options, and the check that its settings are in effect.

use std::fs::{DirBuilder, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrate as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, Sqlite, SqliteConnection, SqlitePool};

use super::super::error::StoreError;
use super::super::error::unusable_tables;
use super::super::tables::Tables;
use super::super::tables::{APPLIED, SQLITE, adopt};
use super::checkpoint;
use super::file::DataFile;

/// Whether there is a table of migrations.
const NAMED: &str = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1)";

/// Size to which the write-ahead log is cut after a checkpoint.
const WAL_BYTES: &str = "268435456";

/// The file that a `DATABASE_URL` names. Opens nothing.
pub(in crate::store) fn path_of(url: &str) -> Result<PathBuf, StoreError> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    let sentence = match path {
        None => "the database must be given as sqlite://path/to/file.db or postgres://user:password@host/database",
        Some("") => "the database URL names no file: sqlite://path/to/file.db",
        Some(path) if path.starts_with(":memory:") => "a database in memory would lose every game; name a file",
        Some(path) if path.contains(['?', '\0']) => "the database URL takes no parameters: sqlite://path/to/file.db",
        Some(path) => return Ok(PathBuf::from(path)),
    };
    Err(StoreError::Unusable(sentence.to_owned()))
}

/// Creates folder and file if they are missing, readable by this user only, because the file holds password hashes.
pub(in crate::store) fn prepare_file(path: &Path) -> Result<(), StoreError> {
    let failed =
        |what: &str, error: std::io::Error| StoreError::Unusable(format!("{what} {}: {error}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| failed("cannot create the folder of the database", error))?;
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(|error| failed("cannot open the database", error))?;
    Ok(())
}

pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Overwrites deleted or replaced content in the file: a deleted name must not be found in its bytes.
        .pragma("secure_delete", "ON")
        .pragma("journal_size_limit", WAL_BYTES)
        .pragma("wal_autocheckpoint", checkpoint::AT_LAST)
        .disable_statement_logging()
}

/// Connections for reading.
const READERS: u32 = 4;

/// How long a read waits for one of them.
const READER_WAIT: Duration = Duration::from_secs(3);

/// Connections that only read. A connection to another file is not used.
pub(super) fn readers(options: SqliteConnectOptions, file: &Arc<DataFile>) -> SqlitePool {
    let file = Arc::clone(file);
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(READER_WAIT)
        .test_before_acquire(false)
        .after_connect(move |_, _| {
            let found = file.check().map_err(|error| sqlx::Error::Protocol(error.to_string()));
            Box::pin(std::future::ready(found))
        })
        .connect_lazy_with(options.pragma("query_only", "ON"))
}

/// The tables of the file. Opens it without the settings of the service, because those would be written to it.
pub(super) async fn tables(path: &Path) -> Result<Tables, StoreError> {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(false).disable_statement_logging();
    let mut connection = options.connect().await?;
    let tables = read_tables(&mut connection).await;
    let _ = connection.close().await;
    tables
}

/// The tables of the open database.
pub(super) async fn read_tables(connection: &mut SqliteConnection) -> Result<Tables, StoreError> {
    if !sqlx::query_scalar(NAMED).bind(APPLIED).fetch_one(&mut *connection).await? {
        return Ok(Tables::Missing);
    }
    let applied = connection.list_applied_migrations(APPLIED).await.map_err(unusable_tables)?;
    Tables::compare(&applied, &SQLITE)
}

/// Opens one connection and checks the settings on which durability and integrity rest (promise 1): `SQLite` silently
/// ignores settings that it cannot fulfil.
pub(super) async fn connection(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let mut connection = options.connect().await?;
    let journal: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut connection).await?;
    let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut connection).await?;
    let foreign_keys: i64 = sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(&mut connection).await?;
    // Reading opens the write-ahead log.
    let _: i64 = sqlx::query_scalar("PRAGMA schema_version").fetch_one(&mut connection).await?;
    let full = 2;
    if journal != "wal" || synchronous != full || foreign_keys != 1 {
        return Err(StoreError::Unusable(
            "the database file cannot keep its promises (write-ahead log, full synchronisation): \
             is it on a network file system?"
                .to_owned(),
        ));
    }
    Ok(connection)
}

/// The last migration of this version.
pub(super) fn newest() -> i64 {
    SQLITE.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Migrates the tables to this version.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    adopt::<Sqlite>(connection, &SQLITE, "INTEGER").await?;
    SQLITE.run_direct(None, connection, false).await.map_err(unusable_tables)
}

/// See [`super::SqliteStore::limit_pages`].
pub(super) async fn limit_pages(connection: &mut SqliteConnection, pages: u32) -> Result<(), StoreError> {
    let pages = if pages == 0 { u32::MAX - 1 } else { pages };
    connection.execute(AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"))).await?;
    Ok(())
}
