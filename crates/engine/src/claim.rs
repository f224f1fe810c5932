//! Becoming the owner of a game: read its log, append `Claimed` after it, and only then serve (rule 1 of "The log is the lock").
//!
//! Called by the server when a game is needed that has no owner yet, and by the simulation. Does no IO itself.

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::{Change, Event, ReplayError, State};
use uuid::Uuid;

use crate::edge::StoredState;
use crate::ids::{EdgeId, Time};
use crate::liveness::Liveness;
use crate::log::{Append, Head};
use crate::owner::OwnerOptions;
use crate::snapshot::{Ahead, Snapshot};

/// A row read from the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The row's place and id.
    pub head: Head,
    /// The row's events.
    pub events: Vec<Event>,
}

/// A log that was read to its end.
#[derive(Debug, Clone)]
pub struct Claim {
    state: State,
    head: Head,
    next_seq: u64,
    ahead: Ahead,
    /// Whether it is the replica of the edge on this node.
    is_replica: bool,
}

/// The parameters of an owner besides its log.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The edge of its own node.
    pub home: EdgeId,
    /// Random; the ids of its rows derive from it.
    pub nonce: u64,
    /// How long a player whose socket was lost still counts as connected.
    pub lobby_grace: Duration,
    /// How often edges are sent a sign of life.
    pub liveness: Liveness,
    /// The least number of events between two snapshots; see [`SNAPSHOT_EVERY`](crate::SNAPSHOT_EVERY).
    pub snapshot_every: u64,
    /// Bytes that one phone may add to the log per minute; see [`LOG_PER_SEAT`](crate::LOG_PER_SEAT).
    pub log_per_seat: u32,
}

/// Why a log cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// There is no such game.
    #[error("the log is empty")]
    Empty,
    /// A row is missing or does not follow the one before.
    #[error("the log has a gap before event {0}")]
    Gap(u64),
    /// A row does not hold the events that it should.
    #[error("the row of the log that begins with event {0} cannot be read")]
    Unreadable(u64),
    /// The events do not form a game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The log was repeatedly set back or replaced while it was read. Another attempt may succeed.
    #[error("the log changed while it was read")]
    Moved,
}

impl Claim {
    pub(crate) fn new((state, head, next_seq): (State, Head, u64), ahead: Ahead) -> Self {
        Self { state, head, next_seq, ahead, is_replica: false }
    }

    /// The log as the edge of this node has it ([`Edge::replica`](crate::Edge::replica)); `None` when the edge does not know its
    /// last row. Only the append of the claim shows whether the log goes on after that row.
    pub fn of_replica(replica: StoredState) -> Option<Self> {
        let StoredState { seq, head, ahead, state } = replica;
        head.map(|head| Self { is_replica: true, ..Self::new((state, head, seq), ahead) })
    }

    /// A snapshot of the state that was read, when at least `every` events were replayed, to spare the next load those events. They
    /// then no longer count as replayed.
    pub fn take_snapshot(&mut self, every: u64) -> Option<Snapshot> {
        if !self.ahead.is_due(every) {
            return None;
        }
        self.ahead = Ahead::of(&self.state);
        Some(Snapshot { head: self.head, next_seq: self.next_seq, state: Arc::new(self.state.clone()) })
    }

    /// The last row that was read.
    pub fn head(&self) -> Head {
        self.head
    }

    /// How many events the log has, up to the last row that was read.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// How many events were replayed after the latest snapshot.
    pub fn replayed(&self) -> u64 {
        self.ahead.events
    }

    /// The state that was read.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state that was read, for an edge.
    pub fn into_stored(self) -> StoredState {
        let Self { state, head, next_seq, ahead, .. } = self;
        StoredState { seq: next_seq, head: Some(head), ahead, state }
    }

    /// The row that makes this node the owner, if no other row has followed the last one when it arrives.
    pub fn row(&self, node: Uuid, batch: u64) -> Append {
        let epoch = self.state.epoch() + 1;
        let event = Event::new(Change::Claimed { epoch, node }, None);
        Append { previous: self.head, seq: self.next_seq, epoch, batch, events: Arc::new([event]), phase: None }
    }

    /// The options of the owner, once the row is durable. Timers continue from now.
    pub fn won(mut self, now: Time, row: Append, start: Start) -> OwnerOptions {
        for event in row.events.iter() {
            self.state.apply_at(event, now.into());
        }
        let next_seq = self.next_seq + row.events.len() as u64;
        let Start { home, nonce, lobby_grace, liveness, snapshot_every, log_per_seat } = start;
        let Ahead { events, worth } = self.ahead;
        let ahead = Ahead { events: events + row.weight(), worth };
        let for_home = (!self.is_replica).then(|| Arc::new(self.state.clone()));
        let (state, claim) = (self.state, row);
        OwnerOptions {
            state,
            for_home,
            claim,
            home,
            next_seq,
            nonce,
            lobby_grace,
            liveness,
            snapshot_every,
            ahead,
            log_per_seat,
        }
    }
}
