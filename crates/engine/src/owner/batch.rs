//! What shares an append: events decided together, and everything that may be told once they are durable.

use std::collections::BTreeSet;
use std::sync::Arc;

use quizhall_rules::{Event, State};

use crate::frames::ToEdge;
use crate::ids::EdgeId;
use crate::log::{Append, PhaseAfter};

/// Decided, not yet sent to the store.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub events: Vec<Event>,
    /// Replies, in order of decision.
    pub out: Vec<(EdgeId, ToEdge)>,
    /// Edges that wait for the whole state.
    pub hellos: BTreeSet<EdgeId>,
    pub phase_changed: bool,
}

impl Batch {
    pub fn push(&mut self, edge: EdgeId, message: ToEdge) {
        self.out.push((edge, message));
    }

    /// What the store's projection of the game has to become.
    pub fn phase_after(&self, state: &State) -> Option<PhaseAfter> {
        self.phase_changed.then(|| PhaseAfter { phase: state.phase(), closed: state.is_closed() })
    }
}

/// Sent to the store, outcome open. What it holds is let out only after the commit.
#[derive(Debug)]
pub(super) struct Flight {
    pub append: Append,
    pub out: Vec<(EdgeId, ToEdge)>,
    /// The state after this row and nothing later, with the edges that wait for it.
    pub snapshot: Option<(Arc<State>, BTreeSet<EdgeId>)>,
}

impl Flight {
    /// `state` must be the state right after the row's last event: this is called before anything else is decided.
    pub fn new(append: Append, batch: Batch, state: &State) -> Self {
        let snapshot = (!batch.hellos.is_empty()).then(|| (Arc::new(state.clone()), batch.hellos));
        Self { append, out: batch.out, snapshot }
    }
}
