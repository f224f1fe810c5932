//! The owner of a game: its single writer. Decides commands, appends the events, and shows their effects only afterwards.
//!
//! The output gate: `state` is ahead of the log, but every effect waits for the append that makes its cause durable. At most
//! one append is in flight; inputs that arrive meanwhile go into the next one. Called by the server's game task and the
//! simulation; never waits, reads no clock, knows no socket.

mod allowances;
mod batch;
mod bundles;
mod coalescing;
mod gate;
mod given;
mod judging;
mod presence;
mod receiving;
mod snapshots;
mod timers;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::{Expiry, State};

use crate::frames::{FromOwner, ToEdge, ToOwner};
use crate::ids::{EdgeId, Time};
use crate::liveness::Liveness;
use crate::log::{Append, AppendOutcome, Head};
use crate::snapshot::{Ahead, Snapshot};
pub use allowances::LOG_PER_SEAT;
use allowances::LogAllowances;
use batch::{Batch, Flight, Gate};
use coalescing::Coalescing;
use gate::Written;
use presence::Presence;
use snapshots::Snapshots;
use timers::Expiries;

/// The parameters of an owner: the outcome of a claim.
#[derive(Debug, Clone)]
pub struct OwnerOptions {
    /// The state after every event of the log.
    pub state: State,
    /// The same for the edge of this owner's node, when the claim was made without its replica.
    pub for_home: Option<Arc<State>>,
    /// The row of the claim, which is the log's last.
    pub claim: Append,
    /// The edge of this owner's own node.
    pub home: EdgeId,
    /// How many events the log has.
    pub next_seq: u64,
    /// Random; the ids of this owner's rows derive from it.
    pub nonce: u64,
    /// How long a player whose socket was lost still counts as connected.
    pub lobby_grace: Duration,
    /// How often edges are sent a sign of life.
    pub liveness: Liveness,
    /// The least number of events between two snapshots.
    pub snapshot_every: u64,
    /// How far the log is ahead of its latest snapshot.
    pub ahead: Ahead,
    /// Bytes that one phone may add to the log per minute; see [`LOG_PER_SEAT`].
    pub log_per_seat: u32,
}

/// An input of an owner.
#[derive(Debug)]
pub enum OwnerInput {
    /// A frame of an edge.
    FromEdge(EdgeId, ToOwner),
    /// An edge left, with all its sockets.
    EdgeGone(EdgeId),
    /// The outcome of the append in flight.
    Appended(AppendOutcome),
    /// The requested head; `None` when it could not be read.
    HeadRead(Option<Head>),
    /// Announce the new owner to these edges, and to the one of this node. The first input.
    Announce(Vec<EdgeId>),
    /// The database may have been set back: compare the log.
    LookAtLog,
    /// Release the game, to another node or to any.
    Retire {
        /// The node that should claim it.
        to: Option<EdgeId>,
    },
    /// The expiry that the owner had the caller queue: the frames that were queued before it have been handed over.
    Expired(Expiry),
    /// Time has passed.
    Tick,
}

/// What the caller must do.
#[derive(Debug, PartialEq)]
pub enum OwnerEffect {
    /// Send a frame to an edge.
    Send(EdgeId, FromOwner),
    /// Write a row; the outcome comes back as [`OwnerInput::Appended`].
    Append(Append),
    /// Read the head of the log, after a pause if the last read or append failed.
    ReadHead {
        /// How long to wait first.
        after: Duration,
    },
    /// Hand this over as [`OwnerInput::Expired`], after the frames that wait for the owner now.
    Queue(Expiry),
    /// Have the edge of this node make a snapshot of its replica ([`Edge::snapshot`](crate::Edge::snapshot)): copying a large state would
    /// delay the owner. Nothing depends on it, and there is no answer.
    SnapshotDue,
    /// The database was set back; the owner appends its rows again.
    Rewound,
    /// Another owner has the game: drop this one. It has no further effects.
    Fenced,
    /// The last row is written. Put the successor on record, then send these frames. The owner has no further effects, and may leave
    /// a snapshot ([`Owner::into_snapshot`]).
    Retired {
        /// The node that should claim it.
        to: Option<EdgeId>,
        /// The last frames of this owner.
        farewell: Vec<(EdgeId, FromOwner)>,
    },
}

