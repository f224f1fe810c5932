//! Promise 21: a store that cannot be reached shows on every node within 3 s, and its return within 3 s; no node is restarted. Also
//! `READY_WITHOUT_CACHE`: no node leaves the balancer while the cache is away.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use super::harness::{Cluster, NODES, TIMEOUT};
use super::party::{OWNER, Party};
use super::proxy::{Direction, Way};
use super::troubles::chaos_rounds;
use crate::time_limits::promised;

const PROMISED: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_reports_within_3_s_which_store_is_away_and_that_it_is_back() {
    let mut cluster = Cluster::start(&[]).await;
    cluster.stores.cache.kill();
    reports(&cluster, &["cache"]).await;
    cluster.stores.cache.start_again();
    well(&cluster, "the cache was killed").await;

    cluster.stores.database.kill();
    reports(&cluster, &["database"]).await;
    cluster.stores.database.start_again();
    well(&cluster, "the database was killed").await;

    // A store that does not answer is found out by the time that passes.
    for node in &cluster.nodes {
        node.set_all(Way::BlackHole(Direction::FromStore));
    }
    reports(&cluster, &["database", "cache"]).await;
    for node in &cluster.nodes {
        node.set_all(Way::Pass);
    }
    well(&cluster, "both were silent").await;
}

/// The sockets of a game that a balancer leads to its owner's node go on while the cache is away, for 30 s in `make chaos`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_cache_every_node_stays_in_the_balancer_and_games_on_their_node_go_on() {
    let mut cluster = Cluster::start(&[("READY_WITHOUT_CACHE", "true")]).await;
    let mut party = Party::begin(&cluster).await;
    cluster.stores.cache.kill();
    let away = Instant::now();
    for node in &cluster.nodes {
        node.says("/healthz", promised(PROMISED), |status, _| status == 503).await;
    }
    let time = if chaos_rounds() > 0 { Duration::from_secs(30) } else { Duration::from_secs(3) };
    let mut pauses = Vec::new();
    while away.elapsed() < time {
        for node in &cluster.nodes {
            let (status, body) = node.ask("/readyz").await.unwrap();
            assert_eq!((status, &body["status"], &body["degraded"]), (200, &json!("ok"), &json!(["cache"])));
        }
        pauses.push(party.acknowledged_on(&[OWNER], 1, promised(Duration::from_secs(1))).await);
    }
    println!("without the cache for {time:?}: the longest pause {:?}", pauses.iter().max().unwrap());
    cluster.stores.cache.start_again();
    well(&cluster, "the cache was killed").await;
    let record = party.end(&cluster).await;
    let beside = (0..NODES).filter(|node| *node != OWNER).collect::<Vec<_>>();
    for diary in record.away_from(&beside) {
        assert!(diary.lost.is_empty(), "a player beside the owner lost the connection: {:?}", diary.lost);
    }
}

/// 503 with the reason on every node, on both paths; `/livez` is not affected.
async fn reports(cluster: &Cluster, away: &[&str]) {
    let state = |store| if away.contains(&store) { "down" } else { "ok" };
    let checks = json!({"database": state("database"), "cache": state("cache")});
    let looks = cluster.nodes.iter().map(async |node| {
        for path in ["/healthz", "/readyz"] {
            // When both stores are away, one may be noticed first.
            let (_, body) =
                node.says(path, promised(PROMISED), |status, body| status == 503 && body["checks"] == checks).await;
            assert_eq!(body["status"], json!("unavailable"), "{path}");
            let reason = body["reason"].as_str().unwrap();
            assert!(away.iter().all(|store| reason.contains(&format!("{store}: "))), "{path}: {reason}");
            assert!(!reason.contains("://") && !reason.contains('@'), "{path}: {reason}");
        }
        assert_eq!(node.ask("/livez").await.map(|answer| answer.0), Some(200));
    });
    join_all(looks).await;
}

async fn well(cluster: &Cluster, after: &str) {
    let took = cluster.all_ready(TIMEOUT).await;
    assert!(took <= promised(PROMISED), "{after}: ready again after {took:?}");
}
