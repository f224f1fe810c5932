//! Logs read page by page, and rows that were changed in the database, on every engine.

use quizhall::store::{Append, Head, LogRow, Outcome, Store, StoreError, is_last_page};
use quizhall_rules::GameId;
use sqlx::{ConnectOptions as _, Executor as _};
use uuid::Uuid;

use crate::store_stage::{RawSql, a_game, head_of, next, on_every_engine_with_sql, sqlite};

on_every_engine_with_sql! {
    many_small_rows_come_in_pages_of_4096
    large_rows_come_in_pages_of_a_mebibyte
    a_row_larger_than_a_page_comes_with_one_other
    every_change_of_a_row_is_noticed
    rows_without_a_checksum_are_believed
}

const MANY_SQLITE: &str = "
    WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < 4199)
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body) SELECT $1, number, 1, 1, number, '[1]' FROM copy";
const MANY_POSTGRES: &str = "
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body)
    SELECT $1, number, 1, 1, number, '[1]' FROM generate_series(1, 4199) AS copy (number)";

async fn many_small_rows_come_in_pages_of_4096(store: &Store, mut raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    let many = if matches!(raw_sql, RawSql::Sqlite(_)) { MANY_SQLITE } else { MANY_POSTGRES };
    assert_eq!(raw_sql.execute(many, game).await, 4_199);
    assert_eq!(lengths(store, game).await, [4_096, 104]);
    let rows = all(store, game).await;
    assert!(rows.iter().enumerate().all(|(place, row)| row.seq == place as u64), "in order, no row twice");
    let from_within = store.read_log_page(game, 50).await.unwrap();
    assert_eq!((from_within[0].seq, from_within.len()), (50, 4_096));
    assert!(!is_last_page(&from_within) && is_last_page(&store.read_log_page(game, 200).await.unwrap()));
    for (game, from) in [(game, 4_200), (game, 1 << 40), (game, u64::MAX), (GameId::from(Uuid::now_v7()), 0)] {
        assert_eq!(store.read_log_page(game, from).await.unwrap(), [], "from {from}");
    }
}

async fn large_rows_come_in_pages_of_a_mebibyte(store: &Store, _: RawSql) {
    let (game, first) = a_game(store, "AAAAAA").await;
    grow(store, game, first, vec![text(300 * 1024); 9]).await;
    // The first row of the log is small.
    assert_eq!(lengths(store, game).await, [5, 4, 1]);
    assert_eq!(all(store, game).await.len(), 10);
}

/// A load compares the first row of a page with the last one of the previous page: with pages of one row it would compare nothing.
async fn a_row_larger_than_a_page_comes_with_one_other(store: &Store, _: RawSql) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let huge = text(3 << 20);
    grow(store, game, first, vec![huge.clone(), huge.clone(), "[1]".to_owned(), huge.clone()]).await;
    assert_eq!(lengths(store, game).await, [2, 2, 1]);
    assert!(all(store, game).await[2].body == huge);
}

