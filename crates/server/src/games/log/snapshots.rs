//! The one task that stores snapshots: one at a time, without delaying the commits of answers.
//!
//! Called by `edge` (snapshots that owners request), `owner` (when it ends) and `reading` (after a long replay). Nothing depends on a
//! snapshot: one that finds no room, or fails, is dropped, and the next one follows after as many events again.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::{SNAPSHOT_FORMAT, Snapshot};
use quizhall_rules::GameId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::outage::Outage;
use crate::store::{self, Store, StoreError};
use crate::telemetry::metrics;

/// The largest sum of waiting states, in events ([`quizhall_rules::State::weight`]) of some 300 bytes each. A larger
/// state waits by itself.
const ROOM: u32 = 65_536;
/// Most snapshots that wait.
const QUEUE: usize = 1_024;

/// A state, and its share of the room.
struct Job {
    game: GameId,
    snapshot: Snapshot,
    _room: OwnedSemaphorePermit,
}

/// The queue into which snapshots are put.
pub(in crate::games) struct Snapshots {
    jobs: mpsc::Sender<Job>,
    room: Arc<Semaphore>,
}

impl Snapshots {
    /// Starts the task; it ends with the last `Snapshots`.
    pub fn start(store: Arc<Store>) -> Self {
        let (jobs, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(run(store, receiver));
        Self { jobs, room: Arc::new(Semaphore::new(ROOM as usize)) }
    }

    /// Queues a snapshot to be stored when there is time; drops it when too much waits.
    pub fn offer(&self, game: GameId, snapshot: Snapshot) {
        let worth = u32::try_from(snapshot.state.weight()).unwrap_or(ROOM).clamp(1, ROOM);
        let room = Arc::clone(&self.room).try_acquire_many_owned(worth);
        let queued = room.ok().and_then(|room| self.jobs.try_send(Job { game, snapshot, _room: room }).ok());
        if queued.is_none() {
            metrics::snapshot("dropped");
        }
    }

    /// Waits until the queue is empty, but at most `at_most`.
    pub async fn settle(&self, at_most: Duration) {
        // Snapshots not stored by then are not needed.
        let _ = timeout(at_most, self.room.acquire_many(ROOM)).await;
    }
}

async fn run(store: Arc<Store>, mut jobs: mpsc::Receiver<Job>) {
    let outage = Outage::default();
    while let Some(Job { game, snapshot, _room }) = jobs.recv().await {
        let stored = put(&store, game, snapshot).await;
        metrics::snapshot(if stored.is_ok() { "stored" } else { "failed" });
        let is_change = outage.note(stored.is_err());
        match stored {
            Err(error) if is_change => tracing::warn!(%game, %error, "a snapshot could not be stored"),
            Ok(()) if is_change => tracing::info!("snapshots are stored again"),
            _ => {}
        }
    }
}

async fn put(store: &Store, game: GameId, snapshot: Snapshot) -> Result<(), StoreError> {
    let (head, next_seq) = (store::Head { seq: snapshot.head.seq, batch: snapshot.head.batch }, snapshot.next_seq);
    let body = spawn_blocking(move || snapshot.encode()).await.ok().flatten();
    let body = body.ok_or(StoreError::Corrupt("a state does not survive its encoding"))?;
    store.put_snapshot(game, store::Snapshot { head, next_seq, format: SNAPSHOT_FORMAT, body }).await
}
