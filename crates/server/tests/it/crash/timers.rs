//! kill -9 in the middle of a timer: the restarted process goes on from what was stated last, and closes the question once.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::process::{Launch, Server};
use crate::timed::{TimedGame, check_left, closes_in_time};

/// Behind the first mark, which is stored five seconds after the release.
const BEFORE_THE_KILL: Duration = Duration::from_millis(6_500);
/// A process that is not there takes no time from the players.
const DOWN: Duration = Duration::from_secs(9);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_goes_on_with_the_time_that_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch::new(folder.path());
    let mut server = Server::start(&launch);
    let game = TimedGame::open(&server).await;
    let mut host = game.host(&server).await;
    host.begin().await;
    let mut player = game.player(&server).await;
    player.time_left().await;
    let begun = Instant::now();
    player.answer("in time").await;
    sleep(BEFORE_THE_KILL).await;
    server.kill();
    let passed = begun.elapsed();
    sleep(DOWN).await;
    let server = Server::start(&launch);
    let mut player = game.player(&server).await;
    let left = player.time_left().await;
    check_left(left, passed);
    closes_in_time(&mut player, (Instant::now(), left)).await;
    player.answer("too late").await;
    player.is_refused().await;
    // A socket that connects now is sent `question_closed` and no timer.
    game.player(&server).await.closing().await;
    let mut host = game.host(&server).await;
    host.closing().await;
    assert_eq!(host.review().await, ["in time"]);
}
