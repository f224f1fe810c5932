//! Which nodes there are, as one of them knows it: who has gone, who is to be buried, and when it was itself taken for dead.
//!
//! The list stands in the database, which also keeps its time. It is a hint for liveness alone: a node that is buried
//! while it lives loses its place and nothing that it acknowledged. Called by the server's cluster task and the
//! simulation; reads and writes nothing itself.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use crate::ids::{EdgeId, Time};

/// Nodes that are remembered as gone. Their frames may still arrive; ids are never used twice.
const REMEMBERED: usize = 1_024;

/// A node in the list as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Which node.
    pub id: EdgeId,
    /// Since its last renewal, by the database's clock.
    pub age: Duration,
    /// Whether it is stopping: nothing new is to be given to it.
    pub draining: bool,
}

/// How a renewal of this node's own place ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MembersInput {
    /// It worked.
    Renewed {
        /// How many renewals of this node the database remembers.
        beat: u64,
        /// Everybody in the list.
        list: Vec<Member>,
    },
    /// The database did not answer in time, or with an error.
    Missed,
    /// This node is not in the list any more.
    Struck,
    /// This node has struck another one off the list.
    Buried(EdgeId),
}

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembersEffect {
    /// Strike this node off the list if its lease is over by the database's clock.
    Bury(EdgeId),
    /// Strike this node off the list, silent or not: it was gone, and the database has forgotten that before it could be
    /// reborn. Nobody hears it.
    Strike(EdgeId),
    /// This node is gone with all its sockets; its frames are not to be heard any more.
    Gone(EdgeId),
    /// The database has forgotten something: every owner here has to look at its log.
    LookAtLogs,
    /// This node was taken for dead: drop every game, close every socket, and enter the list under another id.
    Reborn,
}

/// The list of nodes, as this one knows it.
#[derive(Debug, Clone)]
pub struct Members {
    me: EdgeId,
    lease: Duration,
    beat: u64,
    /// Since when renewals have worked without a break.
    steady_since: Option<Time>,
    renewed_at: Time,
    list: Vec<Member>,
    gone: BTreeSet<EdgeId>,
    gone_in_order: VecDeque<EdgeId>,
}

impl Members {
    /// A node that has just entered the list.
    pub fn new(now: Time, me: EdgeId, lease: Duration) -> Self {
        Self {
            me,
            lease,
            beat: 0,
            steady_since: Some(now),
            renewed_at: now,
            list: Vec::new(),
            gone: BTreeSet::new(),
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
            MembersInput::Struck => vec![MembersEffect::Reborn],
            MembersInput::Buried(node) => {
                self.list.retain(|member| member.id != node);
                self.forget(node).into_iter().collect()
            }
            MembersInput::Renewed { beat, list } => self.renewed(now, beat, list),
        }
    }

    /// Whether frames of this node are to be heard: while it is in the list. What a new one sends before that is lost and
    /// comes again; one that was struck off before this node entered would leave sockets behind which nobody takes back.
    pub fn hears(&self, node: EdgeId) -> bool {
        self.list.iter().any(|member| member.id == node)
    }

    /// Everybody else who is in the list.
    pub fn others(&self) -> impl Iterator<Item = EdgeId> {
        self.list.iter().map(|member| member.id).filter(|id| *id != self.me)
    }

    /// Who can be given a game: somebody else who has renewed lately and is not stopping. Of several the one that
    /// `prefer` ranks highest.
    pub fn successor<K: Ord>(&self, prefer: impl Fn(EdgeId) -> K) -> Option<EdgeId> {
        let fit = |member: &&Member| member.id != self.me && !member.draining && member.age < self.lease;
        self.list.iter().filter(fit).map(|member| member.id).max_by_key(|id| prefer(*id))
    }

    fn renewed(&mut self, now: Time, beat: u64, list: Vec<Member>) -> Vec<MembersEffect> {
        let mut effects = Vec::new();
        if beat <= self.beat {
            effects.push(MembersEffect::LookAtLogs);
            // It has forgotten everybody's renewals: who looks silent because of that has a whole lease to renew again.
            self.steady_since = None;
        }
        self.beat = beat;
        // A node that was away itself cannot tell who else was: everybody has a whole lease to be heard of. Half a lease is
        // away enough: if the database was set back meanwhile, the others look silent, and its own beat does not tell.
        if self.renewed_at + self.lease / 2 <= now {
            self.steady_since = None;
        }
        let steady_since = *self.steady_since.get_or_insert(now);
        self.renewed_at = now;
        let undead = list.iter().filter(|member| member.age < self.lease && self.gone.contains(&member.id));
        effects.extend(undead.map(|member| MembersEffect::Strike(member.id)));
        let present: BTreeSet<_> = list.iter().map(|member| member.id).collect();
        let missing: Vec<_> = self.others().filter(|id| !present.contains(id)).collect();
        effects.extend(missing.into_iter().filter_map(|node| self.forget(node)));
        if now >= steady_since + self.lease {
            let silent = list.iter().filter(|member| member.id != self.me && member.age >= self.lease);
            effects.extend(silent.map(|member| MembersEffect::Bury(member.id)));
        }
        self.list = list;
        self.list.retain(|member| !self.gone.contains(&member.id));
        effects
    }

    /// Said once: a dead node may be in the list again when the database was set back.
    fn forget(&mut self, node: EdgeId) -> Option<MembersEffect> {
        if !self.gone.insert(node) {
            return None;
        }
        self.gone_in_order.push_back(node);
        while self.gone_in_order.len() > REMEMBERED {
            if let Some(oldest) = self.gone_in_order.pop_front() {
                self.gone.remove(&oldest);
            }
        }
        Some(MembersEffect::Gone(node))
    }
}
