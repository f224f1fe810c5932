//! `quizhall verify` from a shell: exit codes, output, and that it changes no file.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use quizhall::store::{StoreOptions, connect};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};
use tempfile::TempDir;

use crate::games_idle::abandoned_with;
use crate::services::postgres::shared;
use crate::store_stage::{RawSql, sqlite};

const DAMAGE: &str = "UPDATE game_log SET body = replace(body, 'Ann', 'Bnn') WHERE game_id = $1 AND seq = 1";

#[tokio::test]
async fn a_file_is_verified_beside_the_service_and_from_a_copy() {
    let (store, folder) = sqlite().await;
    let (game, other) = (abandoned_with(&store, "AAAAAA").await, abandoned_with(&store, "BBBBBB").await);
    let (file, copy) = (folder.path().join("data/quizhall.db"), folder.path().join("copy.db"));
    copied(&file, &copy).await;
    let clean = verify(&folder, &[copy.to_str().unwrap()]);
    assert_eq!(clean.status.code(), Some(0), "{clean:?}");
    assert!(
        out(&clean).contains("2 games, 4 log rows, 8 events, 0 snapshots read: no damage found."),
        "{}",
        out(&clean)
    );

    // The store acts like a running service: it keeps the file open and writes to it.
    RawSql::sqlite(&file).await.execute(DAMAGE, game).await;
    let found = verify(&folder, &[]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    let lines = out(&found);
    assert!(
        lines.contains(&format!("game {game}: the row of event 1")) && !lines.contains(&other.to_string()),
        "{lines}"
    );
    assert!(!lines.contains("Bnn"), "no content of the row: {lines}");
    assert_eq!(verify(&folder, &[copy.to_str().unwrap()]).status.code(), Some(0), "the copy is whole");
    store.create_account(crate::store_stage::account("after")).await.unwrap();
}

#[tokio::test]
async fn verifying_changes_nothing_and_creates_nothing() {
    let (store, folder) = sqlite().await;
    abandoned_with(&store, "AAAAAA").await;
    let copies = TempDir::new().unwrap();
    let (copy, of_log) = (copies.path().join("copy.db"), copies.path().join("with-log.db"));
    copied(&folder.path().join("data/quizhall.db"), &copy).await;
    // A copy whose header declares a write-ahead log, as in the file of a stopped service.
    fs::copy(&copy, &of_log).unwrap();
    let mut connection = sqlx::sqlite::SqliteConnectOptions::new().filename(&of_log).connect().await.unwrap();
    connection.execute("PRAGMA journal_mode = WAL").await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = contents(copies.path());
    for file in [&copy, &of_log] {
        let verified = verify(&copies, &[file.to_str().unwrap()]);
        assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    }
    assert_eq!(contents(copies.path()), before);

    for missing in ["nowhere.db", "no-folder/nowhere.db", "."] {
        let refused = verify(&copies, &[missing]);
        assert_eq!(refused.status.code(), Some(2), "{missing}: {refused:?}");
        assert_eq!(String::from_utf8_lossy(&refused.stderr).lines().count(), 1, "{refused:?}");
    }
    assert_eq!(contents(copies.path()), before);
    assert_eq!(verify(&copies, &[]).status.code(), Some(2), "DATABASE_URL names no file either");
}

#[tokio::test]
async fn a_file_that_is_no_database_of_quizhall_is_reported() {
    let folder = TempDir::new().unwrap();
    let (text, other) = (folder.path().join("text.db"), folder.path().join("other.db"));
    fs::write(&text, "this is no database at all, but long enough to be looked at as one".repeat(50)).unwrap();
    let mut options = sqlx::sqlite::SqliteConnectOptions::new().filename(&other).create_if_missing(true);
    options = options.journal_mode(sqlx::sqlite::SqliteJournalMode::Delete);
    options.connect().await.unwrap().execute("CREATE TABLE t (x)").await.unwrap();
    let damaged = verify(&folder, &[text.to_str().unwrap()]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(out(&damaged).starts_with("database: "), "{}", out(&damaged));
    let refused = verify(&folder, &[other.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not a database of Quizhall"), "{refused:?}");
}

#[tokio::test]
async fn a_file_with_damaged_pages_is_reported() {
    let (store, folder) = sqlite().await;
    for code in ["AAAAAA", "BBBBBB", "CCCCCC"] {
        abandoned_with(&store, code).await;
    }
    let copy = folder.path().join("copy.db");
    copied(&folder.path().join("data/quizhall.db"), &copy).await;
    let mut bytes = fs::read(&copy).unwrap();
    // The end of a page in the middle of the file, where its cells are.
    let pages = bytes.len() / 4_096;
    for page in pages / 2..pages {
        bytes[page * 4_096..page * 4_096 + 8].fill(0xff);
    }
    fs::write(&copy, bytes).unwrap();
    let found = verify(&folder, &[copy.to_str().unwrap()]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(out(&found).contains("database: "), "{}", out(&found));
}

#[test]
fn a_file_of_an_earlier_version_is_verified_as_it_is() {
    let folder = TempDir::new().unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/0.1.0-schema1/sqlite.db");
    let before = fs::read(golden).unwrap();
    let verified = verify(&folder, &[golden]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    assert!(!out(&verified).starts_with("0 games"), "{}", out(&verified));
    assert_eq!(fs::read(golden).unwrap(), before);
}

#[tokio::test]
async fn logs_on_a_server_are_verified_too() {
    let server = shared();
    let url = server.fresh_database().await;
    let store = connect(&url, StoreOptions { unsafe_durability: true, ..StoreOptions::default() }).await.unwrap();
    let game = abandoned_with(&store, "AAAAAA").await;
    let run = |url: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
        command.arg("verify").env_clear().env("DATABASE_URL", url).env("UNSAFE_DATABASE", "true").output().unwrap()
    };
    assert_eq!(run(&url).status.code(), Some(0), "{:?}", run(&url));
    RawSql::postgres(&url).await.execute(DAMAGE, game).await;
    let found = run(&url);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(out(&found).contains(&game.to_string()));
    let empty = server.empty_database().await;
    assert_eq!(run(&empty).status.code(), Some(2), "no tables are made");
    assert_eq!(run(&empty).status.code(), Some(2));
    store.close().await;
    for url in [url, empty] {
        server.drop_database(&url).await;
    }
}

fn verify(folder: &TempDir, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    command.arg("verify").args(words).env_clear().current_dir(folder.path()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn copied(file: &Path, copy: &Path) {
    let mut connection = sqlx::sqlite::SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    connection.execute(AssertSqlSafe(format!("VACUUM INTO '{}'", copy.display()))).await.unwrap();
}

/// The names and contents of all files in a folder.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    all.sort();
    all
}
