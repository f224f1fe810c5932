//! The owner of a game: its single writer. Decides commands, appends the events, and only then lets anything be seen.
//!
//! The output gate: `state` runs ahead of the log, but every effect waits behind the append that makes its cause durable.
//! At most one append is in flight; what arrives meanwhile is the next one. Called by the server's game task and the
//! simulation; never waits, reads no clock, knows no socket.

mod batch;
mod judging;
mod presence;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::{Command, State};

use crate::frames::{FromOwner, ToEdge, ToOwner};
use crate::ids::{EdgeId, Participant, Time};
use crate::log::{Append, AppendOutcome, Head};
use batch::{Batch, Flight};
use judging::Verdict;
use presence::{Attachment, Presence};

/// What an owner is started with: the outcome of a claim.
#[derive(Debug, Clone)]
pub struct OwnerOptions {
    /// The state after every event of the log.
    pub state: State,
    /// The log's last row.
    pub head: Head,
    /// How many events the log has.
    pub next_seq: u64,
    /// Random; the ids of this owner's rows derive from it.
    pub nonce: u64,
    /// How long a player whose socket was lost still counts as here.
    pub lobby_grace: Duration,
}

/// What happens to an owner.
#[derive(Debug)]
pub enum OwnerInput {
    /// A frame of an edge.
    FromEdge(EdgeId, ToOwner),
    /// An edge is gone with all its sockets.
    EdgeGone(EdgeId),
    /// The append in flight ended so.
    Appended(AppendOutcome),
    /// The head that was asked for; `None` when it could not be read.
    HeadRead(Option<Head>),
    /// Time has passed.
    Tick,
}

/// What an owner wants done.
#[derive(Debug, PartialEq)]
pub enum OwnerEffect {
    /// Send a frame to an edge.
    Send(EdgeId, FromOwner),
    /// Write a row; the outcome comes back as [`OwnerInput::Appended`].
    Append(Append),
    /// Read the head of the log, after a pause when the last read or append failed.
    ReadHead {
        /// How long to wait first.
        after: Duration,
    },
    /// Another owner has the game, or it is over for good: forget it. Nothing more comes from here.
    Fenced,
}

/// The owner of one game.
#[derive(Debug)]
pub struct Owner {
    state: State,
    epoch: u64,
    head: Head,
    next_seq: u64,
    nonce: u64,
    rows: u64,
    edges: BTreeSet<EdgeId>,
    presence: Presence,
    building: Batch,
    flight: Option<Flight>,
    next_heartbeat: Time,
    /// When the last input came.
    now: Time,
    fenced: bool,
}

/// How often edges hear from an owner that has nothing to say.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// Replies that may wait behind an append. A node's sockets have one command each on its way, so a healthy store never
/// lets this fill; behind a store that is down it bounds what repeats and returning sockets pile up.
const WAITING_ROOM: usize = 65_536;
/// Pause before a failed append is looked into again.
const RETRY: Duration = Duration::from_millis(250);

impl Owner {
    /// An owner that has claimed its game.
    pub fn new(now: Time, options: OwnerOptions) -> Self {
        let epoch = options.state.epoch();
        let presence = Presence::new(now, epoch, options.lobby_grace, &options.state);
        Self {
            epoch,
            presence,
            head: options.head,
            next_seq: options.next_seq,
            nonce: options.nonce,
            rows: 0,
            edges: BTreeSet::new(),
            building: Batch::default(),
            flight: None,
            next_heartbeat: now + HEARTBEAT,
            now,
            fenced: false,
            state: options.state,
        }
    }

