//! The contents of one append: events decided together, and all effects that are released once they are durable.

use std::collections::BTreeSet;

use quizhall_rules::{Event, State};

use crate::frames::ToEdge;
use crate::ids::{EdgeId, Time};
use crate::log::{Append, PhaseAfter};

/// Decided events and replies that are not sent to the store yet.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub events: Vec<Event>,
    /// How many commands the events stand for.
    weight: u64,
    /// Replies, in order of decision.
    pub out: Vec<(EdgeId, ToEdge)>,
    /// Edges that wait for the state.
    pub hellos: BTreeSet<EdgeId>,
    pub phase_changed: bool,
    /// Whether the log must be checked even if there is nothing to release.
    pub look: bool,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.out.is_empty() && self.hellos.is_empty() && !self.look
    }

    /// The number of commands that were decided, and of replies.
    pub fn len(&self) -> usize {
        usize::try_from(self.weight).unwrap_or(usize::MAX).saturating_add(self.out.len())
    }

    /// How many commands its events stand for.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    pub fn store(&mut self, event: Event) {
        self.weight += event.change.weight();
        self.events.push(event);
    }

    pub fn push(&mut self, edge: EdgeId, message: ToEdge) {
        self.out.push((edge, message));
    }

    /// The phase after the batch, for the store's projection of the game.
    pub fn phase_after(&self, state: &State) -> Option<PhaseAfter> {
        self.phase_changed.then(|| PhaseAfter { phase: state.phase(), closed: state.is_closed() })
    }
}

/// The condition for releasing a batch.
#[derive(Debug)]
pub(super) enum Gate {
    /// Its row must become durable.
    Append(Append),
    /// The batch has no events: the head of the log must still be this owner's row. Otherwise an owner that was suspended while another
    /// took over would answer from an old state.
    Look,
}

/// A decided batch that is not released yet.
#[derive(Debug)]
pub(super) struct Flight {
    pub gate: Gate,
    pub out: Vec<(EdgeId, ToEdge)>,
    /// Edges that wait for the state: they read it from the log.
    pub readers: BTreeSet<EdgeId>,
    /// Whether a snapshot is due after this batch.
    pub snapshot_due: bool,
    /// When the store was last asked about the batch.
    pub asked_at: Time,
    /// Whether the store was asked again because an answer came late.
    pub asked_again: bool,
}

impl Flight {
    pub fn new(now: Time, gate: Gate, batch: Batch, snapshot_due: bool) -> Self {
        let (out, readers) = (batch.out, batch.hellos);
        Self { gate, out, readers, snapshot_due, asked_at: now, asked_again: false }
    }

    /// Whether its release sends any frame.
    pub fn sends_frames(&self) -> bool {
        !self.out.is_empty() || !self.readers.is_empty() || self.events() > 0
    }

    /// How many commands it makes durable.
    pub fn weight(&self) -> u64 {
        match &self.gate {
            Gate::Append(row) => row.weight(),
            Gate::Look => 0,
        }
    }

    /// How many events it makes durable.
    pub fn events(&self) -> usize {
        match &self.gate {
            Gate::Append(row) => row.events.len(),
            Gate::Look => 0,
        }
    }
}
