//! Starting while a store cannot be reached, and the list of nodes from the shell: the real binary with real stores.

use std::net::TcpListener;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use quizhall::store::{NewNode, connect};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use crate::faults::probes::{becomes, get};
use crate::process::{Launch, Server};
use crate::services::postgres;
use crate::services::redis::Redis;

/// The promise of the interface: 503 within this time, and 200 again within it.
const PROMISE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_development_it_starts_without_the_cache_store_and_health_says_so_until_it_is_there() {
    let (folder, mut redis) = (TempDir::new().unwrap(), Redis::start());
    redis.kill();
    let url = redis.url();
    let server = Server::start(&Launch { environment: &[("REDIS_URL", &url)], ..Launch::new(folder.path()) });
    assert!(server.log().iter().any(|line| line.contains("cache store unreachable") && line.contains("WARN")));
    for path in ["/healthz", "/readyz"] {
        let (status, body) = get(&server, path).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &body["checks"]["database"], &body["checks"]["cache"]),
            (503, &"ok".into(), &"down".into())
        );
        assert!(body["reason"].as_str().unwrap().starts_with("cache: "), "{body}");
    }
    assert!(server.api().games().await.is_ok(), "it still serves");
    redis.start_again();
    becomes(&server, ("/healthz", 200), PROMISE).await;
    redis.stop();
    becomes(&server, ("/readyz", 503), PROMISE).await;
    assert_eq!(get(&server, "/livez").await.0, 200);
    redis.cont();
    becomes(&server, ("/readyz", 200), PROMISE).await;
}

#[test]
fn a_start_that_waited_in_vain_fails_and_repeats_no_secret() {
    let folder = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}/q.db", folder.path().display());
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (redis, postgres) = (format!("redis://:pass-word@{closed}"), format!("postgres://u:pass-word@{closed}/quiz"));
    let starts: [(&str, &[(&str, &str)]); 3] = [
        ("the cache store", &[("DATABASE_URL", &sqlite), ("REDIS_URL", &redis), ("ENVIRONMENT", "production")]),
        ("the database", &[("DATABASE_URL", &postgres), ("ENVIRONMENT", "production")]),
        ("the database", &[("DATABASE_URL", &postgres), ("ENVIRONMENT", "development")]),
    ];
    for (what, environment) in starts {
        let begun = Instant::now();
        let output = quizhall(&["serve"], &[environment, &[("STORES_PATIENCE", "2s")]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(what), "{said}");
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(log.contains("not there yet; waiting"), "{log}");
        assert!(!said.contains("pass-word") && !log.contains("pass-word"), "{said}{log}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shell_lists_nodes_that_no_process_answers_for() {
    let server = postgres::shared();
    let url = server.fresh_database().await;
    let environment = [("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")];
    let empty = quizhall(&["nodes"], &environment);
    assert_eq!(empty.status.code(), Some(0));
    assert!(empty.stdout.is_empty() && String::from_utf8_lossy(&empty.stderr).contains("No node"));
    let store = connect(&url, server.options()).await.unwrap();
    let id = Uuid::now_v7();
    let node = NewNode {
        id,
        name: "the left one".to_owned(),
        version: "0.1.2".to_owned(),
        log_version: 1,
        zone: String::new(),
        drain: false,
    };
    store.enter_node(node).await.unwrap();
    let table = String::from_utf8(quizhall(&["nodes"], &environment).stdout).unwrap();
    let lines: Vec<_> = table.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("ID") && lines[1].starts_with(&id.to_string()), "{table}");
    assert!(lines[1].contains("the left one") && lines[1].ends_with("serving"), "{table}");
    let json: Value = serde_json::from_slice(&quizhall(&["nodes", "--json"], &environment).stdout).unwrap();
    let listed = &json["nodes"][0];
    assert_eq!((&listed["id"], &listed["version"]), (&id.to_string().into(), &"0.1.2".into()));
    assert_eq!((&listed["self"], listed.get("busLagMs")), (&false.into(), None));
    store.close().await;
    server.drop_database(&url).await;
}

/// Runs the binary with only these variables.
fn quizhall(words: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quizhall"))
        .args(words)
        .env_clear()
        .env("BIND_ADDR", "127.0.0.1:0")
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}
