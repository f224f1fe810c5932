//! The bus on the cache stores that operators run: with a password, over TLS, as a cluster, and with sentinels.

use std::path::Path;
use std::sync::Once;
use std::time::Duration;

use quizhall::cluster::bus::redis::{RedisBus, check_url};
use quizhall::cluster::bus::{Ask, Rate};
use redis::Value;

use crate::bus_stage::{Node, TIMEOUT, until, within};
use crate::services::redis::{Kind, Redis, make_certificates};

const RATE: Rate = Rate { cell: Duration::from_secs(60), burst: 1, most_debt: Duration::ZERO };

/// Tries everything that the service does with a cache store.
async fn is_usable(url: &str) -> (Node, Node) {
    check_url(url).unwrap();
    let (mut a, mut b) = (Node::enter(url, 1).await, Node::enter(url, 2).await);
    a.reaches(&mut b, 10).await;
    b.reaches(&mut a, 10).await;
    within(TIMEOUT, async { while a.bus.probe().await.is_err() {} }).await;
    let (ours, theirs) = (a.bus.limits(), b.bus.limits());
    within(TIMEOUT, async { while ours.ask("test", b"x", RATE, Ask::Charge).await.is_err() {} }).await;
    let refused = async {
        loop {
            if let Ok(answer) = theirs.ask("test", b"x", RATE, Ask::Ready).await {
                break answer;
            }
        }
    };
    within(TIMEOUT, refused).await.expect_err("the other has used it up");
    (a, b)
}

