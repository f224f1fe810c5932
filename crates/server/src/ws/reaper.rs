//! The connection reaper: one task watches all sockets (pings, deadlines, tokens that expire, the budget). No socket
//! has a timer of its own.
//!
//! Started by `registry`. A sweep takes up to a microsecond per socket, twice a second by default. With many sockets it
//! is divided into parts with pauses between them, because every task that waits for this core would wait for the whole
//! sweep.

use std::sync::{Arc, Weak};
use std::time::Duration;

use quizhall_protocol::{CloseCode, frame};
use tokio::time::sleep;

use crate::config::SocketLimits;
use crate::games::Sink as _;

use super::budget::Budget;
use super::connection::{Connection, Standing};
use super::queue::Key;
use super::registry::{SHARDS, Shared};
use crate::moment::Moment;

/// Approximate number of sockets that are checked without a pause.
const AT_ONCE: usize = 256;
/// The least pause between two parts of a sweep: timers are no finer than a millisecond.
const REST: Duration = Duration::from_millis(4);

/// Runs until the registry is dropped.
pub(super) async fn run(shared: Weak<Shared>, budget: Arc<Budget>) {
    let Some(pause) = shared.upgrade().map(|shared| pause(&shared.limits)) else { return };
    // The shards that come next, and the number of parts of this sweep.
    let (mut next, mut parts) = (0, 1);
    loop {
        tokio::select! {
            () = sleep(pause / u32::try_from(parts).unwrap_or(1)) => {
                let Some(shared) = shared.upgrade() else { return };
                let now = shared.now();
                let end = (next + SHARDS.div_ceil(parts)).min(SHARDS);
                for shard in next..end {
                    shared.each_in(shard, |connection| check(connection, &shared, now));
                }
                next = end % SHARDS;
                parts = parts_of(shared.count(), pause);
            }
            () = budget.exceeded.notified() => {}
        }
        let Some(shared) = shared.upgrade() else { return };
        shed(&shared);
    }
}

/// The number of parts of a sweep over this many sockets, one every `pause`: 1 to 64, and never so many that less than
/// 4 ms would lie between two.
pub fn parts_of(sockets: usize, pause: Duration) -> usize {
    let most = usize::try_from(pause.as_millis() / REST.as_millis()).unwrap_or(SHARDS);
    sockets.div_ceil(AT_ONCE).clamp(1, most.clamp(1, SHARDS))
}

/// An eighth of the shortest deadline: a deadline may be late by that much.
fn pause(limits: &SocketLimits) -> Duration {
    let deadlines =
        [limits.ping_interval, limits.pong_timeout, limits.write_timeout, limits.message_timeout, limits.close_timeout];
    let shortest = deadlines.into_iter().min().unwrap_or_default();
    (shortest / 8).clamp(Duration::from_millis(5), Duration::from_millis(500))
}

fn check(connection: &Connection, shared: &Shared, now: Moment) {
    let limits = &shared.limits;
    match connection.standing() {
        Standing::Lost => return,
        Standing::Closing(since) => {
            if now.since(since) > limits.close_timeout {
                connection.abandon();
            }
            return;
        }
        Standing::Waiting { moved, .. } if now.since(moved) > limits.write_timeout => {
            return connection.close(CloseCode::SlowConsumer.into());
        }
        Standing::Waiting { .. } | Standing::Flowing => {}
    }
    let watch = &connection.watch;
    if now >= watch.expires {
        return connection.close(CloseCode::Unauthorized.into());
    }
    if !watch.is_paused() {
        let begun = watch.begun.get();
        if !begun.is_never() && now.since(begun) > limits.message_timeout {
            return connection.close(CloseCode::ReadTimeout.into());
        }
        let (pinged, received) = (watch.pinged.get(), watch.received.get());
        if !pinged.is_never() && received < pinged && now.since(pinged) > limits.pong_timeout {
            return connection.close(CloseCode::PingTimeout.into());
        }
    }
    if now >= watch.ping_due.get() {
        ping(connection, shared, now);
    }
}

/// Sends a new ping only when the last one was answered, because its deadline must not move.
fn ping(connection: &Connection, shared: &Shared, now: Moment) {
    let watch = &connection.watch;
    watch.ping_due.set(shared.next_ping(now));
    let answered = watch.pinged.get().is_never() || watch.received.get() >= watch.pinged.get();
    if answered {
        watch.note_ping(now);
        connection.push(frame::ping(), Key::Ping);
    }
}

/// Beyond the budget, closes the sockets that have been behind the longest, until a tenth of it is free again.
fn shed(shared: &Shared) {
    if !shared.budget.is_exceeded() {
        return;
    }
    let mut behind = Vec::new();
    shared.each(|connection| {
        if let Standing::Waiting { since, .. } = connection.standing() {
            behind.push((since, Arc::clone(connection)));
        }
    });
    behind.sort_by_key(|(since, _)| *since);
    let enough = shared.budget.limit() / 10 * 9;
    let mut closed = 0_usize;
    for (_, connection) in behind {
        if shared.budget.used() <= enough {
            break;
        }
        connection.close(CloseCode::SlowConsumer.into());
        closed += 1;
    }
    if closed > 0 {
        tracing::warn!(closed, "outbound budget exceeded; the slowest sockets were closed");
    }
}
