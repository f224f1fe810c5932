//! Faults of `SQLite`: locked by another process, disk full, reopened, damaged, unusable. None needs a restart.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use quizhall::clock;
use quizhall::store::{Append, Outcome, StoreError, StoreOptions, check_url, connect};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use tempfile::TempDir;

use crate::store_stage::{a_game, account, append_one, head_of, next, sqlite};

#[tokio::test]
async fn a_lock_of_another_process_is_waited_out_or_reported() {
    let (store, folder) = sqlite().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut other = stranger(&folder).await;
    other.execute("BEGIN IMMEDIATE").await.unwrap();

    let started = clock::now();
    assert!(matches!(store.probe().await, Err(StoreError::Unavailable(_))));
    assert!(clock::now() - started < Duration::from_secs(3), "the probe has a time_limit of its own, of half a second");
    let row = next(game, first, 1);
    assert!(matches!(store.append(vec![row.clone()]).await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.create_account(account("x")).await, Err(StoreError::Unavailable(_))));
    assert_eq!(store.game_by_code("AAAAAA").await.unwrap(), Some(game), "reading still works");

    // The lock is released while a writer waits: the write succeeds.
    let (outcome, ()) = tokio::join!(append_one(&store, row), async {
        tokio::task::yield_now().await;
        other.execute("ROLLBACK").await.unwrap();
    });
    assert_eq!(outcome, Outcome::Committed);
    store.probe().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_refuses_everything_and_harms_nothing() {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}", folder.path().join("q.db").display());
    let store = connect(&url, StoreOptions::default()).await.unwrap();
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut head = first;
    store.limit_pages(40).await.unwrap();
    let big = |head| Append { body: format!("[\"{}\"]", "x".repeat(20_000)), ..next(game, head, 1) };
    let mut committed = 0;
    let error = loop {
        let row = big(head);
        let next_head = head_of(&row);
        match store.append(vec![row]).await {
            Ok(outcomes) => assert_eq!(outcomes, [Outcome::Committed]),
            Err(error) => break error,
        }
        head = next_head;
        committed += 1;
        assert!(committed < 100, "the disk never became full");
    };
    assert!(matches!(error, StoreError::Full), "{error}");
    assert_eq!(store.head(game).await.unwrap(), Some(head), "no part of the refused row is stored");

    // There is room again: the same row is stored, without a restart (promise 24).
    store.limit_pages(0).await.unwrap();
    assert_eq!(append_one(&store, big(head)).await, Outcome::Committed);
    assert_eq!(store.read_log(game, None).await.unwrap().len(), committed + 2);
}

/// How many times the probe has written.
async fn probed(folder: &TempDir) -> i64 {
    sqlx::query_scalar("SELECT count FROM probe").fetch_one(&mut stranger(folder).await).await.unwrap()
}

#[tokio::test]
async fn the_probe_commits_at_most_once_a_second_and_not_after_an_append() {
    let (store, folder) = sqlite().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    store.probe().await.unwrap();
    assert_eq!(probed(&folder).await, 1);
    let begun = clock::now();
    while probed(&folder).await == 1 {
        store.probe().await.unwrap();
        assert!(clock::since(begun) < Duration::from_secs(20), "it writes nothing more");
    }
    assert!(clock::since(begun) >= Duration::from_millis(900), "after {:?}", clock::since(begun));
    let (written, row) = (probed(&folder).await, next(game, first, 1));
    assert_eq!(append_one(&store, row).await, Outcome::Committed);
    let appended = clock::now();
    store.probe().await.unwrap();
    let again = probed(&folder).await;
    assert!(
        again == written || clock::since(appended) >= Duration::from_secs(1),
        "the append was proof enough, so the probe wrote nothing"
    );
}

#[tokio::test]
async fn the_write_ahead_log_moves_into_the_file_beside_the_commits() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("q.db");
    let options = StoreOptions { checkpoint_after: 1 << 20, ..StoreOptions::default() };
    let store = connect(&format!("sqlite://{}", file.display()), options).await.unwrap();
    let (game, mut head) = a_game(&store, "AAAAAA").await;
    // More rows than make the store move the log into the file, and fewer than make a commit do it by itself.
    for _ in 0..40 {
        let row = Append { body: format!("[\"{}\"]", "x".repeat(64 << 10)), ..next(game, head, 1) };
        head = head_of(&row);
        assert_eq!(append_one(&store, row).await, Outcome::Committed);
    }
    let moved = async {
        while fs::metadata(&file).unwrap().len() < 1 << 20 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), moved).await.expect("the file stays small");
    assert_eq!(store.head(game).await.unwrap(), Some(head));
}

#[tokio::test]
async fn a_cancelled_write_leaves_no_lock_behind() {
    let (store, folder) = sqlite().await;
    let mut other = stranger(&folder).await;
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let cancelled = tokio::time::timeout(Duration::from_millis(20), store.create_account(account("cancelled")));
    assert!(cancelled.await.is_err());
    other.execute("ROLLBACK").await.unwrap();
    store.create_account(account("after")).await.unwrap();
    store.probe().await.unwrap();
}

#[tokio::test]
async fn the_file_is_private_and_durable_and_has_all_tables() {
    let (store, folder) = sqlite().await;
    let file = folder.path().join("data/quizhall.db");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(folder.path().join("data")).unwrap().permissions().mode() & 0o777, 0o700);
    let mut other = stranger(&folder).await;
    let journal: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut other).await.unwrap();
    assert_eq!(journal, "wal");
    drop(store);
    let steps: i64 = sqlx::query_scalar("SELECT count(*) FROM _sqlx_migrations").fetch_one(&mut other).await.unwrap();
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite")).unwrap();
    assert_eq!(usize::try_from(steps).unwrap(), files.count(), "every file of the folder is a step");
}

#[tokio::test]
async fn an_unusable_database_is_reported_at_the_start() {
    for url in ["", "mysql://x/y", "sqlite::memory:", "sqlite://", "sqlite://a.db?mode=ro", "data.db"] {
        assert!(matches!(check_url(url), Err(StoreError::Unusable(_))), "{url}");
    }
    assert!(check_url("sqlite://data/quizhall.db").is_ok());

    let folder = TempDir::new().unwrap();
    let text = folder.path().join("text.db");
    fs::write(&text, "this is no database at all, but long enough to be looked at as one".repeat(50)).unwrap();
    let url = format!("sqlite://{}", text.display());
    assert!(connect(&url, StoreOptions::default()).await.is_err());
    let url = format!("sqlite://{}/q.db", text.display());
    assert!(
        matches!(connect(&url, StoreOptions::default()).await, Err(StoreError::Unusable(_))),
        "a file has the name of the folder"
    );
}

#[tokio::test]
async fn tables_of_a_newer_version_are_not_changed() {
    let (store, folder) = sqlite().await;
    store.close().await;
    let mut other = stranger(&folder).await;
    other
        .execute(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'future', 1, x'00', 0)",
        )
        .await
        .unwrap();
    other.close().await.unwrap();
    let url = format!("sqlite://{}", folder.path().join("data/quizhall.db").display());
    let Err(StoreError::Unusable(sentence)) = connect(&url, StoreOptions::default()).await else {
        panic!("it was opened")
    };
    assert!(sentence.contains("newer version"), "{sentence}");
}

/// A connection of another process to the file.
async fn stranger(folder: &TempDir) -> sqlx::SqliteConnection {
    let path = folder.path().join("data/quizhall.db");
    sqlx::sqlite::SqliteConnectOptions::new().filename(path).connect().await.unwrap()
}
