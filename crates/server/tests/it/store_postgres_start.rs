//! Opening a PostgreSQL database: the databases that are refused, the messages, and the steps that several nodes may take at once.

use std::sync::Arc;

use futures_util::future::join_all;
use quizhall::store::{Outcome, Store, StoreError, StoreOptions, check_url, connect};
use sqlx::Executor as _;

use crate::services::pgbouncer::PgBouncer;
use crate::services::postgres::shared;
use crate::store_postgres::stranger;
use crate::store_stage::{a_game, append_one, next};

#[tokio::test]
async fn a_server_that_could_lose_answers_is_refused() {
    let url = shared().fresh_database().await;
    let sentence = unusable(&url, StoreOptions::default()).await;
    assert_eq!(
        sentence,
        "the PostgreSQL server has fsync and full_page_writes off: \
         answers that were acknowledged could be lost when it or its machine fails"
    );
    assert!(connect(&url, shared().options()).await.is_ok(), "unless that is asked for");
}

#[tokio::test]
async fn many_nodes_start_at_once_on_an_empty_database() {
    let url = shared().empty_database().await;
    let starts = (0..8).map(|_| connect(&url, shared().options()));
    let stores: Vec<Arc<Store>> = join_all(starts).await.into_iter().map(Result::unwrap).collect();
    let (game, first) = a_game(&stores[0], "AAAAAA").await;
    let rivals = stores.iter().map(|store| append_one(store, next(game, first, 1)));
    let outcomes = join_all(rivals).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Committed).count(), 1, "one log, one lock");
    for store in &stores {
        assert_eq!(store.read_log(game, None).await.unwrap().len(), 2);
        store.close().await;
    }
    shared().drop_database(&url).await;
}

#[tokio::test]
async fn a_pooler_that_lends_sessions_is_refused_in_words() {
    let url = shared().fresh_database().await;
    let known = "ignore_startup_parameters = extra_float_digits";
    let through = |mode, more| {
        let pooler = PgBouncer::start(&url, mode, more);
        (pooler.url(&url), pooler)
    };
    for (mode, more, word) in [
        ("transaction", known, "pool_mode = transaction"),
        ("statement", known, "pool_mode = session"),
        ("transaction", "", "extra_float_digits"),
        ("session", "", "extra_float_digits"),
    ] {
        let (url, _pooler) = through(mode, more);
        let sentence = unusable(&url, shared().options()).await;
        assert!(
            sentence.starts_with("DATABASE_URL leads to a pooler") && sentence.contains(word),
            "{mode}: {sentence}"
        );
    }
    let (url, _pooler) = through("session", known);
    let store = connect(&url, shared().options()).await.unwrap();
    let (game, first) = a_game(&store, "AAAAAA").await;
    assert_eq!(append_one(&store, next(game, first, 1)).await, Outcome::Committed);
    store.close().await;
}

#[tokio::test]
async fn a_url_that_cannot_be_used_is_said_without_repeating_it() {
    for url in [
        "postgres://",
        "postgres://host",
        "postgres://user:pass-word@host/",
        "postgresql://user:pass-word@host:port/db",
        "postgres://user:pass-word@host/db?passphrase=secret",
        "postgres://user:pass-word@host/db?sslmode=sometimes",
        "postgres://user:pass-word@a,b/",
        "postgres://user:pass-word@a,b b/db",
    ] {
        let Err(StoreError::Unusable(sentence)) = check_url(url) else { panic!("{url} was accepted") };
        assert!(!sentence.contains("pass-word") && !sentence.contains("secret"), "{sentence}");
    }
    for url in [
        "postgres://host/db",
        "postgresql://u:p@[::1]:5433/db?sslmode=verify-full&sslrootcert=/ca.pem",
        "postgres://u:p@a,b:5433,[::1]:5434/db?target_session_attrs=read-write",
    ] {
        assert!(check_url(url).is_ok(), "{url}");
    }
    let missing = shared().url("nowhere");
    let Err(StoreError::Unavailable(sentence)) = connect(&missing, shared().options()).await else { panic!("taken") };
    assert_eq!(sentence, "it refuses this service's user, password or database (3D000)");
}

#[tokio::test]
async fn tables_of_a_newer_version_are_not_changed() {
    let url = shared().fresh_database().await;
    let future = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        VALUES (9999, 'future', true, '', 0)";
    stranger(&url).await.execute(future).await.unwrap();
    let sentence = unusable(&url, shared().options()).await;
    assert!(sentence.contains("newer version"), "{sentence}");
}

#[tokio::test]
async fn tables_of_the_last_pre_releases_become_those_of_this_version() {
    let url = shared().fresh_database().await;
    let mut other = stranger(&url).await;
    let steps =
        "ALTER TABLE node DROP COLUMN log_version, DROP COLUMN zone, DROP COLUMN busy_millicores, DROP COLUMN drain;
        DROP TABLE game_move; ALTER TABLE game_log DROP COLUMN at_ms;
        ALTER TABLE results_link DROP COLUMN replay, DROP COLUMN proof; DELETE FROM _sqlx_migrations;
        INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        SELECT n, 'of a pre-release', true, '\\x982a9bccdeb6b273', 0 FROM generate_series(1, 12) AS step (n)";
    other.execute(steps).await.unwrap();
    assert!(unusable(&url, shared().options()).await.contains("an early pre-release (migration 12)"));
    let more = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        SELECT n, 'of a pre-release', true, '', 0 FROM generate_series(13, 18) AS step (n)";
    other.execute(more).await.unwrap();
    let (one, another) = tokio::join!(connect(&url, shared().options()), connect(&url, shared().options()));
    assert!(one.is_ok() && another.is_ok());
    let versions: Vec<i64> = sqlx::query_scalar("SELECT version FROM _sqlx_migrations ORDER BY version")
        .fetch_all(&mut other)
        .await
        .unwrap();
    assert_eq!(versions, [1, 2, 3, 4]);
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres")).unwrap();
    assert_eq!(files.count(), versions.len(), "every file of the folder is a step");
    sqlx::query("SELECT log_version FROM node").fetch_optional(&mut other).await.expect("the missing column");
}

/// The reason why a database cannot be opened.
async fn unusable(url: &str, options: StoreOptions) -> String {
    match connect(url, options).await {
        Err(StoreError::Unusable(sentence)) => sentence,
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it was opened"),
    }
}
