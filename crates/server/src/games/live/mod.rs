//! The state that a live game shares between its tasks and its handles.

pub mod attached;
pub(super) mod handle;
pub(super) mod jobs;
pub(super) mod sink;
pub mod writers;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use quizhall_engine::claim::Claim;
use quizhall_engine::{OwnerHere, RouteInput};
use quizhall_rules::{GameId, HostId};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::attached::Attached;
use self::jobs::{Job, Order};
use crate::games::options::GameOptions;
use crate::store::{GameRow, Hold};

/// Jobs of sockets and handlers that a game has not read yet; when it is full, senders wait.
const JOBS: usize = 4_096;
/// Most commands over HTTP that wait for one game. Joins have a queue of their own in front (`limits/join_limits.rs`), so
/// they never take all of it.
const REQUESTS: usize = 4_096;
/// Orders that a supervisor has not read yet.
const ORDERS: usize = 256;
/// How long a claim waits for the edge; reading the log of a small game takes less.
const EDGE: Duration = Duration::from_millis(500);

pub(in crate::games) struct Live {
    pub id: GameId,
    pub code: String,
    pub host: HostId,
    /// The last hold on the game before it was loaded, which was over: what was purged or rewritten then is not in memory.
    pub after: Option<Hold>,
    /// No other node writes to it.
    pub alone: bool,
    pub idle_after: Duration,
    /// How long a read may wait for the state.
    pub time_limit: Duration,
    pub jobs: mpsc::Sender<Job>,
    pub orders: mpsc::Sender<Order>,
    pub attached: Attached,
    /// Commands that may wait before new ones are refused.
    pub waiting_room: usize,
    /// Room for commands that come over HTTP.
    pub requests: Semaphore,
    pub stop: CancellationToken,
    /// Cancelled when the tasks of the game have ended: then it may be loaded again.
    pub ended: CancellationToken,
    pub phase: AtomicUsize,
    pub waiting: AtomicUsize,
    /// The epoch of the owner here; zero when it is elsewhere or there is none.
    owned: AtomicU64,
    /// How many events the log may hold according to the owner here, those of its append in flight included.
    log_end: AtomicU64,
    /// The newest epoch in a frame of an owner on another node.
    pub owner_elsewhere: watch::Sender<u64>,
    /// Sockets on all nodes, as far as an owner here knows.
    pub connections: AtomicUsize,
    /// Whether it ended because its log cannot be read.
    is_damaged: AtomicBool,
    /// Whether it is marked as damaged in the database and has not been read yet.
    pub was_damaged: AtomicBool,
}

/// The receiving ends.
pub(in crate::games) struct Inboxes {
    pub jobs: mpsc::Receiver<Job>,
    pub orders: mpsc::Receiver<Order>,
}

/// A game without connections.
pub(in crate::games) fn begin(
    row: GameRow,
    after: Option<Hold>,
    options: &GameOptions,
    alone: bool,
) -> (Arc<Live>, Inboxes) {
    let (jobs, job_inbox) = mpsc::channel(JOBS);
    let (orders, order_inbox) = mpsc::channel(ORDERS);
    let live = Live {
        id: row.id,
        code: row.code,
        host: row.host,
        after,
        alone,
        idle_after: options.idle_after,
        time_limit: options.command_timeout,
        jobs,
        orders,
        attached: Attached::default(),
        waiting_room: options.waiting_room,
        requests: Semaphore::new(REQUESTS.min(options.waiting_room)),
        stop: CancellationToken::new(),
        ended: CancellationToken::new(),
        phase: AtomicUsize::new(row.phase as usize),
        waiting: AtomicUsize::new(0),
        owned: AtomicU64::new(0),
        log_end: AtomicU64::new(0),
        owner_elsewhere: watch::Sender::new(0),
        connections: AtomicUsize::new(0),
        is_damaged: AtomicBool::new(false),
        was_damaged: AtomicBool::new(row.damaged),
    };
    (Arc::new(live), Inboxes { jobs: job_inbox, orders: order_inbox })
}

impl Live {
    /// Whether the game was loaded after this hold was over.
    pub fn is_later_than(&self, hold: &Hold) -> bool {
        self.after.is_some_and(|after| {
            after.held_at_ms > hold.held_at_ms || (after.holder, after.held_at_ms) == (hold.holder, hold.held_at_ms)
        })
    }

    /// Whether the game accepts jobs; a game that has just ended may still be in the registry.
    pub fn is_open(&self) -> bool {
        !self.stop.is_cancelled() && !self.jobs.is_closed()
    }

    pub fn is_owned(&self) -> bool {
        self.owned_epoch().is_some()
    }

    /// The epoch of the owner, if it is here.
    pub fn owned_epoch(&self) -> Option<u64> {
        Some(self.owned.load(Ordering::Relaxed)).filter(|epoch| *epoch > 0)
    }

    /// Records that the owner is here from now on. Epochs begin at one.
    pub fn owner_starts(&self, epoch: u64) {
        self.owned.store(epoch, Ordering::Relaxed);
    }

    /// Records that the log may hold this many events; called before they are given to the store.
    pub fn log_may_end(&self, at: u64) {
        self.log_end.store(at, Ordering::Release);
    }

    /// The owner, if it is here, as the edge has to know it before a socket is attached.
    pub fn owner_here(&self) -> Option<OwnerHere> {
        let log_end = if self.alone { 0 } else { self.log_end.load(Ordering::Acquire) };
        self.owned_epoch().map(|epoch| OwnerHere { epoch, log_end })
    }

    /// Whether an owner here has sockets, on any node. An owner that was just dismissed may still record some for a
    /// moment.
    pub fn is_in_use(&self) -> bool {
        self.is_owned() && self.connections.load(Ordering::Relaxed) > 0
    }

    /// Records that the owner has moved. The edge retransmits unacknowledged commands anyway; this only makes it
    /// faster.
    pub fn owner_moved(&self) {
        let _ = self.jobs.try_send(Job::OwnerMoved);
    }

    pub fn no_owner(&self) {
        self.owned.store(0, Ordering::Relaxed);
        self.log_end.store(0, Ordering::Relaxed);
        self.connections.store(0, Ordering::Relaxed);
    }

    /// The log as the edge here has it; none when the edge does not know its last row, or does not answer soon. The log may go on
    /// after that; then the next row is refused, as after any append of another writer.
    pub async fn claim_of_edge(&self) -> Option<Claim> {
        let (reply, replica) = oneshot::channel();
        self.jobs.try_send(Job::Replica(reply)).ok()?;
        timeout(EDGE, replica).await.ok()?.ok()?.and_then(Claim::of_replica)
    }

    /// Has the edge here make a snapshot; returns whether its queue had room.
    pub fn request_snapshot(&self) -> bool {
        self.jobs.try_send(Job::Snapshot).is_ok()
    }

    /// Sends the supervisor an input for its route; returns whether its queue had room.
    pub fn notify_supervisor(&self, input: RouteInput) -> bool {
        self.orders.try_send(Order::Route(input)).is_ok()
    }

    /// Ends this game's tasks here because its log cannot be read; its sockets are closed with 1011.
    pub fn end_damaged(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
        self.stop.cancel();
    }

    /// Whether it ended because of damage.
    pub fn ended_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }
}
