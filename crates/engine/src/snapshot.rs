//! Snapshots of a game's state: copies that spare a load the rows before them. The log stays the truth; a snapshot that is
//! missing, damaged or of another log only costs time.
//!
//! Made by `edge`, by an owner that ends and by [`Claim`](crate::claim::Claim), read by [`Reading`](crate::Reading), stored by the server.
//! Never decides whether a snapshot belongs to a log: the reading compares its position with the rows.

use std::io;
use std::sync::Arc;

use quizhall_rules::State;

use crate::log::Head;

/// The least number of events after the latest snapshot after which an owner asks for the next ([`Ahead::is_due`]).
pub const SNAPSHOT_EVERY: u64 = 4_096;
/// The number of events after the latest snapshot from which on an owner that retires asks for one.
pub const SNAPSHOT_AT_END: u64 = 256;
/// The encoding of [`Snapshot::encode`]. Every change to the serialized form of a state needs another number: a snapshot of
/// another format is skipped, and no attempt is made to read it.
pub const SNAPSHOT_FORMAT: u32 = 11;

/// A state together with its place in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The last row whose events the state contains, all of them.
    pub head: Head,
    /// How many events the state contains.
    pub next_seq: u64,
    /// The state.
    pub state: Arc<State>,
}

impl Snapshot {
    /// The bytes of the state in the format [`SNAPSHOT_FORMAT`]. `None` when the state that they give has other bytes, which is a fault of
    /// the encoding: then there is no snapshot. Takes about as long as loading the state. Never holds two states: those of a million players
    /// have half a gigabyte each.
    pub fn encode(self) -> Option<Vec<u8>> {
        let body = serde_json::to_vec(&*self.state).ok()?;
        drop(self.state);
        let mut same = Same(&body);
        serde_json::to_writer(&mut same, &read(&body)?).ok()?;
        same.0.is_empty().then_some(body)
    }

    /// The snapshot with these bytes; `None` when they have another format or are not a state.
    pub fn decode((head, next_seq): (Head, u64), format: u32, body: &[u8]) -> Option<Self> {
        let state = (format == SNAPSHOT_FORMAT).then(|| read(body)).flatten()?;
        Some(Self { head, next_seq, state: Arc::new(state) })
    }
}

/// What is still expected; every other byte is an error.
struct Same<'a>(&'a [u8]);

impl io::Write for Same<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn read(body: &[u8]) -> Option<State> {
    serde_json::from_slice(body).ok()
}

/// How far a log is ahead of its latest snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ahead {
    /// The number of events after the snapshot; each answer of a bundle counts.
    pub events: u64,
    /// How many events the snapshot's state is worth ([`State::weight`]); 0 without a snapshot.
    pub worth: u64,
}

impl Ahead {
    /// The distance right after a snapshot of this state.
    pub fn of(state: &State) -> Self {
        Self { events: 0, worth: state.weight() as u64 }
    }

    /// Whether the next snapshot is due: after as many events as the last one is worth, and at least `every`. A snapshot therefore
    /// costs each event the same, and a replay is bounded by the live state.
    pub fn is_due(self, every: u64) -> bool {
        self.events >= every.max(self.worth)
    }
}
