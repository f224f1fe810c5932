//! Promise 11 on a cluster: all nodes are restarted one after the other under load. No answer is lost, all players are back in
//! their place within 5 s, and every node ends with exit code 0. Meanwhile teams play, the phones of each on three nodes.

use std::time::Duration;

use super::harness::{Cluster, NODES, TIMEOUT};
use super::party::Party;
use super::teams::GameOfTeams;

/// The promise for the longest absence.
const BACK: Duration = Duration::from_secs(5);
/// The drain's own limit.
const DRAINED: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_restart_under_load_and_all_players_are_back_in_5_s() {
    let mut cluster = Cluster::start(&[]).await;
    let mut party = Party::begin(&cluster).await;
    let teams = GameOfTeams::begin(&cluster).await;
    for number in 0..NODES {
        party.acknowledged(3, TIMEOUT).await;
        let status = cluster.nodes[number].server.terminate(DRAINED);
        assert_eq!(status.code(), Some(0), "node {number}");
        cluster.start_again(number);
        cluster.all_ready(TIMEOUT).await;
    }
    party.acknowledged(3, TIMEOUT).await;
    let record = party.end(&cluster).await;
    println!("{} acknowledged, away for {:.1?} at most", record.acknowledged(), record.longest_absence());
    for diary in &record.diaries {
        assert!(!diary.lost.is_empty(), "a player on node {} was never sent away", diary.node);
        for lost in &diary.lost {
            // A node that drained asks to come back later; a game that moved asks to come back now.
            assert!(matches!(lost.closed.code, Some(1_012 | 4_200)), "{lost:?}");
        }
    }
    assert!(record.longest_absence() <= BACK, "a player was away for {:?}", record.longest_absence());
    teams.end().await;
}
