//! `ws::reaper`: sockets that are closed for the sake of others, or because their time is over.

use std::time::Duration;

use quizhall::games::Sink as _;
use quizhall::ws::reaper::parts_of;
use quizhall_engine::FrameKind;

use super::ws_line::{Line, sockets, text};

#[tokio::test]
async fn past_the_budget_those_longest_behind_go_first() {
    let sockets = sockets(&[("OUTBOUND_BUDGET", "1MiB")]);
    let mut lines = Vec::new();
    for _ in 0..6 {
        let line = Line::open(&sockets).await;
        line.clog(&sockets);
        lines.push(line);
    }
    // Each may have 256 KiB, and six times that is more than the budget.
    for round in 0..25 {
        for line in &lines {
            line.connection.send(text(&format!("r{round}"), 8_000), FrameKind::Queued);
        }
        tokio::task::yield_now().await;
    }
    let end = tokio::time::Instant::now() + Duration::from_secs(20);
    while sockets.stats().queued_bytes > 1 << 20 {
        assert!(tokio::time::Instant::now() < end);
        tokio::task::yield_now().await;
    }
    // A socket that is closed takes nothing more.
    let is_closed = |line: &Line| {
        let before = sockets.stats().queued_bytes;
        line.connection.send(text("more", 0), FrameKind::Queued);
        sockets.stats().queued_bytes == before
    };
    let closed: Vec<bool> = lines.iter().map(is_closed).collect();
    assert!(closed[0], "the first to fall behind is closed");
    assert!(!closed[5], "the last is not");
    assert!(closed.is_sorted_by(|earlier, later| earlier >= later), "in the order of falling behind: {closed:?}");
    lines[0].closed("slow_consumer").await;
}

#[tokio::test]
async fn a_socket_ends_with_its_token() {
    let sockets = sockets(&[]);
    let mut stays = Line::open(&sockets).await;
    let mut ends = Line::until(&sockets, sockets.now().plus(Duration::from_millis(30))).await;
    ends.closed("unauthorized").await;
    stays.connection.send(text("still here", 0), FrameKind::Queued);
    stays.received("still here").await;
}

#[test]
fn a_sweep_over_many_sockets_is_made_in_parts() {
    let half = Duration::from_millis(500);
    for (sockets, parts) in [(0, 1), (256, 1), (2_560, 10), (100_000, 64)] {
        assert_eq!(parts_of(sockets, half), parts, "{sockets} sockets");
    }
    assert_eq!(parts_of(100_000, Duration::from_millis(5)), 1, "no finer than timers are");
}
