//! Faults of PostgreSQL: killed, stopped, locked, full, read-only, no longer durable. None needs a restart, and a fault affects
//! only the calls under way, not one call per connection.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use quizhall::clock;
use quizhall::store::{Append, NodeReport, Outcome, QuizRow, Store, StoreError, StoreOptions, connect};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use uuid::Uuid;

use crate::services::postgres::{Durability, Postgres, shared};
use crate::store_stage::{a_game, account, append_one, enter, head_of, host, next, postgres};

/// Every call ends within four seconds; a busy machine gets one more before the test fails.
const LIMIT: Duration = Duration::from_secs(5);

/// The probe ends within its second; any other call that waits takes longer than this.
const PROBED: Duration = Duration::from_secs(3);

#[tokio::test]
async fn a_server_that_hangs_or_is_killed_costs_the_calls_under_way() {
    let mut server = Postgres::start(Durability::Kept);
    let (store, _) = durable(&server).await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let node = warm(&store).await;
    let row = next(game, first, 1);
    server.stop();
    is_an_error_in_time(&store, &row).await;
    server.cont();
    store.probe().await.unwrap();
    all_is_well(&store, node, 2).await;
    // It is unknown whether the row was stored; sending it again is refused or succeeds, and the head is the row in either case.
    let outcome = append_one(&store, row.clone()).await;
    assert_eq!(store.head(game).await.unwrap(), Some(head_of(&row)), "{outcome:?}");
    assert_eq!(store.read_log(game, None).await.unwrap().len(), 2, "once");

    server.kill();
    is_an_error_in_time(&store, &next(game, head_of(&row), 1)).await;
    server.start_again();
    store.probe().await.unwrap();
    all_is_well(&store, node, 3).await;
    assert_eq!(store.head(game).await.unwrap(), Some(head_of(&row)), "what was acknowledged is there");
    assert_eq!(append_one(&store, next(game, head_of(&row), 1)).await, Outcome::Committed);
}

async fn is_an_error_in_time(store: &Store, row: &Append) {
    let begun = clock::now();
    assert!(matches!(store.probe().await, Err(StoreError::Unavailable(_))));
    assert!(clock::since(begun) < PROBED, "the probe has a time_limit of its own");
    let calls = async {
        tokio::join!(store.append(vec![row.clone()]), store.head(row.game), store.create_account(account("Ann")))
    };
    let (appended, head, created) = tokio::time::timeout(LIMIT, calls).await.expect("an answer in time");
    assert!(matches!(appended, Err(StoreError::Unavailable(_))));
    assert!(matches!(head, Err(StoreError::Unavailable(_))) && created.is_err());
}

#[tokio::test]
async fn connections_that_the_server_ends_harm_no_later_call() {
    let (store, url) = postgres().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut row = next(game, first, 1);
    assert_eq!(append_one(&store, row.clone()).await, Outcome::Committed);
    let node = warm(&store).await;
    for round in 0..2 {
        shared().terminate_backends(&url).await;
        all_is_well(&store, node, round + 2).await;
        let following = next(game, head_of(&row), 1);
        assert_eq!(append_one(&store, following.clone()).await, Outcome::Committed, "others found out before");
        row = following;
    }
    // The append is the first call to notice: its outcome is unknown, and is determined by reading.
    shared().terminate_backends(&url).await;
    let following = next(game, head_of(&row), 1);
    assert!(matches!(store.append(vec![following.clone()]).await, Err(StoreError::Unavailable(_))));
    assert_eq!(store.head(game).await.unwrap(), Some(head_of(&row)));
    assert_eq!(append_one(&store, following).await, Outcome::Committed);
}

#[tokio::test]
async fn a_locked_log_is_an_error_in_time() {
    let (store, url) = postgres().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut other = stranger(&url).await;
    other.execute("BEGIN; LOCK TABLE game_log IN EXCLUSIVE MODE").await.unwrap();
    let begun = clock::now();
    assert!(matches!(store.probe().await, Err(StoreError::Unavailable(_))));
    assert!(clock::since(begun) < PROBED, "the probe has a time_limit of its own");
    let row = next(game, first, 1);
    let appended = tokio::time::timeout(LIMIT, store.append(vec![row.clone()])).await.expect("an answer in time");
    assert!(matches!(appended, Err(StoreError::Unavailable(_))));
    assert_eq!(store.head(game).await.unwrap(), Some(first), "reading still works");

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
    let (store, url) = postgres().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut other = stranger(&url).await;
    let full = "
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER no_room AFTER INSERT ON game_log FOR EACH ROW EXECUTE FUNCTION no_room()";
    other.execute(full).await.unwrap();
    let row = next(game, first, 1);
    assert!(matches!(store.append(vec![row.clone()]).await, Err(StoreError::Full)));
    assert_eq!(store.head(game).await.unwrap(), Some(first));
    other.execute("DROP TRIGGER no_room ON game_log").await.unwrap();
    assert_eq!(append_one(&store, row).await, Outcome::Committed);
}

#[tokio::test]
async fn a_cancelled_call_leaves_nothing_behind() {
    let (store, url) = postgres().await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut other = stranger(&url).await;
    other.execute("BEGIN; LOCK TABLE game_log, host IN EXCLUSIVE MODE").await.unwrap();
    let row = next(game, first, 1);
    let short = Duration::from_millis(50);
    assert!(tokio::time::timeout(short, store.append(vec![row.clone()])).await.is_err());
    for number in 0..20 {
        let account = store.create_account(account(&format!("cancelled {number}")));
        assert!(tokio::time::timeout(short, account).await.is_err());
    }
    other.execute("ROLLBACK").await.unwrap();
    store.create_account(account("after")).await.unwrap();
    append_one(&store, row.clone()).await;
    assert_eq!(store.head(game).await.unwrap(), Some(head_of(&row)));
    assert_eq!(store.account_by_name("cancelled 19").await.unwrap().map(|found| found.name), None);
}