    /// Takes one input. Appends and effects of commands come with the next [`Owner::flush`].
    pub fn step(&mut self, now: Time, input: OwnerInput, effects: &mut Vec<OwnerEffect>) {
        if self.fenced {
            return;
        }
        self.now = now;
        match input {
            OwnerInput::FromEdge(edge, frame) => self.heard(now, edge, frame, effects),
            OwnerInput::EdgeGone(edge) => {
                self.edges.remove(&edge);
                self.presence.edge_gone(now, edge);
            }
            OwnerInput::Appended(outcome) => self.appended(outcome, effects),
            OwnerInput::HeadRead(head) => self.head_read(head, effects),
            OwnerInput::Tick => self.tick(now, effects),
        }
    }

    /// Lets out what may go: called once after a run of inputs, so that they share an append.
    pub fn flush(&mut self, effects: &mut Vec<OwnerEffect>) {
        if self.fenced || self.flight.is_some() {
            return;
        }
        if self.building.events.is_empty() {
            let batch = std::mem::take(&mut self.building);
            self.release(batch, effects);
            return;
        }
        let mut batch = std::mem::take(&mut self.building);
        self.rows += 1;
        let append = Append {
            previous: self.head,
            seq: self.next_seq,
            epoch: self.epoch,
            batch: row_id(self.nonce, self.rows),
            phase: batch.phase_after(&self.state),
            events: std::mem::take(&mut batch.events).into(),
        };
        self.flight = Some(Flight::new(append.clone(), batch, &self.state));
        effects.push(OwnerEffect::Append(append));
    }

    /// When [`OwnerInput::Tick`] is wanted next.
    pub fn next_deadline(&self) -> Time {
        self.presence.next_deadline().map_or(self.next_heartbeat, |leave| leave.min(self.next_heartbeat))
    }

    /// Commands decided and not yet durable, for the waiting room's bound.
    pub fn pending(&self) -> usize {
        self.building.events.len() + self.flight.as_ref().map_or(0, |flight| flight.append.events.len())
    }

    /// How many sockets this owner believes to be attached, over all edges.
    pub fn seat_count(&self) -> usize {
        self.presence.len()
    }

    /// Whether nothing waits for the store.
    pub fn is_idle(&self) -> bool {
        self.flight.is_none() && self.building.events.is_empty()
    }

    fn heard(&mut self, now: Time, edge: EdgeId, frame: ToOwner, effects: &mut Vec<OwnerEffect>) {
        match frame {
            // The store is slow or down and the waiting room full: edges repeat what is not answered.
            ToOwner::Command { .. } | ToOwner::Request { .. } if self.building.out.len() >= WAITING_ROOM => {}
            ToOwner::Hello => {
                self.edges.insert(edge);
                self.building.hellos.insert(edge);
            }
            ToOwner::Attach { connection, participant, prior } => {
                self.edges.insert(edge);
                self.attach(edge, participant, Attachment { edge, connection, prior }, effects);
            }
            ToOwner::Detach { connection, participant, clean } => {
                if let Some(player) = self.presence.detach(now, (edge, connection), participant, clean) {
                    self.decide_for_service(&Command::Leave { player });
                }
                effects.push(self.frame(edge, ToEdge::Detached { connection }));
            }
            ToOwner::Command { connection, participant, .. }
                if !self.presence.holds(participant, (edge, connection)) =>
            {
                // A late repeat must not undo what the participant did over a newer socket. One whose `Attach` is
                // still on its way is sent again.
                if self.presence.was_replaced(participant, (edge, connection)) {
                    effects.push(self.frame(edge, ToEdge::Replaced { connection }));
                }
            }
            ToOwner::Command { connection, participant, stamp, seen, command } => {
                let verdict = self.judge((edge, participant), (stamp, seen), &command);
                let seq = self.speculative_seq();
                self.building.push(
                    edge,
                    match verdict {
                        Verdict::Done => ToEdge::Done { connection, stamp, seq },
                        Verdict::Refused(refusal) => ToEdge::Refused { connection, stamp, refusal, seq },
                        Verdict::Outdated => ToEdge::Outdated { connection, stamp, seq },
                    },
                );
            }
            ToOwner::Request { request, actor, command } => {
                let result = self.decide(actor, None, &command);
                let seq = self.speculative_seq();
                self.building.push(edge, ToEdge::Answer { request, result, seq });
            }
        }
    }

