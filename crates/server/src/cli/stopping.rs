//! What Ctrl-C and SIGTERM do to a command that has temporary files: it ends at once, and the files are removed.
//!
//! Called by `cli`, and by the commands themselves around the work that may be stopped.

use anyhow::{Context as _, bail};
use tokio::signal::unix::{SignalKind, signal};

use super::runtime;

/// Runs a command. Does not wait for a thread that reads standard input or writes standard output: the program at the other end
/// may never go on.
pub(super) fn run(command: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let outcome = runtime.block_on(command);
    runtime.shutdown_background();
    outcome
}

/// Runs `work` until Ctrl-C or SIGTERM; then it is dropped, which removes its temporary files.
pub(super) async fn unless_stopped<T, E>(work: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    let mut terminate = signal(SignalKind::terminate()).context("signals cannot be listened to")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("signals cannot be listened to")?;
    tokio::select! {
        done = work => Ok(done?),
        _ = terminate.recv() => bail!("stopped by SIGTERM"),
        _ = interrupt.recv() => bail!("stopped by SIGINT"),
    }
}
