//! Measures a take-over without other faults: the owner's node dies, or is cut off from all nodes while it lives, and the next
//! owner must take over every socket on another node.

use std::collections::BTreeSet;
use std::time::Duration;

use quizhall_engine::{ConnectionId, EdgeId, Time};

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::faults::Mend;

/// Within these times every player on another node is acknowledged again, after a crash of the owner's node and after a silent cut.
const AFTER_CRASH: Duration = Duration::from_secs(3);
const AFTER_SILENCE: Duration = Duration::from_secs(8);
/// How long there must be no fault before a measurement: a lease, so that nodes are allowed to evict.
const WELL: Duration = Duration::from_secs(5);

/// A measurement under way.
#[derive(Debug)]
pub struct Probe {
    begun: Time,
    silent: bool,
    epoch: u64,
    /// Sockets on other nodes that the next owner has not given a session yet.
    sockets: BTreeSet<(EdgeId, ConnectionId)>,
    /// Edges with such sockets, or with commands from before.
    edges: BTreeSet<EdgeId>,
    last: Time,
}

impl World {
    /// Plans a measurement, before any other fault.
    pub fn plan_probe(&mut self) {
        let begins = WELL + self.dice.millis(0, 5_000);
        self.weather.calm_until = begins + AFTER_SILENCE + Duration::from_millis(500);
        self.agenda.at(begins, What::Probe);
    }

    pub fn probe(&mut self) {
        let silent = self.dice.chance(500);
        let Some(node) = self.owning_node() else { return };
        let Some(owner) = self.nodes[node].id else { return };
        let elsewhere = self.sockets.iter().filter(|socket| socket.server_open && socket.edge != owner);
        let sockets: BTreeSet<_> = elsewhere.filter_map(|socket| Some((socket.edge, socket.connection?))).collect();
        let edges = sockets.iter().map(|(edge, _)| *edge).collect();
        let (begun, epoch) = (self.agenda.now, self.store.truth.epoch);
        self.trace.note(begun, "probe", &[node as u64, u64::from(silent)]);
        self.probe = Some(Probe { begun, silent, epoch, sockets, edges, last: begun });
        if silent {
            self.coverage.note(Kind::ProbeSilence);
            let others: Vec<usize> = (0..self.nodes.len()).filter(|other| *other != node).collect();
            let ways: Vec<_> = others.iter().flat_map(|other| [(node, *other), (*other, node)]).collect();
            self.weather.bus_cuts.extend(ways.iter().copied());
            self.weather.store_cuts.insert(node);
            let (cut, bus) = (Mend::StoreCut(node), Mend::BusCuts(ways));
            self.agenda.after(AFTER_SILENCE, What::Mend(cut));
            self.agenda.after(AFTER_SILENCE, What::Mend(bus));
        } else {
            self.coverage.note(Kind::ProbeCrash);
            self.crash(node);
            let back = self.dice.millis(100, 6_000);
            self.agenda.after(back, What::Restart(node));
        }
        self.agenda.after(if silent { AFTER_SILENCE } else { AFTER_CRASH }, What::ProbeOver);
    }

    /// After each frame that an edge has received: checks whether it has all its sockets back, and an answer to every earlier
    /// command.
    pub fn watch_probe(&mut self, node: usize, attached: &[ConnectionId]) {
        let Some(mut probe) = self.probe.take() else { return };
        let now = self.agenda.now;
        if let Some(slot) = self.nodes[node].edge.as_ref().filter(|slot| slot.epoch > probe.epoch) {
            probe
                .sockets
                .retain(|socket| (!attached.contains(&socket.1) || socket.0 != slot.id) && self.is_open(*socket));
            let missing = probe.sockets.iter().any(|(edge, _)| *edge == slot.id);
            let waits = slot.edge.oldest_wait().is_some_and(|since| since <= probe.begun);
            if !missing && !waits && probe.edges.remove(&slot.id) {
                probe.last = now;
            }
        }
        self.probe = Some(probe);
    }

    fn is_open(&self, (edge, connection): (EdgeId, ConnectionId)) -> bool {
        self.sockets.iter().any(|at| at.server_open && at.edge == edge && at.connection == Some(connection))
    }

    pub fn probe_over(&mut self) {
        let Some(probe) = self.probe.take() else { return };
        let open = |edge: &EdgeId| !self.open_sockets_of(*edge).is_empty();
        let left = probe.edges.iter().filter(|edge| open(edge)).count();
        let within = self.agenda.now.saturating_sub(probe.begun);
        if left > 0 {
            return self.fail(format!("10: {left} nodes have no owner {within:?} after the owner's node was lost"));
        }
        self.coverage.took(probe.silent, probe.last.saturating_sub(probe.begun));
        self.weather.calm_until = self.agenda.now;
    }
}