    fn attach(&mut self, edge: EdgeId, participant: Participant, at: Attachment, effects: &mut Vec<OwnerEffect>) {
        let connection = at.connection;
        let seated = self.presence.attach(participant, at);
        if let Some((edge, connection)) = seated.replaced {
            effects.push(self.frame(edge, ToEdge::Replaced { connection }));
        }
        let Some(session) = seated.session else { return };
        effects.push(self.frame(edge, ToEdge::Attached { connection, participant, session }));
        self.decide_for_service(&match participant {
            Participant::Player(player) => Command::Return { player },
            Participant::Host => Command::HostReturn,
        });
    }

    fn appended(&mut self, outcome: AppendOutcome, effects: &mut Vec<OwnerEffect>) {
        match outcome {
            AppendOutcome::Committed => self.committed(effects),
            // Refused: perhaps because an earlier, unanswered attempt had worked. The head tells.
            AppendOutcome::Refused => effects.push(OwnerEffect::ReadHead { after: Duration::ZERO }),
            AppendOutcome::Unknown => effects.push(OwnerEffect::ReadHead { after: RETRY }),
        }
    }

    fn head_read(&mut self, head: Option<Head>, effects: &mut Vec<OwnerEffect>) {
        let Some(flight) = &self.flight else { return };
        match head {
            None => effects.push(OwnerEffect::ReadHead { after: RETRY }),
            Some(head) if head == flight.append.head() => self.committed(effects),
            // Not there: the same row again, chained as before, so that a late success of the first attempt is harmless.
            Some(head) if head == self.head => effects.push(OwnerEffect::Append(flight.append.clone())),
            Some(_) => {
                self.fenced = true;
                effects.push(OwnerEffect::Fenced);
            }
        }
    }

    fn committed(&mut self, effects: &mut Vec<OwnerEffect>) {
        let Some(flight) = self.flight.take() else { return };
        self.head = flight.append.head();
        let first = self.next_seq;
        self.next_seq += flight.append.events.len() as u64;
        for edge in &self.edges {
            let events = Arc::clone(&flight.append.events);
            effects.push(self.frame(*edge, ToEdge::Committed { first, events }));
        }
        if let Some((state, edges)) = flight.snapshot {
            for edge in edges {
                effects.push(self.frame(edge, ToEdge::State { seq: self.next_seq, state: Arc::clone(&state) }));
            }
        }
        for (edge, message) in flight.out {
            effects.push(self.frame(edge, message));
        }
    }

    /// Sends what a batch without events holds; with no append in flight, `state` is the committed state.
    fn release(&mut self, batch: Batch, effects: &mut Vec<OwnerEffect>) {
        if !batch.hellos.is_empty() {
            let state = Arc::new(self.state.clone());
            for edge in batch.hellos {
                effects.push(self.frame(edge, ToEdge::State { seq: self.next_seq, state: Arc::clone(&state) }));
            }
        }
        for (edge, message) in batch.out {
            effects.push(self.frame(edge, message));
        }
    }

    fn tick(&mut self, now: Time, effects: &mut Vec<OwnerEffect>) {
        for participant in self.presence.overdue(now) {
            self.decide_for_service(&match participant {
                Participant::Player(player) => Command::Leave { player },
                Participant::Host => Command::HostLeave,
            });
        }
        if now >= self.next_heartbeat {
            self.next_heartbeat = now + HEARTBEAT;
            for edge in &self.edges {
                effects.push(self.frame(*edge, ToEdge::Heartbeat { seq: self.next_seq }));
            }
            for (edge, connection) in self.presence.evicted() {
                effects.push(self.frame(edge, ToEdge::Replaced { connection }));
            }
        }
    }

    /// Events in the log once everything decided so far is in it.
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
