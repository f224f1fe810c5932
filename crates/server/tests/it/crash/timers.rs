//! kill -9 in the middle of a timer, and of the break of an autopilot: the restarted process continues from the time that was stated
//! last, closes the question once, and releases it. The simulation of the engine does the same with breaks and extra time.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::process::{Launch, Server};
use crate::timed::{FLOOR, Line, TimedGame, check_left, closes_in_time};

/// After the first mark, which is stored five seconds after the release.
const BEFORE_THE_KILL: Duration = Duration::from_millis(6_500);
/// How long no process runs; the players lose no time by it.
const DOWN: Duration = Duration::from_secs(9);
/// The break before the question that the autopilot releases.
const BREAK: Duration = Duration::from_secs(14);
/// The time between two processes' clocks, and between an event and its message.
const SLACK: Duration = Duration::from_millis(500);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_goes_on_with_the_time_that_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let (timed, automatic) = (TimedGame::open(&server).await, TimedGame::open(&server).await);
    let _sockets = (timer_begins(&server, &timed).await, autopilot_begins(&server, &automatic).await);
    let begun = Instant::now();
    sleep(BEFORE_THE_KILL).await;
    server.kill();
    let passed = begun.elapsed();
    sleep(DOWN).await;
    let server = Server::start(&Launch::new(folder.path()));
    tokio::join!(timer_goes_on(&server, &timed, passed), autopilot_goes_on(&server, &automatic, passed));
}

async fn timer_begins(server: &Server, game: &TimedGame) -> [Line; 2] {
    let (mut host, mut player) = (game.host(server).await, game.player(server).await);
    host.begin().await;
    player.time_left().await;
    player.answer("in time").await;
    [host, player]
}

async fn timer_goes_on(server: &Server, game: &TimedGame, passed: Duration) {
    let mut player = game.player(server).await;
    let (since, left) = (Instant::now(), player.time_left().await);
    check_left(left, passed);
    closes_in_time(&mut player, (since, left)).await;
    player.answer("too late").await;
    player.is_refused().await;
    // A socket that connects now is sent `question_closed` and no timer.
    game.player(server).await.closing().await;
    let mut host = game.host(server).await;
    host.closing().await;
    assert_eq!(host.review().await, ["in time"]);
}

async fn autopilot_begins(server: &Server, game: &TimedGame) -> [Line; 2] {
    let (mut host, mut player) = (game.host(server).await, game.player(server).await);
    host.start_autopilot(BREAK).await;
    assert!(player.next_step().await + SLACK >= BREAK);
    [host, player]
}

/// The host does not reconnect: the autopilot continues without a host.
async fn autopilot_goes_on(server: &Server, game: &TimedGame, passed: Duration) {
    let mut player = game.player(server).await;
    let left = player.next_step().await;
    assert!(left + SLACK >= FLOOR, "{left:?} left: less than the floor");
    assert!(left < BREAK && left + passed + SLACK >= BREAK, "{left:?} left, {passed:?} before the kill");
    let since = Instant::now();
    player.release().await;
    assert!(since.elapsed() + SLACK >= left, "released after {:?} with {left:?} left", since.elapsed());
    let (since, left) = (Instant::now(), player.time_left().await);
    closes_in_time(&mut player, (since, left)).await;
}
