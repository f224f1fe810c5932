//! Nodes of two versions of the log in one cluster: what the older one could not read is refused over every node, until it has
//! left. A debug build announces another version than its own, and counts as older by that.

use std::time::Duration;

use quizhall_rules::LOG_VERSION;
use reqwest::Client;
use serde_json::{Value, json};

use super::harness::{Cluster, TIMEOUT, until};
use crate::faults::company::{Company, release, say, sync_messages};
use crate::process::HOST_TOKEN;

/// Becomes the older node.
const OLDER: usize = 2;
/// The other two.
const NEWER: [usize; 2] = [0, 1];
/// The drain's own limit.
const DRAINED: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_stored_that_an_older_node_could_not_read() {
    let mut cluster = Cluster::start(&[]).await;
    let company = Company::open(&cluster.nodes[0].server, &[1], &["Ann"]).await;
    let mut host = company.host(&cluster.nodes[1].server).await;
    sync_messages(&mut host).await;

    restart(&mut cluster, "0").await;
    for node in [NEWER[0], NEWER[1], OLDER] {
        until("screens are refused", TIMEOUT, async || add_screen(&cluster, node, &company).await == 409).await;
        let teams = json!({"quizId": quiz(&cluster, node, &company).await, "teams": {}});
        let (status, problem) = post(&cluster, node, "/api/v1/games", &teams).await;
        assert_eq!((status, &problem["type"]), (409, &json!("/problems/older-node")), "node {node}");
    }
    say(&mut host, "start_game").await;

    restart(&mut cluster, &LOG_VERSION.to_string()).await;
    for node in [NEWER[0], NEWER[1], OLDER] {
        until("screens are added", TIMEOUT, async || add_screen(&cluster, node, &company).await == 201).await;
        assert_eq!(game(&cluster, node, &company).await["phase"], "lobby", "the host's first message did nothing");
    }
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    assert_eq!(game(&cluster, OLDER, &company).await["phase"], "question");
}

/// Ends the node and starts it as one that announces this version of the log.
async fn restart(cluster: &mut Cluster, log_version: &str) {
    assert_eq!(cluster.nodes[OLDER].server.terminate(DRAINED).code(), Some(0));
    cluster.start_again_as(OLDER, &[("TEST_LOG_VERSION", log_version)]);
    cluster.all_ready(TIMEOUT).await;
}

async fn add_screen(cluster: &Cluster, node: usize, company: &Company) -> u16 {
    post(cluster, node, &format!("/api/v1/games/{}/screens", company.game), &json!({})).await.0
}

async fn quiz(cluster: &Cluster, node: usize, company: &Company) -> Value {
    game(cluster, node, company).await["quizId"].take()
}

async fn game(cluster: &Cluster, node: usize, company: &Company) -> Value {
    let url = format!("{}/api/v1/games/{}", cluster.nodes[node].server.url(), company.game);
    Client::new().get(url).bearer_auth(HOST_TOKEN).send().await.unwrap().json().await.unwrap()
}

async fn post(cluster: &Cluster, node: usize, path: &str, body: &Value) -> (u16, Value) {
    let url = cluster.nodes[node].server.url() + path;
    let response = Client::new().post(url).bearer_auth(HOST_TOKEN).json(body).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}