/// The owner of one game.
#[derive(Debug)]
pub struct Owner {
    state: State,
    epoch: u64,
    head: Head,
    home: EdgeId,
    next_seq: u64,
    /// Sent to the edge of this node with the announcement.
    for_home: Option<Arc<State>>,
    written: Written,
    nonce: u64,
    rows: u64,
    edges: BTreeSet<EdgeId>,
    /// Subscribed edges that sent `Unsubscribe` although they have sessions, and nothing else since; with the time of the first.
    doubted: BTreeMap<EdgeId, Time>,
    presence: Presence,
    coalescing: Coalescing,
    allowances: LogAllowances,
    expiries: Expiries,
    snapshots: Snapshots,
    building: Batch,
    flight: Option<Flight>,
    liveness: Liveness,
    next_heartbeat: Time,
    /// The time of the last input.
    now: Time,
    /// Whether rows are being put back into a database that has forgotten them.
    repairing: bool,
    retiring: Option<Retiring>,
    over: bool,
}

/// The owner is releasing the game, with or without a successor.
#[derive(Debug, Clone, Copy)]
struct Retiring {
    to: Option<EdgeId>,
}

impl Owner {
    /// An owner that has claimed its game.
    pub fn new(now: Time, options: OwnerOptions) -> Self {
        let epoch = options.state.epoch();
        let presence = Presence::new(now, epoch, options.lobby_grace, &options.state);
        Self {
            epoch,
            presence,
            coalescing: Coalescing::default(),
            allowances: LogAllowances::new(options.log_per_seat),
            expiries: Expiries::default(),
            snapshots: Snapshots::new(options.snapshot_every, options.ahead),
            head: options.claim.head(),
            home: options.home,
            for_home: options.for_home,
            written: Written::new(now, options.claim),
            next_seq: options.next_seq,
            nonce: options.nonce,
            rows: 0,
            edges: BTreeSet::new(),
            doubted: BTreeMap::new(),
            building: Batch::default(),
            flight: None,
            next_heartbeat: now + options.liveness.heartbeat,
            liveness: options.liveness,
            now,
            repairing: false,
            retiring: None,
            over: false,
            state: options.state,
        }
    }

    /// Takes one input. Appends and the effects of commands come with the next [`Owner::flush`].
    pub fn step(&mut self, now: Time, input: OwnerInput, effects: &mut Vec<OwnerEffect>) {
        if self.over {
            return;
        }
        self.note_sleep(now);
        self.now = now;
        match input {
            OwnerInput::FromEdge(edge, frame) => self.receive(now, edge, frame, effects),
            OwnerInput::EdgeGone(edge) => {
                self.edges.remove(&edge);
                self.doubted.remove(&edge);
                self.presence.edge_gone(now, edge);
            }
            OwnerInput::Appended(outcome) => self.appended(outcome, effects),
            OwnerInput::HeadRead(head) => self.head_read(head, effects),
            OwnerInput::Announce(edges) => self.announce(&edges, effects),
            OwnerInput::LookAtLog => self.building.look = true,
            OwnerInput::Retire { to } => self.retiring = Some(Retiring { to }),
            OwnerInput::Expired(expiry) => self.expire(expiry),
            OwnerInput::Tick => self.tick(now, effects),
        }
    }