#[tokio::test]
async fn a_full_house_waits_for_a_connection() {
    let url = shared().fresh_database().await;
    let store = connect(&url, StoreOptions { connections: 2, ..shared().options() }).await.unwrap();
    let hosts = join_all((0..12).map(|_| host(&store))).await;
    let found = join_all(hosts.iter().map(|host| store.games_of(*host))).await;
    assert!(found.into_iter().all(|games| games.unwrap().is_empty()));
    let mut other = stranger(&url).await;
    let used: i64 = sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND pid <> $2")
        .bind(name_of(&url))
        .bind(sqlx::query_scalar::<_, i32>("SELECT pg_backend_pid()").fetch_one(&mut other).await.unwrap())
        .fetch_one(&mut other)
        .await
        .unwrap();
    assert!(used <= 2, "{used} connections");
    let usage = store.usage().await.unwrap();
    assert!(usage.database_bytes.is_some_and(|bytes| bytes > 1 << 20), "{usage:?}");
    assert_eq!((usage.wal_bytes, usage.free_bytes), (None, None), "the files belong to another machine");
}

#[tokio::test]
async fn an_append_never_reads_the_whole_log() {
    // The server reuses a plan from the sixth time on: here one that was made when the table was almost empty.
    let (store, url) = postgres().await;
    let mut games = Vec::new();
    for number in 0..20 {
        games.push(a_game(&store, &format!("GAME{number:02}")).await);
    }
    let mut other = stranger(&url).await;
    other.execute("ANALYZE").await.unwrap();
    for _ in 0..20 {
        let rows: Vec<Append> = games.iter().map(|(game, head)| next(*game, *head, 1)).collect();
        for ((_, head), row) in games.iter_mut().zip(&rows) {
            *head = head_of(row);
        }
        assert!(store.append(rows).await.unwrap().iter().all(|outcome| *outcome == Outcome::Committed));
        assert_eq!(store.head(games[0].0).await.unwrap(), Some(games[0].1));
    }
    assert_eq!(store.read_log(games[0].0, None).await.unwrap().len(), 21);
    store.close().await;
    // The server's counts are complete when the connections have ended.
    let scans = "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'game_log'";
    let (whole, by_index) = loop {
        other.execute("SELECT pg_stat_clear_snapshot()").await.unwrap();
        let counted: (i64, i64) = sqlx::query_as(scans).fetch_one(&mut other).await.unwrap();
        if counted.0 + counted.1 >= 400 {
            break counted;
        }
    };
    assert_eq!(whole, 0, "{by_index} by the index");
}

#[tokio::test]
async fn errors_hold_nothing_of_a_row() {
    const CANARY: &str = "canary-7f3a";
    let (store, url) = postgres().await;
    let owner = host(&store).await;
    let quiz = |id: Uuid, body: &str| QuizRow {
        id,
        host: owner,
        title: CANARY.to_owned(),
        round_count: 1,
        question_count: 1,
        body: body.to_owned(),
        tags: "[]".to_owned(),
        created_at_ms: 1,
        updated_at_ms: 1,
    };
    let id = Uuid::now_v7();
    assert!(store.create_quiz(quiz(id, CANARY), Vec::new(), 9).await.unwrap());
    let (game, first) = a_game(&store, "AAAAAA").await;
    let mut other = stranger(&url).await;
    other.execute("ALTER TABLE game_log ADD CHECK (body NOT LIKE '%canary%')").await.unwrap();
    let row = Append { body: format!("[\"{CANARY}\"]"), ..next(game, first, 1) };
    let errors = [
        store.create_quiz(quiz(id, CANARY), Vec::new(), 9).await.unwrap_err(),
        store.create_quiz(quiz(Uuid::now_v7(), &format!("{CANARY}\0")), Vec::new(), 9).await.unwrap_err(),
        store.set_password(owner, format!("{CANARY}\0")).await.unwrap_err(),
        store.append(vec![row]).await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(&error, StoreError::Unavailable(text) if !text.is_empty()), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        assert!(!format!("{error:?}").contains(&id.to_string()), "{error:?}");
    }
    assert_eq!(store.game_by_code("A\0").await.unwrap(), None, "a text that cannot be stored is not found");
    assert!(store.account_by_name("\0").await.unwrap().is_none());
}

/// A store that is opened as the service opens it.
pub async fn durable(server: &Postgres) -> (Arc<Store>, String) {
    let url = server.fresh_database().await;
    (connect(&url, StoreOptions::default()).await.unwrap(), url)
}

/// Makes the store open as many connections as it may; returns a node in the list.
async fn warm(store: &Store) -> Uuid {
    let id = enter(store).await;
    store.probe().await.unwrap();
    for found in join_all((0..32).map(|_| store.accounts_with_password())).await {
        found.unwrap();
    }
    id
}

/// Reads, writes and renewals must each succeed at the first try.
async fn all_is_well(store: &Store, node: Uuid, beat: u64) {
    store.create_account(account(&Uuid::now_v7().to_string())).await.unwrap();
    for found in join_all((0..32).map(|_| store.accounts_with_password())).await {
        found.unwrap();
    }
    assert_eq!(store.renew_node(node, NodeReport::default()).await.unwrap().unwrap().beat, beat);
    store.probe().await.unwrap();
}

/// A connection of another program to the database.
pub async fn stranger(url: &str) -> PgConnection {
    let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    connection.execute(AssertSqlSafe("SET lock_timeout = '10s'".to_owned())).await.unwrap();
    connection
}

pub fn name_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}