async fn every_change_of_a_row_is_noticed(store: &Store, mut raw_sql: RawSql) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let (other, head) = a_game(store, "BBBBBB").await;
    grow(store, game, first, vec!["[\"Paris\"]".to_owned()]).await;
    grow(store, other, head, vec!["[1]".to_owned(); 2]).await;
    let changes = [
        // Valid JSON of the same length.
        (
            "UPDATE game_log SET body = '[\"Pasis\"]' WHERE game_id = $1 AND seq = 1",
            "UPDATE game_log SET body = '[\"Paris\"]' WHERE game_id = $1 AND seq = 1",
        ),
        ("UPDATE game_log SET n = 2 WHERE game_id = $1 AND seq = 1", "UPDATE game_log SET n = 1 WHERE game_id = $1"),
        (
            "UPDATE game_log SET epoch = 9 WHERE game_id = $1 AND seq = 1",
            "UPDATE game_log SET epoch = 1 WHERE game_id = $1 AND seq = 1",
        ),
        (
            "UPDATE game_log SET batch = batch + 1 WHERE game_id = $1 AND seq = 1",
            "UPDATE game_log SET batch = batch - 1 WHERE game_id = $1 AND seq = 1",
        ),
        (
            "UPDATE game_log SET seq = 3 WHERE game_id = $1 AND seq = 1",
            "UPDATE game_log SET seq = 1 WHERE game_id = $1 AND seq = 3",
        ),
        (
            "UPDATE game_log SET checksum = checksum + 1 WHERE game_id = $1 AND seq = 1",
            "UPDATE game_log SET checksum = checksum - 1 WHERE game_id = $1 AND seq = 1",
        ),
        (
            "INSERT INTO game_log (game_id, seq, n, epoch, batch, body, checksum)
             SELECT $1, seq, n, epoch, batch, body, checksum FROM game_log WHERE game_id <> $1 AND seq = 2",
            "DELETE FROM game_log WHERE game_id = $1 AND seq = 2",
        ),
    ];
    for (change, undo) in changes {
        assert_eq!(raw_sql.execute(change, game).await, 1, "{change}");
        let error = store.read_log_page(game, 0).await.unwrap_err();
        assert!(matches!(error, StoreError::DamagedRow { .. }) && error.is_damage(), "{change}: {error}");
        assert!(!error.to_string().contains("Pa"), "no content in {error}");
        assert_eq!(store.read_log_page(other, 0).await.unwrap().len(), 3, "another game is not affected");
        raw_sql.execute(undo, game).await;
        assert_eq!(store.read_log_page(game, 0).await.unwrap().len(), 2, "{undo}");
    }
}

async fn rows_without_a_checksum_are_believed(store: &Store, mut raw_sql: RawSql) {
    let (game, first) = a_game(store, "AAAAAA").await;
    grow(store, game, first, vec!["[1]".to_owned(); 3]).await;
    let query = "SELECT count(*) FROM game_log WHERE game_id = $1 AND checksum IS NOT NULL";
    assert_eq!(raw_sql.count(query, game).await, 4, "every row gets one");
    assert_eq!(raw_sql.execute("UPDATE game_log SET checksum = NULL WHERE game_id = $1 AND seq < 3", game).await, 3);
    assert_eq!(all(store, game).await.len(), 4);
}

/// PostgreSQL refuses to store such a text, so this is for `SQLite` only.
#[tokio::test]
async fn a_text_that_is_not_utf8_any_more_is_noticed() {
    let (store, folder) = sqlite().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    grow(&store, game, first, vec!["[\"x\"]".to_owned()]).await;
    let path = folder.path().join("data/quizhall.db");
    let mut other = sqlx::sqlite::SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    for body in ["x'5b22ff225d'", "x'5b2200225d'"] {
        let statement = format!("UPDATE game_log SET body = CAST({body} AS TEXT) WHERE seq = 1");
        other.execute(sqlx::AssertSqlSafe(statement)).await.unwrap();
        let error = store.read_log_page(game, 0).await.unwrap_err();
        assert!(matches!(error, StoreError::DamagedRow { seq: 1, .. }), "{error}");
    }
}

/// A JSON array with one text, of this many bytes.
fn text(bytes: usize) -> String {
    format!("[\"{}\"]", "x".repeat(bytes - 4))
}

async fn grow(store: &Store, game: GameId, mut head: Head, bodies: Vec<String>) {
    let mut rows = Vec::new();
    for body in bodies {
        let row = Append { body, ..next(game, head, 1) };
        head = head_of(&row);
        rows.push(row);
    }
    // Few enough for the time limit of the store even when other tests keep the disk busy.
    for rows in rows.chunks(64) {
        let outcomes = store.append(rows.to_vec()).await.unwrap();
        assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Committed));
    }
}

async fn pages(store: &Store, game: GameId) -> Vec<Vec<LogRow>> {
    let (mut pages, mut from): (Vec<Vec<LogRow>>, _) = (Vec::new(), 0);
    loop {
        let page = store.read_log_page(game, from).await.unwrap();
        let Some(last) = page.last() else { return pages };
        from = last.seq + u64::from(last.count);
        pages.push(page);
    }
}

async fn lengths(store: &Store, game: GameId) -> Vec<usize> {
    pages(store, game).await.iter().map(Vec::len).collect()
}

async fn all(store: &Store, game: GameId) -> Vec<LogRow> {
    pages(store, game).await.into_iter().flatten().collect()
}
