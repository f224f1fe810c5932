//! kill -9 in the middle of a timer, of an autopilot's break and of a break of the host: the restarted process continues from the
//! time that was stated last, closes the question once, and releases it.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::time::sleep;

use crate::process::{Launch, Server};
use crate::timed::{FLOOR, GRACE, LIMIT, TimedGame, check_left, closes_in_time};

/// After the first mark, which is stored five seconds after the release.
const BEFORE_THE_KILL: Duration = Duration::from_millis(6_500);
/// How long no process runs; the players lose no time by it.
const DOWN: Duration = Duration::from_secs(9);
/// The break before the question that the autopilot releases.
const BREAK: Duration = Duration::from_secs(14);
/// The time between two processes' clocks, and between an event and its message.
const SLACK: Duration = Duration::from_millis(500);

async fn started() -> (TempDir, Server, TimedGame) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let game = TimedGame::open(&server).await;
    (folder, server, game)
}

/// Kills the process and starts the next one; returns how long the timer had run at the kill.
async fn killed(folder: &TempDir, mut server: Server, begun: Instant) -> (Server, Duration) {
    server.kill();
    let passed = begun.elapsed();
    sleep(DOWN).await;
    (Server::start(&Launch::new(folder.path())), passed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_goes_on_with_the_time_that_was_left() {
    let (folder, server, game) = started().await;
    let mut host = game.host(&server).await;
    host.begin().await;
    let mut player = game.player(&server).await;
    player.time_left().await;
    let begun = Instant::now();
    player.answer("in time").await;
    sleep(BEFORE_THE_KILL).await;
    let (server, passed) = killed(&folder, server, begun).await;
    let mut player = game.player(&server).await;
    let (since, left) = (Instant::now(), player.time_left().await);
    check_left(left, passed);
    closes_in_time(&mut player, (since, left)).await;
    player.answer("too late").await;
    player.is_refused().await;
    // A socket that connects now is sent `question_closed` and no timer.
    game.player(&server).await.closing().await;
    let mut host = game.host(&server).await;
    host.closing().await;
    assert_eq!(host.review().await, ["in time"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_goes_on_with_extra_time() {
    let (folder, server, game) = started().await;
    let mut host = game.host(&server).await;
    host.give_extra_time(game.player_id(), 200).await;
    host.begin().await;
    let mut player = game.player(&server).await;
    let left = player.time_left().await;
    assert!(left > LIMIT && left <= 2 * LIMIT, "{left:?} left at the beginning");
    let begun = Instant::now();
    // After the end of the timer of the other players, and after the first mark of the extra time.
    sleep(LIMIT + GRACE + BEFORE_THE_KILL).await;
    let (server, passed) = killed(&folder, server, begun).await;
    let mut player = game.player(&server).await;
    let (since, left) = (Instant::now(), player.time_left().await);
    check_left(left, passed.saturating_sub(LIMIT));
    player.answer("in the extra time").await;
    closes_in_time(&mut player, (since, left)).await;
    player.answer("too late").await;
    player.is_refused().await;
    let mut host = game.host(&server).await;
    host.closing().await;
    assert_eq!(host.review().await, ["in the extra time"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_continues_the_break() {
    let (folder, server, game) = started().await;
    let mut player = game.player(&server).await;
    let mut host = game.host(&server).await;
    host.start_break(BREAK, "Drinks").await;
    assert!(player.break_left().await.is_some_and(|left| left + SLACK >= BREAK));
    let begun = Instant::now();
    sleep(BEFORE_THE_KILL).await;
    let (server, passed) = killed(&folder, server, begun).await;
    // The host does not reconnect: the break continues without a host.
    let mut player = game.player(&server).await;
    let left = player.break_left().await.expect("the break goes on");
    assert!(left + SLACK >= FLOOR, "{left:?} left: less than the floor");
    assert!(left < BREAK && left + passed + SLACK >= BREAK, "{left:?} left, {passed:?} before the kill");
    let since = Instant::now();
    while player.break_left().await.is_some() {}
    assert!(since.elapsed() + SLACK >= left, "over after {:?} with {left:?} left", since.elapsed());
    assert!(game.host(&server).await.is_in_lobby().await, "the game is in the same state as before");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_continues_the_autopilot() {
    let (folder, server, game) = started().await;
    let mut player = game.player(&server).await;
    let mut host = game.host(&server).await;
    host.start_autopilot(BREAK).await;
    assert!(player.next_step().await + SLACK >= BREAK);
    let begun = Instant::now();
    sleep(BEFORE_THE_KILL).await;
    let (server, passed) = killed(&folder, server, begun).await;
    // The host does not reconnect: the autopilot continues without a host.
    let mut player = game.player(&server).await;
    let left = player.next_step().await;
    assert!(left + SLACK >= FLOOR, "{left:?} left: less than the floor");
    assert!(left < BREAK && left + passed + SLACK >= BREAK, "{left:?} left, {passed:?} before the kill");
    let since = Instant::now();
    player.release().await;
    assert!(since.elapsed() + SLACK >= left, "released after {:?} with {left:?} left", since.elapsed());
    let (since, left) = (Instant::now(), player.time_left().await);
    closes_in_time(&mut player, (since, left)).await;
}
