//! Runs the owner of one game: takes frames and orders, and produces appends and frames.

pub mod batching;
pub mod expiries;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_engine::{
    Append, AppendOutcome, EdgeId, FromOwner, Head, Owner, OwnerEffect, OwnerInput, OwnerOptions, READ_AHEAD, Time,
    ToOwner,
};
use quizhall_rules::GameId;
use tokio::sync::{mpsc, oneshot};
use tokio::task::coop::consume_budget;
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

/// The most frames that are read from the inbox at once.
const BATCH: usize = 4_096;
/// How long the owner decides frames before it looks at its other inputs again, such as the outcome of its append. The last frame may take
/// longer: a bundle of 4,096 answers takes some milliseconds.
const TURN: Duration = Duration::from_millis(5);

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

/// An owner, and what its task keeps for it.
struct Running {
    owner: Owner,
    /// Frames that were taken from the inbox and not decided yet, the next one last.
    frames: Vec<(EdgeId, ToOwner)>,
    batching: BatchingDelay,
    expiries: Expiries,
    outage: Outage,
}

/// What an owner's task does next.
enum Turn {
    Appended(AppendOutcome),
    HeadRead(HeadRead),
    Ordered(OwnerInput),
    Counted(oneshot::Sender<Vec<(EdgeId, usize)>>),
    /// Frames are here.
    Frames,
    Tick,
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
        let mut running = Running {
            owner: Owner::new(self.clockwork.now(), options),
            frames: Vec::with_capacity(64),
            batching: BatchingDelay::default(),
            expiries: Expiries::default(),
            outage: Outage::default(),
        };
        let (replies, mut outcomes) = mpsc::channel(4);
        let (heads, mut heads_read) = mpsc::channel(4);
        let mut effects = Vec::new();
        loop {
            let until_tick = running.next_tick().saturating_sub(self.clockwork.now());
            let frames = &mut running.frames;
            let turn = tokio::select! {
                biased;
                Some(outcome) = outcomes.recv() => Turn::Appended(outcome),
                Some(read) = heads_read.recv() => Turn::HeadRead(read),
                Some(order) = self.orders.recv() => Turn::Ordered(order),
                Some(reply) = self.counts.recv() => Turn::Counted(reply),
                () = consume_budget(), if !frames.is_empty() => Turn::Frames,
                _ = self.inbox.recv_many(frames, BATCH), if frames.is_empty() && !is_over(&self.inbox) => {
                    frames.reverse();
                    Turn::Frames
                }
                () = sleep(until_tick) => Turn::Tick,
            };
            let begun = self.clockwork.now();
            self.take(begun, turn, &mut running, &mut effects);
            self.live.connections.store(running.owner.connection_count(), Ordering::Relaxed);
            for effect in effects.drain(..) {
                match effect {
                    OwnerEffect::Send(edge, frame) => self.bus.to_edge(self.live.id, edge, frame),
                    OwnerEffect::Append(append) => {
                        running.batching.append_started(append.weight());
                        self.live.log_may_end(append.end());
                        self.append(&append, &replies).await;
                    }
                    OwnerEffect::ReadHead { after } => self.read_head(after, heads.clone()),
                    OwnerEffect::Queue(expiry) => {
                        running.expiries.queue(expiry, self.inbox.len() + running.frames.len());
                    }
                    OwnerEffect::SnapshotDue if self.live.request_snapshot() => {}
                    OwnerEffect::SnapshotDue => metrics::snapshot("dropped"),
                    OwnerEffect::Rewound => {
                        metrics::database_rewound();
                        tracing::error!("the database has forgotten what it had stored; its rows are put back");
                    }
                    OwnerEffect::Fenced => return Ending::Fenced,
                    OwnerEffect::Retired { to, farewell } => {
                        if let Some(snapshot) = running.owner.into_snapshot() {
                            self.snapshots.offer(self.live.id, snapshot);
                        }
                        return Ending::Retired { to, farewell };
                    }
                }
            }
            metrics::owner_busy(self.clockwork.now().saturating_sub(begun));
        }
    }

    /// Gives the owner its next inputs and everything that is due.
    fn take(&self, begun: Time, turn: Turn, running: &mut Running, effects: &mut Vec<OwnerEffect>) {
        let Running { owner, batching, outage, .. } = running;
        match turn {
            Turn::Appended(outcome) => {
                batching.append_ended(begun);
                owner.step(begun, OwnerInput::Appended(outcome), effects);
            }
            Turn::HeadRead(read) => {
                owner.step(begun, OwnerInput::HeadRead(head_known(outage, self.live.id, read)), effects);
            }
            Turn::Ordered(order) => owner.step(begun, order, effects),
            Turn::Counted(reply) => drop(reply.send(owner.connections_by_edge())),
            Turn::Frames => running.take_frames(|| self.clockwork.now(), |edge| self.bus.accepts_from(edge), effects),
            Turn::Tick => owner.step(begun, OwnerInput::Tick, effects),
        }
        let Running { owner, batching, expiries, .. } = running;
        let now = || self.clockwork.now();
        // Under constant load the tick is never reached.
        if owner.next_deadline() <= now() {
            owner.step(now(), OwnerInput::Tick, effects);
        }
        while let Some(expiry) = expiries.next_due() {
            owner.step(now(), OwnerInput::Expired(expiry), effects);
        }
        if !batching.should_wait(now(), owner.pending_commands()) {
            owner.flush(effects);
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

impl Running {
    /// When there is something to do without another input.
    fn next_tick(&self) -> Time {
        let next = self.owner.next_deadline();
        let next = self.batching.deadline().map_or(next, |at| at.min(next));
        if self.expiries.is_next_due() { Time::ZERO } else { next }
    }

    /// Has the owner decide frames until the time of a turn is over. The others stay for the next one.
    fn take_frames(
        &mut self,
        now: impl Fn() -> Time,
        is_accepted: impl Fn(EdgeId) -> bool,
        effects: &mut Vec<OwnerEffect>,
    ) {
        let Self { owner, frames, expiries, .. } = self;
        let (begun, mut taken) = (now(), 0);
        for_one_turn(frames, now, |(edge, frame), after| {
            if taken % READ_AHEAD == 0 {
                owner.read_ahead(after.iter().rev().take(READ_AHEAD).map(|(_, frame)| frame));
            }
            taken += 1;
            // Frames of a node that was removed from the list meanwhile would add sockets that are never removed.
            if is_accepted(edge) {
                owner.step(begun, OwnerInput::FromEdge(edge, frame), effects);
            }
        });
        expiries.note_taken(taken);
    }
}

/// Whether the inbox will never have another frame.
fn is_over<T>(inbox: &mpsc::Receiver<T>) -> bool {
    inbox.is_closed() && inbox.is_empty()
}

/// Takes frames, which are kept in reverse, one after the other until the time of a turn (5 ms) is over; the first is always taken.
/// `decide` is given each with those that come after it, in reverse.
pub fn for_one_turn<T>(reversed: &mut Vec<T>, now: impl Fn() -> Time, mut decide: impl FnMut(T, &[T])) {
    let until = now() + TURN;
    while let Some(frame) = reversed.pop() {
        decide(frame, reversed);
        if now() >= until {
            break;
        }
    }
}
