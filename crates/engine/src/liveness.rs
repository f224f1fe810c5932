//! How often an owner gives a sign of life, and after how much silence an edge no longer trusts its replica: both derived from
//! the lease of nodes in the list.
//!
//! A node that slept for longer than its lease may have lost its games. By then its edges must consider their replicas old, or they
//! would show a new socket an outdated state. Used by `owner` and `edge`; the server creates one from its settings.

use std::time::Duration;

use crate::ids::Time;

/// Renewals of a node's place in the list per lease: a few may be lost or late.
const RENEWALS: u32 = 5;
/// The longest silence, and the longest time between two signs of life.
const LONGEST: Liveness = Liveness { heartbeat: Duration::from_secs(1), silence: Duration::from_millis(2_500) };

/// An answer of the database that took longer usually describes the state before this node slept, because no query waits this
/// long.
const LATE: Duration = Duration::from_secs(5);

/// Whether the answer to a query came late, so that the query must be repeated. The second late answer in a row is not
/// reported: the database is slow.
#[derive(Debug)]
pub(crate) struct LateAnswers {
    asked_at: Time,
    was_late: bool,
}

impl LateAnswers {
    /// No query has begun; an answer without a query counts as asked for now.
    pub fn new(now: Time) -> Self {
        Self { asked_at: now, was_late: false }
    }

    /// Begins a query.
    pub fn ask(&mut self, now: Time) {
        self.asked_at = now;
    }

    /// Whether the answer came late. To be called once for each answer.
    pub fn is_late(&mut self, now: Time) -> bool {
        self.was_late = now.saturating_sub(self.asked_at) >= LATE && !self.was_late;
        self.was_late
    }
}

/// The two times. A sign of life always arrives before the silence is over, even if the one before it was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Liveness {
    /// The time between two signs of life of an owner that has nothing else to send.
    pub(crate) heartbeat: Duration,
    /// After this long without a sign of life, an edge reads the log before it shows anything to a new socket.
    pub(crate) silence: Duration,
}

impl Liveness {
    /// For a process without other nodes: no other can take its games.
    pub const ALONE: Self = LONGEST;

    /// For nodes with a lease of this length. An owner that is evicted was silent for at least the lease minus one late renewal: the
    /// silence is therefore at most three quarters of the lease.
    pub fn of_lease(lease: Duration) -> Self {
        let silence = LONGEST.silence.min(lease * 3 / 4);
        Self { heartbeat: LONGEST.heartbeat.min(silence / 2), silence }
    }

    /// Whether a frame of the owner that was sent this long ago still shows that a replica is recent.
    pub fn is_recent(self, age: Duration) -> bool {
        age < self.silence
    }

    /// The time between two renewals of a node's place in the list.
    pub fn renewal(lease: Duration) -> Duration {
        lease / RENEWALS
    }

    /// Whether an edge considers its replica old before another node may take the games of a sleeping node, however long ago the last
    /// renewal was when it fell asleep; and whether signs of life come often enough.
    pub fn fits(self, lease: Duration) -> bool {
        self.silence + Self::renewal(lease) < lease && self.heartbeat * 2 <= self.silence
    }
}
