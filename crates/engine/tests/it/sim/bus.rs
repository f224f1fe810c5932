//! The bus of a world: in order per sender and receiver as a rule, and with every loss, delay and repetition it may have.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::{EdgeId, FromOwner, Time, ToEdge, ToOwner};
use quizhall_rules::Stamp;

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;

#[derive(Debug, Default)]
pub struct Bus {
    /// When the last frame of a way arrives: the next one comes after it.
    last_to_owner: BTreeMap<(EdgeId, usize), Time>,
    last_to_edge: BTreeMap<(usize, EdgeId), Time>,
    /// For mutants: what an edge does not know that it missed, and the commands that were seen.
    hidden: BTreeMap<EdgeId, u64>,
    seen: BTreeMap<(EdgeId, Stamp), u64>,
}

impl Bus {
    /// When the last of all frames on the way arrives, second copies aside.
    pub fn last_arrival(&self) -> Time {
        self.last_to_owner.values().chain(self.last_to_edge.values()).copied().max().unwrap_or_default()
    }
}

/// When the copies of a frame arrive.
struct Arrivals {
    first: Option<Time>,
    second: Option<Time>,
}

impl World {
    pub fn send_to_owner(&mut self, from_node: usize, edge: EdgeId, frame: ToOwner) {
        let to = self.nodes[from_node].route;
        let last = self.bus.last_to_owner.get(&(edge, to)).copied().unwrap_or_default();
        let arrivals = self.arrivals(from_node == to, last);
        if let Some(at) = arrivals.first {
            self.bus.last_to_owner.insert((edge, to), at);
            self.agenda.at(at, What::ToOwner(to, edge, frame.clone()));
        }
        if let Some(at) = arrivals.second {
            self.agenda.at(at, What::ToOwner(to, edge, frame));
        }
    }

    pub fn send_to_edge(&mut self, from_node: usize, edge: EdgeId, mut frame: FromOwner) {
        let Some(to) = self.node_of(edge) else { return };
        if self.hides(edge, &mut frame) {
            return;
        }
        if self.mutation == Some(Mutation::EpochIgnored) {
            frame.epoch = self.store.truth.epoch;
        }
        let last = self.bus.last_to_edge.get(&(from_node, edge)).copied().unwrap_or_default();
        let arrivals = self.arrivals(from_node == to, last);
        if let Some(at) = arrivals.first {
            self.bus.last_to_edge.insert((from_node, edge), at);
            self.agenda.at(at, What::ToEdge(edge, frame.clone()));
        }
        if let Some(at) = arrivals.second {
            self.agenda.at(at, What::ToEdge(edge, frame));
        }
    }

    fn arrivals(&mut self, near: bool, last: Time) -> Arrivals {
        let way = if near { self.dice.micros(5, 120) } else { self.dice.micros(150, 4_000) };
        let mut at = (self.agenda.now + way).max(last + Duration::from_micros(1));
        if self.healed {
            return Arrivals { first: Some(at), second: None };
        }
        let (losses, doubled, late) = if near { (4, 8, 4) } else { (25, 25, 15) };
        let doubled = doubled * self.mutation.map_or(1, Mutation::doubling);
        if self.dice.chance(late) {
            self.coverage.note(Kind::FrameLate);
            at += self.dice.millis(20, 2_500);
        }
        let second = self.dice.chance(doubled).then(|| {
            self.coverage.note(Kind::FrameDoubled);
            at + self.dice.micros(1, 1_500_000)
        });
        if self.dice.chance(losses) {
            self.coverage.note(Kind::FrameLost);
            return Arrivals { first: None, second };
        }
        Arrivals { first: Some(at), second }
    }

    /// Mutants: a frame of events vanishes without a gap, or an answer forgets what it depends on.
    fn hides(&mut self, edge: EdgeId, frame: &mut FromOwner) -> bool {
        if self.mutation == Some(Mutation::AnswerOvertakesEvents) {
            if let ToEdge::Done { seq, .. } | ToEdge::Answer { seq, .. } = &mut frame.message {
                *seq = 0;
            }
            return matches!(frame.message, ToEdge::Committed { .. }) && self.dice.chance(30);
        }
        if self.mutation != Some(Mutation::GapIgnored) {
            return false;
        }
        let hidden = self.bus.hidden.entry(edge).or_default();
        match &mut frame.message {
            ToEdge::State { .. } => *hidden = 0,
            ToEdge::Committed { first, events } => {
                *first = first.saturating_sub(*hidden);
                if self.dice.chance(30) {
                    *hidden += events.len() as u64;
                    return true;
                }
            }
            ToEdge::Done { seq, .. }
            | ToEdge::Refused { seq, .. }
            | ToEdge::Outdated { seq, .. }
            | ToEdge::Answer { seq, .. }
            | ToEdge::Heartbeat { seq } => *seq = seq.saturating_sub(*hidden),
            _ => {}
        }
        false
    }

    /// Mutant: what was seen before gets a stamp that was not.
    pub fn freshen(&mut self, edge: EdgeId, frame: &mut ToOwner) {
        if self.mutation != Some(Mutation::NoIdempotence) {
            return;
        }
        if let ToOwner::Command { stamp, .. } = frame {
            let times = self.bus.seen.entry((edge, *stamp)).or_default();
            *times += 1;
            if *times > 1 {
                stamp.number += 1_000 * *times;
            }
        }
    }
}