/// Checks the reason that the bus gives for a store it cannot use, once the reason is known.
async fn reason(url: &str, expected: &str) {
    let bus = RedisBus::open(url).unwrap();
    let mut said = String::new();
    let known = async {
        while !said.contains(expected) {
            said = bus.probe().await.expect_err("it cannot be used").to_string();
        }
    };
    assert!(tokio::time::timeout(TIMEOUT, known).await.is_ok(), "{said}");
    assert!(!said.contains("127.0.0.1") && !said.contains("another-key") && !said.contains("me:"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_a_password_and_a_database() {
    let user = ["--user", "me", "on", ">a+word", "~quizhall:*", "+@all"].map(str::to_owned).to_vec();
    let redis = Redis::start_as(Kind { arguments: user, ..Kind::default() });
    let port = redis.port();
    is_usable(&format!("redis://me:a%2Bword@127.0.0.1:{port}/3")).await;
    let Value::BulkString(keyspace) = redis.run_command(&["INFO", "keyspace"]) else { panic!("no text") };
    let keyspace = String::from_utf8(keyspace).unwrap();
    assert!(keyspace.contains("db3") && !keyspace.contains("db0"), "{keyspace}");
    reason(&format!("redis://me:another-key@127.0.0.1:{port}"), "user or password").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_listens() {
    let mut redis = Redis::start();
    redis.kill();
    reason(&redis.url(), "refused").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_with_an_authority_of_its_own() {
    provide_crypto();
    let folder = tempfile::tempdir().unwrap();
    make_certificates(folder.path());
    let redis = Redis::start_as(Kind { arguments: tls_arguments(folder.path()), tls: true, ..Kind::default() });
    is_usable(&format!("{}?ca={}", redis.url(), folder.path().join("ca.pem").display())).await;
    reason(&redis.url(), "TLS").await;
    assert!(check_url(&format!("{}?ca={}", redis.url(), folder.path().join("ca.key").display())).is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_of_two() {
    let mut servers = [cluster_server(), cluster_server()];
    join(&servers).await;
    let [one, two] = &servers;
    let url = format!("redis+cluster://127.0.0.1:{},127.0.0.1:{}", one.port(), two.port());
    let (mut a, mut b) = is_usable(&url).await;
    // The inboxes of many nodes are spread over the servers.
    let keys = |server: &Redis| match server.run_command(&["DBSIZE"]) {
        Value::Int(keys) => keys,
        other => panic!("{other:?}"),
    };
    let mut others = Vec::new();
    for id in 3..9 {
        others.push(Node::enter(&url, id).await);
    }
    assert!(keys(one) > 0 && keys(two) > 0);

    // The server that restarts empty learns its part of the cluster from its file.
    servers[0].kill();
    servers[0].start_again();
    a.reaches(&mut b, 1_000).await;
    b.reaches(&mut a, 1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sentinels_lead_to_the_master_and_to_the_next() {
    let mut master = Redis::start();
    let follow = ["--replicaof", "127.0.0.1", &master.port().to_string()].map(str::to_owned).to_vec();
    let replica = Redis::start_as(Kind { arguments: follow, ..Kind::default() });
    until(TIMEOUT, "the replica follows", || info(&replica, "replication").contains("master_link_status:up")).await;
    let sentinel = Redis::start_as(Kind { sentinel: Some(watch(master.port())), ..Kind::default() });
    until(TIMEOUT, "the sentinel knows it", || info(&sentinel, "sentinel").contains("slaves=1")).await;
    // A sentinel that does not answer is skipped.
    let url = format!("redis+sentinel://127.0.0.1:1,127.0.0.1:{}/main/0", sentinel.port());
    let (mut a, mut b) = is_usable(&url).await;
    reason(&format!("redis+sentinel://127.0.0.1:{}/another", sentinel.port()), "no master of that name").await;

    master.kill();
    until(2 * TIMEOUT, "the replica is the master", || info(&replica, "replication").contains("role:master")).await;
    a.reaches(&mut b, 1_000).await;
    b.reaches(&mut a, 1_000).await;
    a.is_well().await;
}

fn tls_arguments(folder: &Path) -> Vec<String> {
    let file = |name: &str| folder.join(name).display().to_string();
    let words = [
        "--tls-cert-file",
        &file("cert.pem"),
        "--tls-key-file",
        &file("key.pem"),
        "--tls-ca-cert-file",
        &file("ca.pem"),
        "--tls-auth-clients",
        "no",
    ];
    words.map(str::to_owned).to_vec()
}

/// The same as `main` does when the service starts.
fn provide_crypto() {
    static ONCE: Once = Once::new();
    // An error means that another test has already done it.
    ONCE.call_once(|| drop(rustls::crypto::aws_lc_rs::default_provider().install_default()));
}

fn cluster_server() -> Redis {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let words = ["--cluster-enabled", "yes", "--cluster-port", &port, "--cluster-announce-ip", "127.0.0.1"];
    Redis::start_as(Kind { arguments: words.map(str::to_owned).to_vec(), ..Kind::default() })
}

async fn join(servers: &[Redis; 2]) {
    let [one, two] = servers;
    one.run_command(&["CLUSTER", "ADDSLOTSRANGE", "0", "8191"]);
    two.run_command(&["CLUSTER", "ADDSLOTSRANGE", "8192", "16383"]);
    let bus = two.kind().arguments[3].clone();
    one.run_command(&["CLUSTER", "MEET", "127.0.0.1", &two.port().to_string(), &bus]);
    until(TIMEOUT, "both know the cluster", || servers.iter().all(is_joined)).await;
}

fn is_joined(server: &Redis) -> bool {
    let Value::BulkString(text) = server.run_command(&["CLUSTER", "INFO"]) else { return false };
    String::from_utf8(text).unwrap().contains("cluster_state:ok")
}

fn watch(master: u16) -> String {
    format!(
        "sentinel monitor main 127.0.0.1 {master} 1\nsentinel down-after-milliseconds main 500\n\
         sentinel failover-timeout main 3000\n"
    )
}

/// The text is empty while the server closes connections, as it does when it becomes the master.
fn info(server: &Redis, section: &str) -> String {
    match server.try_command(&["INFO", section]) {
        Ok(Value::BulkString(text)) => String::from_utf8(text).unwrap(),
        _ => String::new(),
    }
}
