//! The output gate: effects of events are released after their append is durable, all other effects after reading the head of the log.
//!
//! Called by `owner` with the store's answers. Holds all that an owner knows about its log: the last row, the rows that it has
//! written recently, and what to do when the log differs (`ARCHITECTURE.md`, "The log is the lock").

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::batch::{Flight, Gate};
use super::{Owner, OwnerEffect};
use crate::frames::ToEdge;
use crate::ids::{EdgeId, Time};
use crate::log::{Append, AppendOutcome, Head};

/// The pause before the outcome of a failed append is checked again.
const RETRY: Duration = Duration::from_millis(250);
/// The most rows kept for a database that loses acknowledged rows.
const KEPT: usize = 256;
/// The most events in them.
const KEPT_EVENTS: u64 = 16_384;
/// After this long without a reading, the head of the log is read. The list of nodes reveals a database that was set back only when
/// a renewal was lost too; the loss of rows younger than the last renewal would otherwise go unnoticed.
const QUIET: Duration = Duration::from_secs(10);

/// The rows that this owner has written, newest last; the first of all is its claim.
#[derive(Debug)]
pub(super) struct Written {
    rows: VecDeque<Append>,
    events: u64,
    /// When the log last confirmed all of them.
    confirmed_at: Time,
}

/// The head of the log, as seen by an owner.
enum Found {
    /// Its row in flight is the last.
    InFlight,
    /// Its last durable row is the last, as it should be.
    Last,
    /// An earlier row of its own is the last: the database was set back. This row must follow.
    Earlier(Append),
    /// A row of another owner is the last.
    Foreign,
}

impl Written {
    pub fn new(now: Time, claim: Append) -> Self {
        Self { events: claim.weight(), rows: VecDeque::from([claim]), confirmed_at: now }
    }

    fn push(&mut self, row: Append) {
        self.events += row.weight();
        self.rows.push_back(row);
        while self.rows.len() > KEPT || self.events > KEPT_EVENTS && self.rows.len() > 1 {
            let oldest = self.rows.pop_front();
            self.events -= oldest.map_or(0, |row| row.weight());
        }
    }

    /// The row that followed this one.
    fn behind(&self, head: Head) -> Option<&Append> {
        self.rows.iter().find(|row| row.previous == head)
    }
}

impl Owner {
    /// Sends the claim, which is an append like any other: an edge that has the log up to it is complete and knows the new owner. When the
    /// claim was made without the replica of this node's edge, that edge is first sent the state.
    pub(super) fn announce(&mut self, edges: &[EdgeId], effects: &mut Vec<OwnerEffect>) {
        if let Some(state) = self.for_home.take() {
            effects.push(self.frame(self.home, ToEdge::State { seq: self.next_seq, head: self.head, state }));
        }
        let Some(claim) = self.written.rows.front() else { return };
        for edge in edges.iter().chain([&self.home]) {
            let committed =
                ToEdge::Committed { first: claim.seq, chain: Some(claim.chain()), events: Arc::clone(&claim.events) };
            effects.push(self.frame(*edge, committed));
        }
    }

    /// Requests a reading of the head after a quiet period without appends.
    pub(super) fn look_when_quiet(&mut self) {
        let asking = self.flight.is_some() || self.retiring.is_some();
        self.building.look |= !asking && self.now >= self.written.confirmed_at + QUIET;
    }

    pub(super) fn appended(&mut self, outcome: AppendOutcome, effects: &mut Vec<OwnerEffect>) {
        match outcome {
            AppendOutcome::Committed if self.repairing => self.look(Duration::ZERO, effects),
            AppendOutcome::Committed => self.release_or_look(effects),
            // Refused, perhaps because an earlier attempt without an answer had worked: the head decides.
            AppendOutcome::Refused => self.look(Duration::ZERO, effects),
            AppendOutcome::Unknown => self.look(RETRY, effects),
        }
    }

    fn look(&mut self, after: Duration, effects: &mut Vec<OwnerEffect>) {
        self.ask(OwnerEffect::ReadHead { after }, effects);
    }

    fn ask(&mut self, question: OwnerEffect, effects: &mut Vec<OwnerEffect>) {
        if let Some(flight) = &mut self.flight {
            flight.asked_at = self.now;
        }
        effects.push(question);
    }

    pub(super) fn head_read(&mut self, head: Option<Head>, effects: &mut Vec<OwnerEffect>) {
        let Some(flight) = &self.flight else { return };
        let Some(head) = head else { return self.look(RETRY, effects) };
        match self.found(head, flight) {
            Found::InFlight => self.release_or_look(effects),
            Found::Last => match &flight.gate {
                // The row is missing: it is sent again, chained as before, so that a late success of the first attempt is harmless.
                Gate::Append(row) => {
                    let row = row.clone();
                    self.repairing = false;
                    self.ask(OwnerEffect::Append(row), effects);
                }
                Gate::Look => self.release_or_look(effects),
            },
            Found::Earlier(row) => {
                if !self.repairing {
                    effects.push(OwnerEffect::Rewound);
                }
                self.repairing = true;
                self.ask(OwnerEffect::Append(row), effects);
            }
            Found::Foreign => {
                self.over = true;
                effects.push(OwnerEffect::Fenced);
            }
        }
    }

    fn found(&self, head: Head, flight: &Flight) -> Found {
        if let Gate::Append(row) = &flight.gate
            && row.head() == head
        {
            return Found::InFlight;
        }
        if head == self.head {
            return Found::Last;
        }
        self.written.behind(head).map_or(Found::Foreign, |row| Found::Earlier(row.clone()))
    }

    /// Releases the batch in flight, unless the store's answer took longer than a silence: it may have been queued while this node was
    /// suspended and another took over, and edges would treat the frames as recent. Then the head is read once more; an answer that is
    /// as slow again is accepted.
    fn release_or_look(&mut self, effects: &mut Vec<OwnerEffect>) {
        let (now, silence) = (self.now, self.liveness.silence);
        let Some(flight) = &mut self.flight else { return };
        if now >= flight.asked_at + silence && flight.sends_frames() && !flight.asked_again {
            flight.asked_again = true;
            return self.look(Duration::ZERO, effects);
        }
        self.release(effects);
    }

    /// Releases the batch in flight: it is durable, or confirmed by the log.
    fn release(&mut self, effects: &mut Vec<OwnerEffect>) {
        let Some(flight) = self.flight.take() else { return };
        self.repairing = false;
        self.written.confirmed_at = self.now;
        if let Gate::Append(row) = flight.gate {
            self.head = row.head();
            let first = self.next_seq;
            self.next_seq += row.events.len() as u64;
            self.snapshots.stored(row.weight());
            for edge in &self.edges {
                let (events, chain) = (Arc::clone(&row.events), Some(row.chain()));
                effects.push(self.frame(*edge, ToEdge::Committed { first, chain, events }));
            }
            self.written.push(row);
        }
        for edge in flight.readers {
            effects.push(self.frame(edge, ToEdge::Stored { seq: self.next_seq }));
        }
        for (edge, message) in flight.out {
            effects.push(self.frame(edge, message));
        }
        if flight.snapshot_due {
            self.snapshots.taken(&self.state);
            effects.push(OwnerEffect::SnapshotDue);
        }
    }
}
