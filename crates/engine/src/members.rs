//! The list of nodes as one node knows it: which nodes left, which must be evicted, and whether this node was evicted itself.
//!
//! The list is a table of the database, and ages are by the database's clock. It is only a hint for liveness: a node that is
//! evicted while it runs loses its games and nothing that it acknowledged. Called by the server's cluster task and the
//! simulation; does no IO.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use crate::ids::{EdgeId, Time};
use crate::liveness::Liveness;

/// The number of evicted nodes that are remembered, because their frames may still arrive. Ids are never reused.
const REMEMBERED: usize = 1_024;

/// Ages are whole milliseconds of the database's clock.
const TICK: Duration = Duration::from_millis(1);

/// A node in the list, as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The node.
    pub id: EdgeId,
    /// The time since its last renewal, by the database's clock.
    pub age: Duration,
    /// Whether it is stopping and must not be given games.
    pub draining: bool,
}

/// The outcome of a renewal of this node's entry, or of an eviction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MembersInput {
    /// The entry was renewed.
    Renewed {
        /// How many renewals of this node the database has counted.
        beat: u64,
        /// All nodes in the list.
        list: Vec<Member>,
    },
    /// The database did not answer in time, or with an error.
    Missed,
    /// This node is no longer in the list.
    Expired,
    /// This node has removed another one from the list.
    Evicted(EdgeId),
}

/// What the caller must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembersEffect {
    /// Remove this node from the list if its lease has expired by the database's clock.
    Evict(EdgeId),
    /// Remove this node from the list regardless of its age: it had been removed already, and a database that was set back lists
    /// it again before it could rejoin. Its frames are rejected.
    EvictAtOnce(EdgeId),
    /// This node left with all its sockets; its frames are rejected from now on.
    Gone(EdgeId),
    /// The database was set back: every owner here must compare its log.
    LookAtLogs,
    /// This node was evicted: drop every game, close every socket, and enter the list under a new incarnation.
    Rejoin,
}

/// The list of nodes, as this one knows it.
#[derive(Debug, Clone)]
pub struct Members {
    me: EdgeId,
    lease: Duration,
    beat: u64,
    /// The time since which renewals have worked without a break.
    steady_since: Option<Time>,
    renewed_at: Time,
    list: Vec<Member>,
    removed: BTreeSet<EdgeId>,
    gone_in_order: VecDeque<EdgeId>,
}

impl Members {
    /// The view of a node that has just entered the list.
    pub fn new(now: Time, me: EdgeId, lease: Duration) -> Self {
        Self {
            me,
            lease,
            beat: 0,
            steady_since: Some(now),
            renewed_at: now,
            list: Vec::new(),
            removed: BTreeSet::new(),
            gone_in_order: VecDeque::new(),
        }
    }

    /// This node's own id.
    pub fn me(&self) -> EdgeId {
        self.me
    }

    /// Takes the outcome of a renewal.
    pub fn step(&mut self, now: Time, input: MembersInput) -> Vec<MembersEffect> {
        match input {
            MembersInput::Missed => {
                self.steady_since = None;
                Vec::new()
            }
            MembersInput::Expired => vec![MembersEffect::Rejoin],
            MembersInput::Evicted(node) => {
                self.list.retain(|member| member.id != node);
                self.forget(node).into_iter().collect()
            }
            MembersInput::Renewed { beat, list } => self.renewed(now, beat, list),
        }
    }

    /// Whether frames of this node are accepted: only while it is in the list. Frames that a new node sends before that are dropped and
    /// retransmitted; frames of a node that was evicted before this one entered would leave sockets that are never detached.
    pub fn accepts_from(&self, node: EdgeId) -> bool {
        self.list.iter().any(|member| member.id == node)
    }

    /// All other nodes in the list.
    pub fn others(&self) -> impl Iterator<Item = EdgeId> {
        self.list.iter().map(|member| member.id).filter(|id| *id != self.me)
    }

    /// The node that a game can be handed to: another one, renewed within the lease and not draining; of several, the one that
    /// `prefer` ranks highest.
    pub fn successor<K: Ord>(&self, prefer: impl Fn(EdgeId) -> K) -> Option<EdgeId> {
        let fit = |member: &&Member| member.id != self.me && !member.draining && member.age < self.lease;
        self.list.iter().filter(fit).map(|member| member.id).max_by_key(|id| prefer(*id))
    }

    /// The pause before the next renewal: shorter than usual when the lease of a node that has missed one ends before that, so that a
    /// dead node is removed when its lease ends, and not up to a renewal later.
    pub fn pause(&self) -> Duration {
        let usual = Liveness::renewal(self.lease);
        let late = self.list.iter().filter(|member| member.id != self.me && member.age > usual);
        let ends = late.filter_map(|member| self.lease.checked_sub(member.age)).map(|left| left + TICK);
        ends.fold(usual, Duration::min)
    }

    fn renewed(&mut self, now: Time, beat: u64, list: Vec<Member>) -> Vec<MembersEffect> {
        let mut effects = Vec::new();
        if beat <= self.beat {
            effects.push(MembersEffect::LookAtLogs);
            // Renewals of all nodes were lost: a node that looks silent because of that gets a whole lease to renew again.
            self.steady_since = None;
        }
        self.beat = beat;
        // A node that was suspended cannot know which others were suspended too, so all get a whole lease to renew. A pause of
        // half a lease is enough: if the database was set back in that time, the others look silent, and this node's own beat
        // does not show it.
        if self.renewed_at + self.lease / 2 <= now {
            self.steady_since = None;
        }
        let steady_since = *self.steady_since.get_or_insert(now);
        self.renewed_at = now;
        let returned = list.iter().filter(|member| member.age < self.lease && self.removed.contains(&member.id));
        effects.extend(returned.map(|member| MembersEffect::EvictAtOnce(member.id)));
        let present: BTreeSet<_> = list.iter().map(|member| member.id).collect();
        let missing: Vec<_> = self.others().filter(|id| !present.contains(id)).collect();
        effects.extend(missing.into_iter().filter_map(|node| self.forget(node)));
        if now >= steady_since + self.lease {
            let silent = list.iter().filter(|member| member.id != self.me && member.age >= self.lease);
            effects.extend(silent.map(|member| MembersEffect::Evict(member.id)));
        }
        self.list = list;
        self.list.retain(|member| !self.removed.contains(&member.id));
        effects
    }

    /// Reports a node as removed, once: a database that was set back may list it again.
    fn forget(&mut self, node: EdgeId) -> Option<MembersEffect> {
        if !self.removed.insert(node) {
            return None;
        }
        self.gone_in_order.push_back(node);
        while self.gone_in_order.len() > REMEMBERED {
            if let Some(oldest) = self.gone_in_order.pop_front() {
                self.removed.remove(&oldest);
            }
        }
        Some(MembersEffect::Gone(node))
    }
}
