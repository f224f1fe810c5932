//! The messages to other nodes: a bounded queue for each, and a task that empties it while it holds messages.
//!
//! Used by `games` through the trait `Remote`. There is no timer: the messages that arrive while one batch is written
//! form the next. Never keeps anything for later: a batch that cannot be written is lost together with all messages
//! after it, which would arrive after a gap, and later than the repair of that gap.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use quizhall_engine::EdgeId;
use redis::cmd;
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use super::encode::{Encoded, Encoder};
use super::inbox;
use super::line::Line;
use crate::cluster::bus::{BusError, BusMessage, Remote};
use crate::telemetry::metrics;

/// Most bytes that wait for one node; further messages are lost. A larger message may wait if it is the only one.
const MOST_BYTES: usize = 8 * 1_048_576;
const MOST_MESSAGES: usize = 65_536;

/// Most bytes of one entry of a stream. A larger message has an entry of its own.
const BATCH: usize = 65_536;

/// Most bytes of a message.
const LARGEST: usize = 16 * 1_048_576;

/// How long writing a batch may take, including waiting for a connection.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The pause after a failure.
const PAUSE: Duration = Duration::from_millis(100);

/// A task without work ends after this time.
const IDLE: Duration = Duration::from_secs(10);

/// The queues of all other nodes.
pub(super) struct Outbox {
    line: Arc<Line>,
    runtime: Handle,
    encoder: Encoder,
    lanes: Mutex<Lanes>,
    /// Signals whenever a lane has become empty.
    settled: watch::Sender<()>,
    myself: Weak<Self>,
}

#[derive(Default)]
struct Lanes {
    by_node: HashMap<EdgeId, Lane>,
    opened: u64,
}

/// The queue to one node.
struct Lane {
    /// Distinguishes it from a later one to the same node.
    number: u64,
    waiting: VecDeque<Encoded>,
    bytes: usize,
    writing: bool,
    added: Arc<Notify>,
}

/// The content of one entry.
struct Batch {
    messages: usize,
    body: Vec<u8>,
}

/// The next work of a lane's task.
enum Next {
    Write(Batch),
    Wait,
    End,
}

impl Outbox {
    pub(super) fn new(line: Arc<Line>, runtime: Handle) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            line,
            runtime,
            encoder: Encoder::default(),
            lanes: Mutex::default(),
            settled: watch::Sender::default(),
            myself: myself.clone(),
        })
    }

    /// Waits until the queues are empty.
    pub(super) async fn flush(&self) {
        let mut settled = self.settled.subscribe();
        // It fails only when this outbox is dropped.
        while !self.is_empty() && settled.changed().await.is_ok() {}
    }

    fn is_empty(&self) -> bool {
        self.lanes().by_node.values().all(|lane| lane.waiting.is_empty() && !lane.writing)
    }

    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, to: EdgeId, message: Encoded) -> bool {
        let mut lanes = self.lanes();
        let Lanes { by_node, opened } = &mut *lanes;
        let lane = by_node.entry(to).or_insert_with(|| {
            *opened += 1;
            let lane = Lane::new(*opened);
            let task = carry(self.myself.clone(), to, lane.number, Arc::clone(&lane.added));
            self.runtime.spawn(task);
            lane
        });
        lane.put(message)
    }

    /// Chooses the next work for the task of this lane.
    fn next(&self, node: EdgeId, number: u64) -> Next {
        let mut lanes = self.lanes();
        let Some(lane) = lanes.by_node.get_mut(&node).filter(|lane| lane.number == number) else { return Next::End };
        lane.writing = !lane.waiting.is_empty();
        if lane.writing {
            return Next::Write(lane.take());
        }
        self.settled.send_replace(());
        Next::Wait
    }

    /// Ends an empty lane.
    fn retire(&self, node: EdgeId, number: u64) {
        let mut lanes = self.lanes();
        if lanes.by_node.get(&node).is_some_and(|lane| lane.number == number && lane.waiting.is_empty()) {
            lanes.by_node.remove(&node);
        }
    }

    async fn write(&self, node: EdgeId, number: u64, batch: Batch) {
        let mut add = cmd("XADD");
        add.arg(inbox::key(node)).arg("NOMKSTREAM").arg(inbox::BOUND).arg("*").arg(inbox::BATCH).arg(&batch.body);
        let added: Result<Option<String>, BusError> = self.line.command(&add, TIMEOUT).await;
        match added {
            Ok(Some(_)) => metrics::bus_sent(batch.messages),
            // The stream does not exist: no node has this inbox now.
            Ok(None) => metrics::bus_frames_lost(batch.messages),
            Err(_) => {
                metrics::bus_frames_lost(batch.messages + self.lose(node, number));
                sleep(PAUSE).await;
            }
        }
    }

    /// Drops the messages of a lane; returns how many they were.
    fn lose(&self, node: EdgeId, number: u64) -> usize {
        let mut lanes = self.lanes();
        let lane = lanes.by_node.get_mut(&node).filter(|lane| lane.number == number);
        lane.map_or(0, |lane| {
            lane.bytes = 0;
            std::mem::take(&mut lane.waiting).len()
        })
    }
}

impl Remote for Outbox {
    fn send(&self, to: EdgeId, message: BusMessage) {
        let taken = match self.encoder.encode(&message) {
            Some(encoded) => encoded.len() <= LARGEST && self.put(to, encoded),
            None => false,
        };
        if !taken {
            metrics::bus_frame_lost();
        }
    }

    fn forget(&self, node: EdgeId) {
        let lane = self.lanes().by_node.remove(&node);
        if let Some(lane) = lane {
            lane.added.notify_one();
            metrics::bus_frames_lost(lane.waiting.len());
            self.settled.send_replace(());
        }
        let traffic = Arc::clone(&self.line);
        self.runtime.spawn(async move { inbox::remove(&traffic, node).await });
    }
}

impl Lane {
    fn new(number: u64) -> Self {
        Self { number, waiting: VecDeque::new(), bytes: 0, writing: false, added: Arc::default() }
    }

    fn put(&mut self, message: Encoded) -> bool {
        let full = self.waiting.len() >= MOST_MESSAGES || self.bytes + message.len() > MOST_BYTES;
        if full && !self.waiting.is_empty() {
            return false;
        }
        self.bytes += message.len();
        self.waiting.push_back(message);
        if self.waiting.len() == 1 {
            self.added.notify_one();
        }
        true
    }

    /// Takes as many messages as fit into one entry, and at least one.
    fn take(&mut self) -> Batch {
        let mut batch = Batch { messages: 0, body: Vec::new() };
        while let Some(message) = self.waiting.front() {
            if batch.messages > 0 && batch.body.len() + message.len() > BATCH {
                break;
            }
            self.bytes -= message.len();
            batch.body.extend_from_slice(message);
            batch.messages += 1;
            self.waiting.pop_front();
        }
        batch
    }
}

/// The task of one lane. It holds the outbox only while it has work.
async fn carry(outbox: Weak<Outbox>, node: EdgeId, number: u64, added: Arc<Notify>) {
    while let Some(strong) = outbox.upgrade() {
        match strong.next(node, number) {
            Next::Write(batch) => strong.write(node, number, batch).await,
            Next::End => return,
            Next::Wait => {
                drop(strong);
                if timeout(IDLE, added.notified()).await.is_err()
                    && let Some(outbox) = outbox.upgrade()
                {
                    outbox.retire(node, number);
                }
            }
        }
    }
}
