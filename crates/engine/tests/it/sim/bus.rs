//! The bus of a world: usually in order per sender and receiver, with cuts, and with every loss, delay and repetition that is
//! allowed.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::{EdgeId, FromOwner, Place, Time, ToEdge, ToOwner};
use quizhall_rules::CommandId;

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;

#[derive(Debug, Default)]
pub struct Bus {
    /// When the last frame arrives, per sender, receiver and kind: the next one arrives after it.
    last: BTreeMap<(EdgeId, EdgeId, bool), Time>,
    /// For mutants: events that an edge missed without knowing it, and the commands that were seen.
    hidden: BTreeMap<EdgeId, u64>,
    seen: BTreeMap<(EdgeId, CommandId), u64>,
}

/// What the bus carries.
#[derive(Debug, Clone)]
enum Cargo {
    ToOwner(ToOwner),
    ToEdge(FromOwner),
}

impl Bus {
    /// When the last of all frames under way arrives, except second copies.
    pub fn last_arrival(&self) -> Time {
        self.last.values().copied().max().unwrap_or_default()
    }
}

/// The times at which the copies of a frame arrive.
struct Arrivals {
    first: Option<Time>,
    second: Option<Time>,
}

impl Cargo {
    fn arrives(self, to: EdgeId, from: EdgeId, sent: Time) -> What {
        match self {
            Self::ToOwner(frame) => What::ToOwner { to, from, frame },
            Self::ToEdge(frame) => What::ToEdge { to, from, frame, sent },
        }
    }
}

impl World {
    /// Sends a frame from a node's edge to the node where it believes the owner to be.
    pub fn send_to_owner(&mut self, node: usize, frame: ToOwner) {
        let Some(me) = self.nodes[node].id else { return };
        let to = match self.nodes[node].route.as_ref().map(|slot| slot.route.place()) {
            Some(Place::Here) => me,
            Some(Place::There(owner)) => owner,
            Some(Place::Nowhere) | None => return,
        };
        self.send_to_node(node, to, frame);
    }

    pub fn send_to_node(&mut self, node: usize, to: EdgeId, mut frame: ToOwner) {
        if matches!(frame, ToOwner::Unsubscribe) {
            if self.nodes[node].old {
                return;
            }
            self.coverage.note(Kind::UnsubscribeSent);
        }
        if let (ToOwner::Command { epoch, .. }, true) = (&mut frame, self.nodes[node].old) {
            *epoch = None;
        }
        self.post(node, to, Cargo::ToOwner(frame));
    }

    /// Sends a frame from a node's owner to an edge.
    pub fn send_to_edge(&mut self, node: usize, edge: EdgeId, mut frame: FromOwner) {
        let Some(me) = self.nodes[node].id else { return };
        match frame.message {
            ToEdge::Released { .. } if self.nodes[node].old => return,
            ToEdge::State { .. } if edge != me => return self.fail("7: a whole state on the bus".to_owned()),
            _ => {}
        }
        if let (ToEdge::Committed { chain, .. }, true) = (&mut frame.message, self.nodes[node].old) {
            *chain = None;
        }
        self.change_replies(edge, &mut frame);
        if self.hides(edge, &mut frame) {
            return;
        }
        self.post(node, edge, Cargo::ToEdge(frame));
    }

    fn post(&mut self, node: usize, to: EdgeId, cargo: Cargo) {
        let Some(me) = self.nodes[node].id else { return };
        if self.is_cut(me, to) {
            return;
        }
        let way = (me, to, matches!(cargo, Cargo::ToOwner(_)));
        let mut last = self.bus.last.get(&way).copied().unwrap_or_default();
        let overtakes = me != to && !self.is_calm() && self.dice.chance(10);
        if overtakes {
            self.coverage.note(Kind::FrameOvertakes);
            last = Time::ZERO;
        }
        let arrivals = self.arrivals(me == to, last);
        if let Some(at) = arrivals.first {
            let latest = self.bus.last.entry(way).or_default();
            *latest = at.max(*latest);
            self.agenda.at(at, cargo.clone().arrives(to, me, self.agenda.now));
        }
        if let Some(at) = arrivals.second {
            self.agenda.at(at, cargo.arrives(to, me, self.agenda.now));
        }
    }

    /// Whether frames from one node to the other are lost now.
    pub fn is_cut(&self, from: EdgeId, to: EdgeId) -> bool {
        let way = (super::node::home(from), super::node::home(to));
        way.0 != way.1 && (self.weather.is_bus_dead() || self.weather.bus_cuts.contains(&way))
    }

    fn arrivals(&mut self, near: bool, last: Time) -> Arrivals {
        let way = if near { self.dice.micros(5, 120) } else { self.dice.micros(150, 4_000) };
        let mut at = (self.agenda.now + way).max(last + Duration::from_micros(1));
        if self.is_calm() {
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

    /// For mutants: a frame of events is lost without a gap, or an answer lacks the number that it depends on.
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
            ToEdge::Committed { first, events, .. } => {
                *first = first.saturating_sub(*hidden);
                if self.dice.chance(30) {
                    *hidden += events.len() as u64;
                    return true;
                }
            }
            ToEdge::Done { seq, .. }
            | ToEdge::Stored { seq }
            | ToEdge::Refused { seq, .. }
            | ToEdge::Outdated { seq, .. }
            | ToEdge::Outcomes { seq, .. }
            | ToEdge::Answer { seq, .. }
            | ToEdge::Heartbeat { seq } => *seq = seq.saturating_sub(*hidden),
            _ => {}
        }
        false
    }

    /// For a mutant: a repeated command gets a new command id.
    pub fn freshen(&mut self, edge: EdgeId, frame: &mut ToOwner) {
        if self.mutation != Some(Mutation::NoIdempotence) {
            return;
        }
        if let ToOwner::Command { command_id, .. } = frame {
            let times = self.bus.seen.entry((edge, *command_id)).or_default();
            *times += 1;
            if *times > 1 {
                command_id.number += 1_000 * *times;
            }
        }
        if let ToOwner::Answers(given) = frame {
            for row in &mut given.rows.0 {
                let times = self.bus.seen.entry((edge, row.command_id(given.epoch))).or_default();
                *times += 1;
                row.number += if *times > 1 { 1_000 * u32::try_from(*times).expect("few") } else { 0 };
            }
        }
    }
}
