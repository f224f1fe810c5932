//! Which node suits a game best as its owner, by what the nodes of the list report about themselves (decision 42).
//!
//! Fed by `cluster` with every reading of the list; asked by `ownership`. Pure but for its memory of the games that were given
//! away lately. It only recommends: the record and the log decide who owns a game.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quizhall_engine::{EdgeId, Time};
use quizhall_rules::GameId;

/// Nodes whose busy cores differ by less than this count as equally busy: thousandths of a core.
const ALIKE: u32 = 500;
/// A node keeps a new game unless another one that is not busier owns this many fewer games,
const FEWER: u32 = 20;
/// and this share of its own games fewer: one in four.
const SHARE: u32 = 4;
/// A game that was given away counts for its new owner until that has certainly reported it.
const UNREPORTED: Duration = Duration::from_secs(2);

/// A node as it last reported itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedNode {
    /// The node.
    pub node: EdgeId,
    /// The place that it shares with others; empty when there is none.
    pub zone: String,
    /// Whether it can be given games: it renewed its entry within the lease, and is not draining.
    pub fit: bool,
    /// Thousandths of a core that it used lately; `None` while that or the bus of the node is not known.
    pub busy: Option<u32>,
    /// Games that it owns.
    pub games: u32,
}

/// What this node knows of all nodes.
#[derive(Default)]
pub struct Placement(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    nodes: Vec<PlacedNode>,
    /// Whether this node hands over its games and wants no more.
    leaving: bool,
    given: VecDeque<(Time, EdgeId)>,
}

impl Placement {
    /// Sets the list of nodes.
    pub fn set(&self, nodes: Vec<PlacedNode>) {
        self.lock().nodes = nodes;
    }

    /// Sets whether this node wants no more games.
    pub fn set_leaving(&self, leaving: bool) {
        self.lock().leaving = leaving;
    }

    /// The node that shall own a game without an owner instead of this one (`me`), which a client has asked for it; `None` when
    /// it shall stay here. The caller gives the game to that node.
    pub fn better(&self, now: Time, me: EdgeId, by_load: bool) -> Option<EdgeId> {
        let mut inner = self.lock();
        if !by_load && !inner.leaving {
            return None;
        }
        let nodes = inner.counted(now);
        let own = nodes.iter().find(|node| node.node == me)?;
        // A node that does not reach the others serves its own sockets.
        own.busy?;
        let better = better(&nodes, own, inner.leaving)?;
        inner.given.push_back((now, better));
        Some(better)
    }

    /// The node that a game of this node (`me`) is handed over to, of the zone that has most of its sockets if there is one; `None`
    /// when no other node can own it. `sockets` are the edges of the game with their sockets.
    pub fn heir(&self, now: Time, me: EdgeId, game: GameId, sockets: &[(EdgeId, usize)]) -> Option<EdgeId> {
        let mut inner = self.lock();
        let nodes = inner.counted(now);
        let heir = heir(&nodes, me, game, zone_of_most(&nodes, sockets))?;
        inner.given.push_back((now, heir));
        Some(heir)
    }

    /// Whether the game may be handed over to this node.
    pub fn is_fit(&self, node: EdgeId) -> bool {
        self.lock().nodes.iter().any(|other| other.node == node && other.fit)
    }

    /// Whether any node has named its zone.
    pub fn has_zones(&self) -> bool {
        self.lock().nodes.iter().any(|node| !node.zone.is_empty())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The nodes, with the games that they have not reported yet.
    fn counted(&mut self, now: Time) -> Vec<PlacedNode> {
        while self.given.front().is_some_and(|(at, _)| *at + UNREPORTED <= now) {
            self.given.pop_front();
        }
        let given = |node: EdgeId| self.given.iter().filter(|(_, to)| *to == node).count();
        let count = |node: &PlacedNode| u32::try_from(given(node.node)).unwrap_or(u32::MAX);
        let counted = |node: &PlacedNode| PlacedNode { games: node.games.saturating_add(count(node)), ..node.clone() };
        self.nodes.iter().map(counted).collect()
    }
}

/// The rule for a game without an owner.
fn better(nodes: &[PlacedNode], own: &PlacedNode, leaving: bool) -> Option<EdgeId> {
    let others = || nodes.iter().filter(|node| node.node != own.node && node.fit && node.busy.is_some());
    // The client that asked is connected to this node, so its zone is the one of most sockets.
    let near: Vec<_> = others().filter(|node| node.zone == own.zone).collect();
    let all = if near.is_empty() && leaving { others().collect() } else { near };
    if leaving {
        return best(&all).map(|node| node.node);
    }
    let all: Vec<_> = all.into_iter().chain([own]).collect();
    let best = best(&all)?;
    let least = all.iter().filter_map(|node| node.busy).min()?;
    let is_busier = own.busy? >= least + ALIKE;
    let is_fuller = own.games >= best.games.saturating_add(FEWER.max(own.games / SHARE));
    (is_busier || is_fuller).then_some(best.node).filter(|node| *node != own.node)
}

/// The rule for a game that its owner releases.
fn heir(nodes: &[PlacedNode], me: EdgeId, game: GameId, zone: Option<&str>) -> Option<EdgeId> {
    let fit: Vec<_> = nodes.iter().filter(|node| node.node != me && node.fit).collect();
    let near: Vec<_> = fit.iter().copied().filter(|node| zone == Some(node.zone.as_str())).collect();
    let all = if near.is_empty() { fit } else { near };
    if all.iter().all(|node| node.busy.is_some()) {
        return best(&all).map(|node| node.node);
    }
    // A node of a version without figures may be the least busy one: different games go to different nodes.
    all.iter().map(|node| node.node).max_by_key(|node| node.0 ^ game.uuid().as_u64_pair().1)
}

/// Of the nodes that are about as busy as the least busy one, the one with the fewest games, then the least busy one.
fn best<'a>(nodes: &[&'a PlacedNode]) -> Option<&'a PlacedNode> {
    let least = nodes.iter().filter_map(|node| node.busy).min()?;
    let alike = nodes.iter().filter(|node| node.busy.is_some_and(|busy| busy < least + ALIKE));
    alike.min_by_key(|node| (node.games, node.busy, node.node)).copied()
}

/// The zone with most of these sockets; `None` when most are on nodes without a zone, or there are none.
fn zone_of_most<'a>(nodes: &'a [PlacedNode], sockets: &[(EdgeId, usize)]) -> Option<&'a str> {
    let of_zone = |zone: &str| {
        let is_there = |edge: EdgeId| nodes.iter().any(|node| node.node == edge && node.zone == zone);
        sockets.iter().filter(|(edge, _)| is_there(*edge)).map(|(_, count)| count).sum::<usize>()
    };
    let counted = nodes.iter().map(|node| (of_zone(&node.zone), node.zone.as_str()));
    counted.max().filter(|(count, zone)| *count > 0 && !zone.is_empty()).map(|(_, zone)| zone)
}
