//! The owner of a game is killed in the middle of a timer: another node continues it, and the players keep their sockets.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::harness::Cluster;
use super::party::OWNER;
use super::trouble::OTHER;
use crate::timed::{TimedGame, check_left, closes_in_time};

/// After the first mark, which is stored five seconds after the release.
const BEFORE_THE_KILL: Duration = Duration::from_millis(6_500);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_goes_on_with_the_time_that_was_left() {
    let mut cluster = Cluster::start(&[]).await;
    let game = TimedGame::open(&cluster.nodes[OWNER].server).await;
    let mut host = game.host(&cluster.nodes[OWNER].server).await;
    host.begin().await;
    let mut player = game.player(&cluster.nodes[OTHER].server).await;
    player.time_left().await;
    let begun = Instant::now();
    player.answer("in time").await;
    sleep(BEFORE_THE_KILL).await;
    cluster.nodes[OWNER].server.kill();
    let passed = begun.elapsed();
    // The claim extends the timer, and that is sent at once; the message of ten seconds would come later.
    let left = player.time_left().await;
    check_left(left, passed);
    closes_in_time(&mut player, (Instant::now(), left)).await;
    player.answer("too late").await;
    player.is_refused().await;
    let mut host = game.host(&cluster.nodes[OTHER].server).await;
    host.closing().await;
    assert_eq!(host.review().await, ["in time"]);
}