    /// Touches the memory that these frames, about [`READ_AHEAD`](crate::READ_AHEAD) of them, will need, like
    /// [`State::read_ahead`].
    pub fn read_ahead<'a>(&self, frames: impl Iterator<Item = &'a ToOwner>) {
        for frame in frames {
            if let ToOwner::Command { participant, .. } = frame
                && let Some(player) = participant.player()
            {
                self.presence.read_ahead(*participant);
                self.state.read_ahead(player);
            }
        }
    }

    /// Starts the append of pending events, or a reading of the head; called once after a series of inputs, which share it.
    pub fn flush(&mut self, effects: &mut Vec<OwnerEffect>) {
        if self.over || self.flight.is_some() {
            return;
        }
        if self.building.is_empty() {
            if let Some(Retiring { to }) = self.retiring {
                self.retire(to, effects);
            }
            return;
        }
        let mut batch = std::mem::take(&mut self.building);
        let gate = if batch.events.is_empty() {
            effects.push(OwnerEffect::ReadHead { after: Duration::ZERO });
            Gate::Look
        } else {
            let row = self.row(&mut batch);
            effects.push(OwnerEffect::Append(row.clone()));
            Gate::Append(row)
        };
        let due = self.snapshots.is_due(&gate);
        self.flight = Some(Flight::new(self.now, gate, batch, due));
    }

    /// When [`OwnerInput::Tick`] is needed next.
    pub fn next_deadline(&self) -> Time {
        // An owner that is retiring decides nothing more, however long its last row takes.
        let own = [self.presence.next_deadline(), self.coalescing.next_deadline(), self.next_of_timers()];
        let own = own.into_iter().flatten().filter(|_| self.retiring.is_none());
        own.fold(self.next_heartbeat, Time::min)
    }

    /// The number of decided commands that are not durable yet.
    pub fn pending_commands(&self) -> u64 {
        self.building.weight() + self.flight.as_ref().map_or(0, Flight::weight)
    }

    /// The number of events that are not durable yet.
    pub fn pending(&self) -> usize {
        self.building.events.len() + self.flight.as_ref().map_or(0, Flight::events)
    }

    /// The snapshot that an owner leaves after [`OwnerEffect::Retired`], to spare the next load a long replay.
    pub fn into_snapshot(self) -> Option<Snapshot> {
        let is_due = self.over && self.is_idle() && self.snapshots.is_due_at_end();
        is_due.then(|| Snapshot { head: self.head, next_seq: self.next_seq, state: Arc::new(self.state) })
    }

    /// How many sockets this owner believes to be attached, over all edges.
    pub fn connection_count(&self) -> usize {
        self.presence.len()
    }

    /// How many participants have their socket on each edge.
    pub fn connections_by_edge(&self) -> Vec<(EdgeId, usize)> {
        self.presence.by_edge().into_iter().collect()
    }

    /// Whether nothing waits for the store.
    pub fn is_idle(&self) -> bool {
        self.flight.is_none() && self.building.is_empty()
    }

    fn tick(&mut self, now: Time, effects: &mut Vec<OwnerEffect>) {
        if self.retiring.is_none() {
            let overdue = self.presence.overdue(now);
            for participant in overdue.into_iter().chain(self.coalescing.due(now)) {
                self.presence_changed(participant);
            }
            self.tick_timers(effects);
        }
        if now >= self.next_heartbeat {
            // An owner whose last heartbeat is a silence ago was suspended, and may no longer own the game: it reads the head first.
            let slept = now + self.liveness.heartbeat >= self.next_heartbeat + self.liveness.silence;
            self.next_heartbeat = now + self.liveness.heartbeat;
            self.coalescing.prune(now);
            for edge in &self.edges {
                let heartbeat = ToEdge::Heartbeat { seq: self.next_seq };
                if slept {
                    self.building.push(*edge, heartbeat);
                } else {
                    effects.push(self.frame(*edge, heartbeat));
                }
            }
            // One reading of the head per second for all of them; none while the store is slow.
            let evicted = self.presence.evicted().filter(|_| self.flight.is_none());
            for (edge, connection) in evicted {
                self.building.push(edge, ToEdge::Replaced { connection });
            }
            self.look_when_quiet();
        }
    }

    fn row(&mut self, batch: &mut Batch) -> Append {
        self.rows += 1;
        Append {
            previous: self.head,
            seq: self.next_seq,
            epoch: self.epoch,
            batch: row_id(self.nonce, self.rows),
            phase: batch.phase_after(&self.state),
            events: std::mem::take(&mut batch.events).into(),
        }
    }

    fn retire(&mut self, to: Option<EdgeId>, effects: &mut Vec<OwnerEffect>) {
        self.over = true;
        let farewell = |edge: &EdgeId| (*edge, FromOwner { epoch: self.epoch, message: ToEdge::Released { to } });
        effects.push(OwnerEffect::Retired { to, farewell: self.edges.iter().map(farewell).collect() });
    }

    /// The number of events in the log once everything decided so far is in it.
    fn speculative_seq(&self) -> u64 {
        self.next_seq + self.pending() as u64
    }

    fn frame(&self, edge: EdgeId, message: ToEdge) -> OwnerEffect {
        OwnerEffect::Send(edge, FromOwner { epoch: self.epoch, message })
    }
}

/// Ids that differ between owners (by nonce) and between rows (by number): the finalizer of a well-known 64-bit mixer.
fn row_id(nonce: u64, row: u64) -> u64 {
    let mut mixed = nonce.wrapping_add(row.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
