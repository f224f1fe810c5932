//! A game's log as the engine sees it: rows of events, each chained to the row before it.
//!
//! The chain is the lock: a row is accepted only after the row that its writer believes to be the last
//! (`ARCHITECTURE.md`, "The log is the lock"). The store executes this; the engine only reacts to its answers.

use quizhall_rules::{Event, Phase};
use std::sync::Arc;

/// The last row of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Head {
    /// Sequence number of the row's first event.
    pub seq: u64,
    /// The row's random id.
    pub batch: u64,
}

/// A row to write after `previous`.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// The row that must be the last one.
    pub previous: Head,
    /// Sequence number of the first event of this row.
    pub seq: u64,
    /// The owner's epoch.
    pub epoch: u64,
    /// This row's random id.
    pub batch: u64,
    /// The events, at least one.
    pub events: Arc<[Event]>,
    /// The game's phase after the row, when the row changes it.
    pub phase: Option<PhaseAfter>,
}

impl Append {
    /// The head of the log once this row is in it.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, batch: self.batch }
    }

    /// How many events the log has once this row is in it.
    pub fn end(&self) -> u64 {
        self.seq + self.events.len() as u64
    }

    /// How many commands its events stand for.
    pub fn weight(&self) -> u64 {
        weight_of(&self.events)
    }

    /// The ids of the row before it and of this row.
    pub(crate) fn chain(&self) -> (u64, u64) {
        (self.previous.batch, self.batch)
    }
}

/// How many commands these events stand for.
pub(crate) fn weight_of(events: &[Event]) -> u64 {
    events.iter().map(|event| event.change.weight()).sum()
}

/// The phase of the game after the row, for the store's projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseAfter {
    /// The phase after the row.
    pub phase: Phase,
    /// Whether the game is closed (deleted or abandoned).
    pub closed: bool,
}

/// The outcome of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The row is durable.
    Committed,
    /// The chain did not match: another owner wrote, or the row was already stored.
    Refused,
    /// No answer, or an error: the row may or may not be stored. Resolved by reading the log, never by writing again unchecked.
    Unknown,
}
