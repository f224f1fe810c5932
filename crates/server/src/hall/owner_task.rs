//! Runs the owner of one game: frames in, appends and frames out.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, Owner, OwnerEffect, OwnerInput, OwnerOptions, ToOwner};
use quizhall_rules::{GameId, Phase};
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::appender::{Appender, Job};
use super::registry::Clockwork;
use crate::bus::Bus;
use crate::clock;
use crate::store::{self, PhaseChange, Store};

/// Frames taken in one go: they share an append.
const BATCH: usize = 4_096;

pub(super) struct OwnerTask {
    pub game: GameId,
    pub owner: OwnerOptions,
    pub inbox: mpsc::Receiver<(EdgeId, ToOwner)>,
    pub bus: Arc<dyn Bus>,
    pub store: Arc<dyn Store>,
    pub appender: Appender,
    pub clockwork: Clockwork,
}

/// Why an owner stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Somebody else has the game.
    Fenced,
    /// The game left memory, or the node stops.
    Stopped,
}

impl OwnerTask {
    /// Runs until the game is fenced or its mailbox is closed and nothing is left to write.
    pub async fn run(mut self) -> Ending {
        let mut owner = Owner::new(self.clockwork.now(), self.owner.clone());
        let (replies, mut outcomes) = mpsc::channel(4);
        let (heads, mut heads_read) = mpsc::channel(4);
        let (mut frames, mut effects) = (Vec::with_capacity(64), Vec::new());
        let mut open = true;
        while open || !owner.is_idle() {
            let until_tick = owner.next_deadline().saturating_sub(self.clockwork.now());
            let now = || self.clockwork.now();
            tokio::select! {
                biased;
                Some(outcome) = outcomes.recv() => owner.step(now(), OwnerInput::Appended(outcome), &mut effects),
                Some(head) = heads_read.recv() => owner.step(now(), OwnerInput::HeadRead(head), &mut effects),
                received = self.inbox.recv_many(&mut frames, BATCH), if open => {
                    open = received > 0;
                    for (edge, frame) in frames.drain(..) {
                        owner.step(now(), OwnerInput::FromEdge(edge, frame), &mut effects);
                    }
                }
                () = sleep(until_tick) => owner.step(now(), OwnerInput::Tick, &mut effects),
            }
            // Under constant load the sleep above is never reached.
            if owner.next_deadline() <= now() {
                owner.step(now(), OwnerInput::Tick, &mut effects);
            }
            owner.flush(&mut effects);
            for effect in effects.drain(..) {
                match effect {
                    OwnerEffect::Send(edge, frame) => self.bus.to_edge(self.game, edge, frame),
                    OwnerEffect::Append(append) => self.append(&append, &replies).await,
                    OwnerEffect::ReadHead { after } => self.read_head(after, heads.clone()),
                    OwnerEffect::Fenced => return Ending::Fenced,
                }
            }
        }
        Ending::Stopped
    }

    async fn append(&self, append: &Append, replies: &mpsc::Sender<AppendOutcome>) {
        let row = row_of(self.game, append);
        self.appender.append(Job { row, reply: replies.clone() }).await;
    }

    /// In a task of its own, so that the owner keeps listening while the store is slow.
    fn read_head(&self, after: Duration, heads: mpsc::Sender<Option<Head>>) {
        let (store, game) = (Arc::clone(&self.store), self.game);
        tokio::spawn(async move {
            sleep(after).await;
            let head = match store.head(game).await {
                Ok(head) => head.map(|head| Head { seq: head.seq, batch: head.batch }),
                Err(error) => {
                    tracing::warn!(%error, "reading the head of a log failed");
                    None
                }
            };
            let _ = heads.send(head).await;
        });
    }
}

/// The engine's row as the store writes it.
pub(super) fn row_of(game: GameId, append: &Append) -> store::Append {
    let body = serde_json::to_string(&*append.events).expect("events have string keys and cannot fail to serialize");
    store::Append {
        game,
        previous: store::Head { seq: append.previous.seq, batch: append.previous.batch },
        seq: append.seq,
        count: u32::try_from(append.events.len()).expect("a batch is bounded by the mailbox"),
        epoch: append.epoch,
        batch: append.batch,
        body,
        phase: append.phase.map(|after| PhaseChange {
            phase: after.phase,
            ended_at_ms: (after.phase == Phase::Ended || after.closed).then(clock::unix_ms),
            closed: after.closed,
        }),
    }
}
