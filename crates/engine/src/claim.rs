//! Becoming the owner of a game: read its log, append `Claimed` behind it, and only then serve (rule 1 of "The log is the lock").
//!
//! Called by the server when a game is wanted that is not live here, and by the simulation. Reads and writes nothing itself.

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::{Change, Event, ReplayError, State};
use uuid::Uuid;

use crate::edge::StoredState;
use crate::ids::EdgeId;
use crate::liveness::Liveness;
use crate::log::{Append, Head};
use crate::owner::OwnerOptions;

/// A row as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its place and id.
    pub head: Head,
    /// Its events.
    pub events: Vec<Event>,
}

/// A log that was read to its end.
#[derive(Debug)]
pub struct Claim {
    state: State,
    head: Head,
    next_seq: u64,
}

/// What an owner begins with besides its log.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The edge of its own node.
    pub home: EdgeId,
    /// Random; the ids of its rows derive from it.
    pub nonce: u64,
    /// How long a player whose socket was lost still counts as here.
    pub lobby_grace: Duration,
    /// How often edges get a sign of life.
    pub liveness: Liveness,
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
    /// The events make no game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Claim {
    /// Replays the rows, oldest first.
    pub fn read(rows: &[Row]) -> Result<Self, ClaimError> {
        let last = rows.last().ok_or(ClaimError::Empty)?;
        let mut next_seq = 0;
        for row in rows {
            if row.head.seq != next_seq {
                return Err(ClaimError::Gap(next_seq));
            }
            next_seq += row.events.len() as u64;
        }
        let state = State::replay(rows.iter().flat_map(|row| &row.events))?;
        Ok(Self { state, head: last.head, next_seq })
    }

    /// The state that was read.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The same for an edge.
    pub fn to_stored(&self) -> StoredState {
        StoredState { seq: self.next_seq, state: self.state.clone() }
    }

    /// The row that makes this node the owner, if it is still the last one's successor when it arrives.
    pub fn row(&self, node: Uuid, batch: u64) -> Append {
        let epoch = self.state.epoch() + 1;
        let event = Event { change: Change::Claimed { epoch, node }, stamp: None };
        Append { previous: self.head, seq: self.next_seq, epoch, batch, events: Arc::new([event]), phase: None }
    }

    /// The owner's start, once the row is durable.
    pub fn won(mut self, row: Append, start: Start) -> OwnerOptions {
        for event in row.events.iter() {
            self.state.apply(event);
        }
        let next_seq = self.next_seq + row.events.len() as u64;
        let Start { home, nonce, lobby_grace, liveness } = start;
        OwnerOptions { state: self.state, claim: row, home, next_seq, nonce, lobby_grace, liveness }
    }
}
