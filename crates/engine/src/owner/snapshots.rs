//! When an owner asks for a snapshot of its game.
//!
//! Called by `owner`. Counts events; takes no snapshot itself (the edge of its node does, beside the owner) and stores none.

use quizhall_rules::State;

use super::batch::Gate;
use crate::snapshot::{Ahead, SNAPSHOT_AT_END};

/// How far the log is ahead of the latest snapshot. A snapshot that was asked for counts as stored: if it is lost, the next
/// one follows after as many events again.
#[derive(Debug)]
pub(super) struct Snapshots {
    every: u64,
    ahead: Ahead,
}

impl Snapshots {
    /// `every`: the least number of events between two snapshots; `ahead`: the state at the start.
    pub fn new(every: u64, ahead: Ahead) -> Self {
        Self { every, ahead }
    }

    /// Whether a snapshot is due after this row.
    pub fn is_due(&self, gate: &Gate) -> bool {
        let Gate::Append(row) = gate else { return false };
        let events = self.ahead.events + row.weight();
        Ahead { events, ..self.ahead }.is_due(self.every)
    }

    /// Whether the owner must leave a snapshot when it retires.
    pub fn is_due_at_end(&self) -> bool {
        self.ahead.events >= self.every.min(SNAPSHOT_AT_END)
    }

    /// This many events became durable.
    pub fn stored(&mut self, events: u64) {
        self.ahead.events += events;
    }

    /// A snapshot of everything durable was asked for.
    pub fn taken(&mut self, state: &State) {
        self.ahead = Ahead::of(state);
    }
}
