//! The copy that is made before a migration: once, complete, private, and not at all when there is no room for it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use quizhall::store::{StoreOptions, connect};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::{err, names, quizhall, small_disk};
use crate::process::{Launch, Server};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/0.1.0-schema1/sqlite.db");

#[tokio::test]
async fn a_database_of_an_earlier_version_is_copied_before_it_is_changed() {
    let folder = old().await;
    let mut server = Server::start(&Launch::new(folder.path()));
    let said: Vec<_> =
        server.log().into_iter().filter(|line| line.contains("a copy of the database is kept")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    server.kill();
    let [copy] = &copies(folder.path())[..] else { panic!("{:?}", names(folder.path())) };
    assert!(said[0].contains(copy), "{said:?}");
    let copy = folder.path().join(copy);
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(look(&copy).await, (18, 6), "migrations and games, as they were");
    assert_eq!(look(&folder.path().join("quizhall.db")).await, (4, 6));
    drop(Server::start(&Launch::new(folder.path())));
    assert_eq!(copies(folder.path()).len(), 1, "no copy when nothing will be changed");
}

#[tokio::test]
async fn init_copies_too_and_a_new_database_needs_no_copy() {
    let folder = old().await;
    assert_eq!(init(folder.path()).status.code(), Some(0));
    let [copy] = &copies(folder.path())[..] else { panic!("{:?}", names(folder.path())) };
    super::done(folder.path(), "restore", &folder.path().join(copy));
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    connect(&url, StoreOptions::default()).await.unwrap().close().await;
    assert_eq!(copies(folder.path()).len(), 1, "the copy opens in a service, and is there already");
    let fresh = TempDir::new().unwrap();
    assert_eq!(init(fresh.path()).status.code(), Some(0));
    assert!(copies(fresh.path()).is_empty());
}

#[tokio::test]
async fn the_copy_of_an_earlier_attempt_is_kept_and_a_changed_database_is_copied_again() {
    let folder = old().await;
    // Then its migration fails, because the column exists already.
    change(folder.path(), "ALTER TABLE node ADD COLUMN log_version INTEGER").await;
    for _ in 0..3 {
        assert_eq!(init(folder.path()).status.code(), Some(1));
        assert_eq!(copies(folder.path()).len(), 1);
    }
    let first = folder.path().join(&copies(folder.path())[0]);
    let kept = fs::read(&first).unwrap();
    // The earlier version ran again in between.
    change(folder.path(), "ALTER TABLE node DROP COLUMN log_version").await;
    change(folder.path(), "UPDATE game SET active_at_ms = active_at_ms + 1 WHERE phase = 'lobby'").await;
    assert_eq!(init(folder.path()).status.code(), Some(0));
    assert_eq!(copies(folder.path()).len(), 2, "{:?}", names(folder.path()));
    assert_eq!(fs::read(&first).unwrap(), kept, "no copy is overwritten");
}

#[tokio::test]
async fn without_room_for_the_copy_nothing_is_changed() {
    let folder = old().await;
    let (command, file) = (quizhall(folder.path(), &["init".as_ref()]), folder.path().join("quizhall.db"));
    let Some(output) = small_disk::run(&command, (folder.path(), "600k"), Some(&file)) else { return };
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("no copy could be kept before the tables are changed"), "{}", err(&output));
    let left = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!left.contains("before-schema") && !left.contains("partial"), "{left}");
}

#[tokio::test]
async fn a_database_of_an_early_pre_release_is_refused_as_it_is() {
    let folder = old().await;
    change(folder.path(), "DELETE FROM _sqlx_migrations WHERE version > 12").await;
    let refused = init(folder.path());
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("an early pre-release (migration 12)"), "{}", err(&refused));
    assert_eq!(look(&folder.path().join("quizhall.db")).await, (12, 6));
}

/// A folder with a database of the last pre-release but one: its steps were 18, and its tables lack a column.
async fn old() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::copy(GOLDEN, folder.path().join("quizhall.db")).unwrap();
    change(
        folder.path(),
        "ALTER TABLE node DROP COLUMN log_version; DELETE FROM _sqlx_migrations;
        WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < 18)
        INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        SELECT n, 'of a pre-release', TRUE, x'53c10f0628a02a2f', 0 FROM step",
    )
    .await;
    folder
}

fn init(folder: &Path) -> Output {
    quizhall(folder, &["init".as_ref()]).output().unwrap()
}

fn copies(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.contains(".before-schema-")).collect()
}

/// The number of the last migration of a database, and how many games it holds.
async fn look(file: &Path) -> (i64, i64) {
    let mut database = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let version =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut database).await.unwrap();
    let games = sqlx::query_scalar("SELECT count(*) FROM game").fetch_one(&mut database).await.unwrap();
    database.close().await.unwrap();
    (version, games)
}

async fn change(folder: &Path, statement: &'static str) {
    let options = SqliteConnectOptions::new().filename(folder.join("quizhall.db"));
    let mut database = options.connect().await.unwrap();
    sqlx::raw_sql(statement).execute(&mut database).await.unwrap();
    database.close().await.unwrap();
}
