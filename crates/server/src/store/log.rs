//! Rows of a game's log, as `hall` writes and reads them. Their bodies hold answers and names: never printed.

use std::fmt;

use quizhall_rules::{GameId, Phase};

/// The last row of a log: what the next row must name as its predecessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Head {
    /// Number of the row's first event.
    pub seq: u64,
    /// The row's random name.
    pub batch: u64,
}

/// A row to append.
#[derive(Clone)]
pub struct Append {
    /// Whose log.
    pub game: GameId,
    /// The row this one follows.
    pub previous: Head,
    /// Number of the first event: the predecessor's number plus the events it holds.
    pub seq: u64,
    /// How many events the row holds, at least 1.
    pub count: u32,
    /// The writer's epoch.
    pub epoch: u64,
    /// A random name for this row, by which its writer knows it again.
    pub batch: u64,
    /// A JSON array of events.
    pub body: String,
    /// What changes in the game's line, in the same transaction.
    pub phase: Option<PhaseChange>,
}

/// What the line of a game says after a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseChange {
    /// The phase after the row.
    pub phase: Phase,
    /// When the game ended, if it has; a time already stored is kept.
    pub ended_at_ms: Option<i64>,
    /// Deleted or abandoned: cannot be found any more.
    pub closed: bool,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the log, durably.
    Committed,
    /// The log does not end where its writer thought: nothing of the row was written.
    Refused,
}

/// A row read back.
#[derive(Clone, PartialEq, Eq)]
pub struct LogRow {
    /// Number of the first event.
    pub seq: u64,
    /// How many events.
    pub count: u32,
    /// The writer's epoch.
    pub epoch: u64,
    /// The row's random name.
    pub batch: u64,
    /// A JSON array of events.
    pub body: String,
}

impl fmt::Debug for Append {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Append")
            .field("game", &self.game)
            .field("previous", &self.previous)
            .field("seq", &self.seq)
            .field("count", &self.count)
            .field("epoch", &self.epoch)
            .field("batch", &self.batch)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for LogRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LogRow")
            .field("seq", &self.seq)
            .field("count", &self.count)
            .field("epoch", &self.epoch)
            .field("batch", &self.batch)
            .finish_non_exhaustive()
    }
}
