//! The one task that appends to logs: takes everything the games have ready, writes it in one transaction, tells each owner.
//!
//! While one commit runs the next batch gathers, so group commit grows with load; where many games write, commits keep a
//! distance as well. Never cancelled in the middle of a commit; an error means "unknown" to every owner of the batch, who
//! find out by reading.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use quizhall_engine::AppendOutcome;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::clock;
use crate::store::{Append, Outcome, Store, StoreError};
use crate::telemetry::metrics;

/// Rows in one transaction: more games than this share the next.
const MOST_ROWS: usize = 1_024;
/// Rows waiting; every live game has at most one, so the queue holds as many games as a node may have writing at once.
const QUEUE: usize = 16_384;

/// From the beginning of one commit to that of the next, when the one holds rows of several games: hundreds of games whose
/// players answer one by one would have a commit for every two of them. A game alone waits for nobody.
const APART: Duration = Duration::from_millis(1);

/// A row, and where its outcome goes.
pub(super) struct Job {
    pub row: Append,
    pub reply: mpsc::Sender<AppendOutcome>,
}

/// Where owners put their rows.
#[derive(Clone)]
pub(super) struct Appender {
    jobs: mpsc::Sender<Job>,
}

impl Appender {
    /// Starts the task; it ends when every `Appender` is gone and the queue is empty.
    pub fn start(store: Arc<dyn Store>) -> Self {
        let (jobs, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(run(store, receiver));
        Self { jobs }
    }

    /// Queues a row.
    pub async fn append(&self, job: Job) {
        // The task outlives every sender.
        let _ = self.jobs.send(job).await;
    }
}

async fn run(store: Arc<dyn Store>, mut receiver: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(MOST_ROWS);
    let (mut begun, mut rows) = (clock::now(), 0);
    while receiver.recv_many(&mut jobs, MOST_ROWS).await > 0 {
        if let Some(pause) = pause_behind(rows, clock::since(begun)) {
            sleep(pause).await;
            while jobs.len() < MOST_ROWS
                && let Ok(job) = receiver.try_recv()
            {
                jobs.push(job);
            }
        }
        (begun, rows) = (clock::now(), jobs.len());
        commit(&*store, jobs.drain(..)).await;
    }
}

/// How long the next commit waits behind one of so many rows that began so long ago.
fn pause_behind(rows: usize, begun: Duration) -> Option<Duration> {
    let together = rows > 1;
    APART.checked_sub(begun).filter(|pause| together && !pause.is_zero())
}

async fn commit(store: &dyn Store, jobs: impl Iterator<Item = Job>) {
    let (rows, replies): (Vec<_>, Vec<_>) = jobs.map(|job| (job.row, job.reply)).unzip();
    let (count, events) = (rows.len(), rows.iter().map(|row| row.count as usize).sum());
    let begun = clock::now();
    // A panic in the store is an unknown outcome like any other; the task must outlive it.
    let appended = AssertUnwindSafe(store.append(rows)).catch_unwind().await;
    let outcomes = match appended.unwrap_or(Err(StoreError::Corrupt("the store panicked"))) {
        Ok(outcomes) => {
            metrics::commit_observed(store.engine(), clock::since(begun), (count, events));
            outcomes.into_iter().map(known).collect()
        }
        Err(error) => {
            metrics::commit_failed();
            tracing::error!(%error, rows = count, "appending to the log failed");
            vec![AppendOutcome::Unknown; count]
        }
    };
    for (reply, outcome) in replies.into_iter().zip(outcomes) {
        // An owner has one append in flight and room for its outcome; a stopped one needs none.
        let _ = reply.try_send(outcome);
    }
}

fn known(outcome: Outcome) -> AppendOutcome {
    match outcome {
        Outcome::Committed => AppendOutcome::Committed,
        Outcome::Refused => {
            metrics::append_refused();
            AppendOutcome::Refused
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_alone_waits_for_nobody() {
        assert_eq!(pause_behind(0, Duration::ZERO), None, "before the first");
        assert_eq!(pause_behind(1, Duration::ZERO), None);
    }

    #[test]
    fn behind_rows_of_several_games_a_commit_keeps_its_distance() {
        assert_eq!(pause_behind(2, Duration::ZERO), Some(APART));
        assert_eq!(pause_behind(9, APART / 4), Some(APART * 3 / 4));
        assert_eq!(pause_behind(9, APART), None, "far enough");
        assert_eq!(pause_behind(9, APART * 5), None);
    }
}
