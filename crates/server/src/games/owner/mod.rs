//! Runs the owner of one game: takes frames and orders, and produces appends and frames.

mod batching;
mod expiries;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_engine::{
    Append, AppendOutcome, EdgeId, FromOwner, Head, Owner, OwnerEffect, OwnerInput, OwnerOptions, READ_AHEAD, ToOwner,
};
use quizhall_rules::GameId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use self::batching::BatchingDelay;
use self::expiries::Expiries;
use crate::cluster::bus::{Bus as _, Router};
use crate::games::live::Live;
use crate::games::log::appender::{Appender, Job};
use crate::games::log::outage::Outage;
use crate::games::log::row::{head_of, row_of};
use crate::games::log::snapshots::Snapshots;
use crate::games::node::Clockwork;
use crate::games::records::Records;
use crate::store::{self, StoreError};
use crate::telemetry::metrics;

/// Most frames taken at once: they share an append.
const BATCH: usize = 4_096;

pub(in crate::games) struct OwnerTask {
    pub live: Arc<Live>,
    pub snapshots: Arc<Snapshots>,
    pub inbox: mpsc::Receiver<(EdgeId, ToOwner)>,
    pub orders: mpsc::Receiver<OwnerInput>,
    /// Questions which edges have how many sockets of the game; the supervisor may have stopped waiting for the answer.
    pub counts: mpsc::Receiver<oneshot::Sender<Vec<(EdgeId, usize)>>>,
    pub bus: Arc<Router>,
    pub records: Arc<Records>,
    pub appender: Appender,
    pub clockwork: Clockwork,
}

/// The outcome of reading the head of a log.
type HeadRead = Result<Option<store::Head>, StoreError>;

/// The head for the engine, if it could be read. An owner tries again four times a second.
fn head_known(outage: &Outage, game: GameId, read: HeadRead) -> Option<Head> {
    let (head, error) = match read {
        Ok(Some(head)) => (Some(head_of(head)), None),
        // An owner has written to its log, so a log without a row has lost rows.
        Ok(None) => (None, Some(StoreError::Corrupt("the log is empty"))),
        Err(error) => (None, Some(error)),
    };
    let is_change = outage.note(error.is_some());
    match error {
        Some(error) if is_change => {
            tracing::warn!(%game, %error, "the head of a log cannot be read; trying again until it can");
        }
        None if is_change => tracing::info!(%game, "the head of a log can be read again"),
        _ => {}
    }
    head
}

/// Why an owner stopped.
#[derive(Debug)]
pub(in crate::games) enum Ending {
    /// Another owner has the game.
    Fenced,
    /// It has written everything and released the game; the frames must be sent once the successor is recorded.
    Retired { to: Option<EdgeId>, farewell: Vec<(EdgeId, FromOwner)> },
}

impl OwnerTask {
    /// Runs until the game is fenced or released.
    pub async fn run(mut self, options: OwnerOptions) -> Ending {
        let mut owner = Owner::new(self.clockwork.now(), options);
        let (replies, mut outcomes) = mpsc::channel(4);
        let (heads, mut heads_read) = mpsc::channel(4);
        let (mut frames, mut effects) = (Vec::with_capacity(64), Vec::new());
        let mut batching = BatchingDelay::default();
        let outage = Outage::default();
        let mut expiries = Expiries::default();
        loop {
            let tick_at = batching.deadline().map_or(owner.next_deadline(), |at| at.min(owner.next_deadline()));
            let tick_at = if expiries.is_next_due() { Duration::ZERO } else { tick_at };
            let until_tick = tick_at.saturating_sub(self.clockwork.now());
            let now = || self.clockwork.now();
            tokio::select! {
                biased;
                Some(outcome) = outcomes.recv() => {
                    batching.append_ended(now());
                    owner.step(now(), OwnerInput::Appended(outcome), &mut effects);
                }
                Some(read) = heads_read.recv() => {
                    owner.step(now(), OwnerInput::HeadRead(head_known(&outage, self.live.id, read)), &mut effects);
                }
                Some(order) = self.orders.recv() => owner.step(now(), order, &mut effects),
                Some(reply) = self.counts.recv() => drop(reply.send(owner.connections_by_edge())),
                received = self.inbox.recv_many(&mut frames, BATCH), if !self.inbox.is_closed() || !self.inbox.is_empty() => {
                    // Frames of a node that was removed from the list meanwhile would add sockets that are never
                    // removed.
                    expiries.note_taken(received);
                    let (mut frames, now) = (frames.drain(..), now());
                    while let next @ [_, ..] = frames.as_slice() {
                        let some = next.len().min(READ_AHEAD);
                        owner.read_ahead(next[..some].iter().map(|(_, frame)| frame));
                        for (edge, frame) in frames.by_ref().take(some).filter(|(edge, _)| self.bus.accepts_from(*edge)) {
                            owner.step(now, OwnerInput::FromEdge(edge, frame), &mut effects);
                        }
                    }
                }
                () = sleep(until_tick) => owner.step(now(), OwnerInput::Tick, &mut effects),
            }
            // Under constant load the sleep above is never reached.
            if owner.next_deadline() <= now() {
                owner.step(now(), OwnerInput::Tick, &mut effects);
            }
            while let Some(expiry) = expiries.next() {
                owner.step(now(), OwnerInput::Expired(expiry), &mut effects);
            }
            if !batching.should_wait(now(), owner.pending_commands()) {
                owner.flush(&mut effects);
            }
            self.live.connections.store(owner.connection_count(), Ordering::Relaxed);
            for effect in effects.drain(..) {
                match effect {
                    OwnerEffect::Send(edge, frame) => self.bus.to_edge(self.live.id, edge, frame),
                    OwnerEffect::Append(append) => {
                        batching.append_started(append.weight());
                        self.append(&append, &replies).await;
                    }
                    OwnerEffect::ReadHead { after } => self.read_head(after, heads.clone()),
                    OwnerEffect::Queue(expiry) => expiries.queue(expiry, self.inbox.len()),
                    OwnerEffect::Snapshot(snapshot) => self.snapshots.offer(self.live.id, snapshot),
                    OwnerEffect::Rewound => {
                        metrics::database_rewound();
                        tracing::error!("the database has forgotten what it had stored; its rows are put back");
                    }
                    OwnerEffect::Fenced => return Ending::Fenced,
                    OwnerEffect::Retired { to, farewell } => return Ending::Retired { to, farewell },
                }
            }
        }
    }

    async fn append(&self, append: &Append, replies: &mpsc::Sender<AppendOutcome>) {
        let row = row_of(self.live.id, append);
        self.appender.append(Job { row, reply: replies.clone() }).await;
    }

    /// Reads the head in a task of its own, so that the owner continues while the store is slow.
    fn read_head(&self, after: Duration, heads: mpsc::Sender<HeadRead>) {
        let (records, game) = (Arc::clone(&self.records), self.live.id);
        tokio::spawn(async move {
            if !after.is_zero() {
                sleep(after).await;
            }
            let read = records.head(game).await;
            // The owner may have ended by now.
            let _ = heads.send(read).await;
        });
    }
}
