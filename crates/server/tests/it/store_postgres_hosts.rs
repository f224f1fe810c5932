//! A PostgreSQL of several hosts: the store uses the one that takes writes, and names the cause when there is none. `cluster/failover.rs`
//! promotes a standby during a game.

use std::net::TcpListener;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use quizhall::store::{Outcome, StoreError, connect};
use sqlx::Executor as _;

use crate::services::postgres::{Durability, Postgres, shared};
use crate::store_postgres::stranger;
use crate::store_stage::{a_game, append_one, head_of, next};

/// A connection may take two seconds; the store opens some, one after the other.
const SOON: Duration = Duration::from_secs(10);

/// The host and the rest of a URL of [`shared`].
fn parts(url: &str) -> (&str, &str) {
    url.rsplit_once('@').unwrap().1.split_once('/').unwrap()
}

#[tokio::test]
async fn a_host_that_refuses_or_never_answers_is_passed_over() {
    let url = shared().fresh_database().await;
    let (host, database) = parts(&url);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    // Connections to it wait in the queue of the listener.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for other in [closed, silent.local_addr().unwrap()] {
        for hosts in [format!("{other},{host}"), format!("{host},{other}")] {
            let begun = Instant::now();
            let url = format!("postgres://quizhall@{hosts}/{database}");
            let store = connect(&url, shared().options()).await.unwrap();
            let (game, first) = a_game(&store, "AAAAAA").await;
            assert_eq!(append_one(&store, next(game, first, 1)).await, Outcome::Committed);
            assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
            store.close().await;
            stranger(&url_of(host, database)).await.execute("TRUNCATE game CASCADE").await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_host_that_takes_no_writes_is_not_used() {
    let mut server = Postgres::start(Durability::Skipped);
    let url = server.fresh_database().await;
    one_that_became_read_only_keeps_no_connection(&server, &url).await;
    let open = connect(&url, server.options()).await.unwrap();
    server.kill();
    std::fs::write(server.data().join("standby.signal"), "").unwrap();
    server.start_again();
    assert!(matches!(open.probe().await, Err(StoreError::Unusable(_))), "an open store notices as well");
    assert!(matches!(open.accounts_with_password().await, Err(StoreError::Unusable(_))), "and reads nothing stale");
    when_every_host_is_a_standby_commands_and_starts_say_so(&server, &url).await;
}

async fn one_that_became_read_only_keeps_no_connection(server: &Postgres, url: &str) {
    let (host, database) = parts(url);
    let twice = format!("postgres://quizhall@{host},{host}/{database}");
    let store = connect(&twice, server.options()).await.unwrap();
    let (game, first) = a_game(&store, "AAAAAA").await;
    let earlier = next(game, first, 1);
    assert_eq!(append_one(&store, earlier.clone()).await, Outcome::Committed);
    store.probe().await.unwrap();
    let row = next(game, head_of(&earlier), 1);
    let mut other = stranger(url).await;
    let pids = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let before: Vec<i32> = sqlx::query_scalar(pids).fetch_all(&mut other).await.unwrap();
    assert!(!before.is_empty());
    let single = connect(url, server.options()).await.unwrap();
    for statement in ["ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"] {
        server.say(statement).await;
    }
    let begun = Instant::now();
    // The reload reaches a session some moments later.
    while store.probe().await.is_ok() || single.probe().await.is_ok() {
        assert!(begun.elapsed() < SOON, "it still takes writes");
    }
    single.close().await;
    let error = store.append(vec![row.clone()]).await.unwrap_err();
    assert!(error.to_string().contains("takes writes"), "{error}");
    assert!(store.accounts_with_password().await.is_err(), "no connection is left, and none is opened");
    other.execute("SET default_transaction_read_only = off").await.unwrap();
    for statement in ["ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()"] {
        other.execute(statement).await.unwrap();
    }
    let begun = Instant::now();
    while store.probe().await.is_err() {
        assert!(begun.elapsed() < SOON, "it takes no writes again");
    }
    assert_eq!(append_one(&store, row).await, Outcome::Committed);
    let after: Vec<i32> = sqlx::query_scalar(pids).fetch_all(&mut other).await.unwrap();
    assert!(after.iter().all(|pid| !before.contains(pid)), "{before:?} {after:?}");
}

async fn when_every_host_is_a_standby_commands_and_starts_say_so(server: &Postgres, url: &str) {
    let (host, database) = parts(url);
    let sentence = "every host of DATABASE_URL is a standby";
    let both = format!("postgres://quizhall:pass-word@{host},{host}/{database}");
    let one = format!("postgres://quizhall:pass-word@{host}/{database}?target_session_attrs=read-write");
    for url in [&both, &one] {
        let error = connect(url, server.options()).await.map(|_| ()).unwrap_err();
        assert!(matches!(&error, StoreError::Unavailable(said) if said == sentence), "{error}");
    }
    for words in [&["serve"][..], &["init"], &["nodes"], &["verify"], &["host", "list"], &["check-config", "--online"]]
    {
        let output = quizhall(words, &both);
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&all).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains(sentence) && !said.contains("pass-word"), "{words:?}: {said}");
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = connect(&format!("postgres://quizhall@{host},{closed}/{database}"), server.options()).await;
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("no host of DATABASE_URL takes writes: of 2, standbys 1"), "{error}");
    // As ever, a single host is refused at once, and of any host the first is taken.
    for url in [url.to_owned(), format!("postgres://quizhall@{host},{host}/{database}?target_session_attrs=any")] {
        let error = connect(&url, server.options()).await.map(|_| ()).unwrap_err();
        assert!(matches!(&error, StoreError::Unusable(said) if said.contains("is a standby")), "{error}");
    }
}

fn url_of(host: &str, database: &str) -> String {
    format!("postgres://quizhall@{host}/{database}")
}

/// Runs the binary with this database.
fn quizhall(words: &[&str], url: &str) -> Output {
    let variables =
        [("DATABASE_URL", url), ("UNSAFE_DATABASE", "true"), ("STORES_PATIENCE", "1s"), ("BIND_ADDR", "127.0.0.1:0")];
    Command::new(env!("CARGO_BIN_EXE_quizhall")).args(words).env_clear().envs(variables).output().unwrap()
}
