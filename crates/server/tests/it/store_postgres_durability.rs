//! A PostgreSQL whose durability is switched off while the service runs: sessions keep their own setting. A setting of the whole
//! server stops appends and shows in the health checks until it is on again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::store::{Outcome, Store, StoreError, StoreOptions, connect};
use sqlx::{AssertSqlSafe, Executor as _};

use crate::faults::company::{Company, acknowledged, answer, closed_unacknowledged};
use crate::faults::probes::becomes;
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::store_postgres::{durable, name_of, stranger};
use crate::store_stage::{a_game, append_one, head_of, next};
use crate::time_limits::promised;

/// The promise for noticing the fault, and for noticing its end.
const NOTICED: Duration = Duration::from_secs(3);

/// Records the setting of a session when a row is added, with a trigger, because other sessions cannot read it.
const OBSERVER: &str = "
    CREATE TABLE observed (setting text);
    CREATE FUNCTION observed() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO observed VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
    CREATE TRIGGER observed BEFORE INSERT OR UPDATE ON game_log FOR EACH ROW EXECUTE FUNCTION observed();
    CREATE TRIGGER observed BEFORE INSERT OR UPDATE ON host FOR EACH ROW EXECUTE FUNCTION observed()";

#[tokio::test]
async fn every_session_commits_to_the_disk_whatever_the_server_is_set_to() {
    let server = Postgres::start(Durability::Kept);
    server.say("ALTER SYSTEM SET synchronous_commit = off").await;
    reload(&server).await;
    let (store, url) = durable(&server).await;
    server.say(&format!("ALTER DATABASE {} SET synchronous_commit = local", name_of(&url))).await;
    let mut other = stranger(&url).await;
    other.execute(AssertSqlSafe(OBSERVER.to_owned())).await.unwrap();
    let (game, mut head) = a_game(&store, "AAAAAA").await;
    for round in 0..3 {
        let row = next(game, head, 1);
        head = head_of(&row);
        assert_eq!(append_one(&store, row).await, Outcome::Committed);
        // First with old sessions after a reload, then with new ones.
        match round {
            0 => reload(&server).await,
            _ => store.close().await,
        }
    }
    assert_eq!(observed(&url).await, ["on"]);

    // A stronger setting is kept.
    let (_, url) = durable(&server).await;
    server.say(&format!("ALTER DATABASE {} SET synchronous_commit = remote_apply", name_of(&url))).await;
    stranger(&url).await.execute(AssertSqlSafe(OBSERVER.to_owned())).await.unwrap();
    let store = connect(&url, StoreOptions::default()).await.unwrap();
    let (game, first) = a_game(&store, "AAAAAA").await;
    assert_eq!(append_one(&store, next(game, first, 1)).await, Outcome::Committed);
    assert_eq!(observed(&url).await, ["remote_apply"]);
}

/// The settings of all sessions that have added a row.
async fn observed(url: &str) -> Vec<String> {
    let settings = sqlx::query_scalar("SELECT DISTINCT setting FROM observed");
    settings.fetch_all(&mut stranger(url).await).await.unwrap()
}

#[tokio::test]
async fn nothing_is_appended_while_the_server_would_not_keep_it() {
    let server = Postgres::start(Durability::Kept);
    let (store, _) = durable(&server).await;
    let (game, first) = a_game(&store, "AAAAAA").await;
    let careless = StoreOptions { unsafe_durability: true, ..StoreOptions::default() };
    let warned = connect(&server.fresh_database().await, careless).await.unwrap();
    let mut head = first;
    for setting in ["fsync", "full_page_writes"] {
        let row = next(game, head, 1);
        set(&server, setting, "off").await;
        let refused = until_refused(&store, || store.append(vec![row.clone()])).await;
        assert!(refused.contains(setting), "{refused}");
        let probed = store.probe().await.unwrap_err().to_string();
        assert!(probed.contains(setting), "{probed}");
        warned.probe().await.unwrap();
        set(&server, setting, "on").await;
        let begun = Instant::now();
        while store.probe().await.is_err() {
            assert!(begun.elapsed() < promised(NOTICED));
        }
        let known = store.head(game).await.unwrap().unwrap();
        let row = next(game, known, 1);
        head = head_of(&row);
        assert_eq!(append_one(&store, row).await, Outcome::Committed, "and then continues");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_reports_fsync_off_no_answer_is_acknowledged_and_all_continues_when_it_is_on() {
    let (postgres, folder) = (Postgres::start(Durability::Kept), tempfile::tempdir().unwrap());
    let url = postgres.empty_database().await;
    let environment = [("DATABASE_URL", url.as_str()), ("COMMAND_TIMEOUT", "3s")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let (company, _host, mut ann) = Company::with_an_answer(&server, 2).await;
    set(&postgres, "fsync", "off").await;
    for path in ["/healthz", "/readyz"] {
        let body = becomes(&server, (path, 503), NOTICED).await;
        assert!(body.contains("database: the PostgreSQL server has fsync off"), "{body}");
    }
    answer(&mut ann, company.rounds[0][1], "after").await;
    assert_eq!(closed_unacknowledged(&mut ann).await, (4102, "storage_unavailable".to_owned()));
    set(&postgres, "fsync", "on").await;
    for path in ["/healthz", "/readyz"] {
        becomes(&server, (path, 200), NOTICED).await;
    }
    let mut ann = company.player(&server, 0).await;
    answer(&mut ann, company.rounds[0][1], "after").await;
    acknowledged(&mut ann, company.rounds[0][1]).await;
}

/// Appends until the session has seen the reload; returns the error. Rows that are stored before that are durable.
async fn until_refused<F>(store: &Arc<Store>, append: impl Fn() -> F) -> String
where
    F: Future<Output = Result<Vec<Outcome>, StoreError>>,
{
    let begun = Instant::now();
    loop {
        match append().await {
            Err(StoreError::Unusable(sentence)) => return sentence,
            other => assert!(begun.elapsed() < promised(NOTICED), "{other:?}"),
        }
        let _ = store.probe().await;
    }
}

async fn set(server: &Postgres, setting: &str, value: &str) {
    server.say(&format!("ALTER SYSTEM SET {setting} = {value}")).await;
    reload(server).await;
}

async fn reload(server: &Postgres) {
    server.say("SELECT pg_reload_conf()").await;
}
