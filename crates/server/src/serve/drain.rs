//! The stop, step by step with time limits (promise 11): fail the readiness probe, wait, close every socket, write the
//! rest, end.
//!
//! Started by `serve::start`'s token. Each step has a time limit; a step that is stuck is left, and the next begins.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock;

use super::Forced;
use super::accept::Acceptor;

/// The task that accepts connections, and how it is stopped.
pub(super) struct Accepting {
    pub(super) stop: CancellationToken,
    pub(super) task: JoinHandle<()>,
    pub(super) acceptor: Acceptor,
}

/// Waits for `stop`, and then stops the service in order. Returns when it has stopped. The tasks in the background work until the
/// database closes: afterwards they could only report that it is away.
pub(super) async fn when_stopped(
    app: Arc<App>,
    stop: CancellationToken,
    accepting: Accepting,
    mut background: JoinSet<()>,
) {
    stop.cancelled().await;
    let times = app.config.drain.clone();
    // Everything works until load balancers have seen /readyz fail.
    app.health.drain();
    tracing::info!(sockets = app.sockets.count(), "draining");
    let begun = clock::now();
    // Games move to other nodes at once; the sockets here follow them over the bus until they are closed.
    tokio::join!(sleep(lame_duck(&app)), app.cluster.drain());
    let Accepting { stop, task, acceptor } = accepting;
    stop.cancel();
    let _ = task.await;
    acceptor.closing.cancel();
    acceptor.tasks.close();
    // A slow hand-over takes its time from here, and not from the end, for which others wait.
    let spread = (times.lame_duck + times.spread).saturating_sub(clock::since(begun));
    let gone = async { tokio::join!(app.sockets.drain(spread), acceptor.tasks.wait()) };
    if timeout(spread, gone).await.is_err() {
        tracing::warn!(sockets = app.sockets.count(), "some connections were not closed in time");
    }
    let flushed = timeout(times.flush, async {
        app.registry.shutdown().await;
        app.cluster.leave().await;
        background.shutdown().await;
        app.health.stop().await;
        app.store.close().await;
    });
    if flushed.await.is_err() {
        tracing::warn!("the last writes took too long; nothing of them was acknowledged");
    }
    tracing::info!("stopped");
}

/// How long everything still works. Zero when nothing can be lost: no socket is open, and no load balancer spreads
/// requests over this node and others.
fn lame_duck(app: &App) -> Duration {
    let is_idle = app.sockets.count() == 0 && !app.config.is_cluster();
    if is_idle { Duration::ZERO } else { app.config.drain.lame_duck }
}

/// Ends the process with [`Forced::EXIT_CODE`] when the stop takes too long: a step that blocks a thread must not use
/// up the grace period of the signal's sender. Everything acknowledged is on disk at every moment, so nothing is lost.
pub(super) fn guard_deadline(whole: Duration) {
    // A stop within its time limits ends long before; without this thread only the safety net is missing.
    let _ = thread::Builder::new().name("deadline".to_owned()).spawn(move || {
        pause(whole);
        tracing::error!("the stop took too long; ending now");
        // A thread of its own writes the log and needs a moment.
        pause(Duration::from_millis(100));
        end_now();
    });
}

/// Blocks a thread that has nothing else to do, independent of any runtime.
#[allow(clippy::disallowed_methods, reason = "this thread exists to wait, whatever has become of the runtime")]
fn pause(duration: Duration) {
    thread::sleep(duration);
}

#[allow(clippy::disallowed_methods, reason = "main cannot return: something it waits for is stuck")]
fn end_now() {
    std::process::exit(Forced::EXIT_CODE.into());
}
