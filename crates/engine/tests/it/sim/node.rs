//! The nodes of a world: each has an edge while it is up, and at times an owner; a paused one hears everything later.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quizhall_engine::{
    AppendOutcome, Edge, EdgeId, EdgeInput, FromOwner, Head, Owner, OwnerEffect, OwnerInput, Time, ToEdge, ToOwner,
};

use quizhall_rules::Refusal;

use super::World;
use super::agenda::{What, Wish};
use super::coverage::Kind;
use super::reference::Reference;
use super::takeover::Claiming;
use super::{OPTIONS, witness::Cause};

#[derive(Debug, Default)]
pub struct Node {
    pub edge: Option<EdgeSlot>,
    pub owner: Option<OwnerSlot>,
    pub claiming: Option<Claiming>,
    /// The node that this one believes to be the owner's.
    pub route: usize,
    pub paused: bool,
    resumed_at: Time,
    held: VecDeque<What>,
}

#[derive(Debug)]
pub struct EdgeSlot {
    pub id: EdgeId,
    pub edge: Edge,
    pub reference: Reference,
    /// The newest owner that the edge has heard.
    pub epoch: u64,
    pub connections: u64,
    pub requests: BTreeMap<u64, (usize, Wish)>,
    tick_at: Option<Time>,
}

#[derive(Debug)]
pub struct OwnerSlot {
    pub run: u64,
    pub epoch: u64,
    pub owner: Owner,
    tick_at: Option<Time>,
}

impl Node {
    pub fn is_up(&self) -> bool {
        self.edge.is_some()
    }
}

impl OwnerSlot {
    pub fn new(run: u64, epoch: u64, owner: Owner) -> Self {
        Self { run, epoch, owner, tick_at: None }
    }
}

impl World {
    /// Keeps what a paused node cannot hear now.
    pub fn hold(&mut self, what: What) -> Option<What> {
        let node = match &what {
            What::ToOwner(node, ..)
            | What::Appended(node, ..)
            | What::HeadRead(node, ..)
            | What::ClaimReads(node, ..)
            | What::OwnerTick(node, ..)
            | What::Request(_, node, _)
            | What::Routed(node, _)
            | What::EdgeGone(node, _) => Some(*node),
            What::ToEdge(edge, _) | What::EdgeTick(edge) => self.node_of(*edge),
            What::Attach(socket) | What::Up(socket, _) | What::Gone(socket, _) | What::Write(socket) => {
                Some(self.sockets[*socket].node)
            }
            _ => None,
        };
        let Some(node) = node.filter(|node| self.nodes[*node].paused) else { return Some(what) };
        self.nodes[node].held.push_back(what);
        None
    }

    pub fn resume(&mut self, node: usize) {
        self.nodes[node].paused = false;
        self.nodes[node].resumed_at = self.agenda.now;
        for what in std::mem::take(&mut self.nodes[node].held) {
            self.happen(what);
        }
    }

    pub fn node_of(&self, edge: EdgeId) -> Option<usize> {
        self.nodes.iter().position(|node| node.edge.as_ref().is_some_and(|slot| slot.id == edge))
    }

    pub fn is_running(&self, node: usize, run: u64) -> bool {
        let node = &self.nodes[node];
        node.owner.as_ref().is_some_and(|slot| slot.run == run)
            || node.claiming.as_ref().is_some_and(|claiming| claiming.run == run)
    }

    /// A node starts, with an edge that knows nothing.
    pub fn restart(&mut self, node: usize) {
        if self.nodes[node].is_up() {
            return;
        }
        self.edges += 1;
        let id = EdgeId(self.edges);
        self.trace.note(self.agenda.now, "node starts", &[node as u64, id.0]);
        self.nodes[node].edge = Some(EdgeSlot {
            id,
            edge: Edge::new(self.agenda.now, OPTIONS),
            reference: Reference::default(),
            epoch: 0,
            connections: 0,
            requests: BTreeMap::new(),
            tick_at: None,
        });
        self.nodes[node].route = self.owning_node().unwrap_or(node);
        self.edge_step(node, EdgeInput::Tick, Cause::Other);
    }

    /// Everything on a node is lost.
    pub fn crash(&mut self, node: usize) {
        let Some(slot) = self.nodes[node].edge.take() else { return };
        self.nodes[node] = Node::default();
        for socket in 0..self.sockets.len() {
            if self.sockets[socket].edge == slot.id {
                self.sockets[socket].server_open = false;
                self.sockets[socket].out.clear();
                let noticed = self.dice.millis(1, 1_500);
                self.agenda.after(noticed, What::Lost(socket));
            }
        }
        for other in 0..self.nodes.len() {
            let noticed = self.dice.millis(500, 2_000);
            self.agenda.after(noticed, What::EdgeGone(other, slot.id));
        }
    }

    pub fn owner_hears(&mut self, node: usize, edge: EdgeId, mut frame: ToOwner) {
        // The bus of a single machine dies with its process, and a node hears no edge that it was told is dead.
        if self.node_of(edge).is_none() && (self.nodes.len() == 1 || self.buried.contains(&edge)) {
            return;
        }
        self.freshen(edge, &mut frame);
        let Some(run) = self.nodes[node].owner.as_ref().map(|slot| slot.run) else { return };
        self.trace.detail(|| format!("{edge:?} to {run}: {frame:?}"));
        self.owner_step(node, run, OwnerInput::FromEdge(edge, frame));
    }

    pub fn edge_gone(&mut self, node: usize, edge: EdgeId) {
        self.buried.insert(edge);
        let Some(run) = self.nodes[node].owner.as_ref().map(|slot| slot.run) else { return };
        self.owner_step(node, run, OwnerInput::EdgeGone(edge));
    }

    pub fn appended(&mut self, node: usize, run: u64, outcome: AppendOutcome) {
        if self.nodes[node].claiming.as_ref().is_some_and(|claiming| claiming.run == run) {
            return self.claim_appended(node, outcome);
        }
        self.owner_step(node, run, OwnerInput::Appended(outcome));
    }

    pub fn head_read(&mut self, node: usize, run: u64, head: Option<Head>) {
        if self.nodes[node].claiming.as_ref().is_some_and(|claiming| claiming.run == run) {
            return self.claim_head(node, head);
        }
        self.owner_step(node, run, OwnerInput::HeadRead(head));
    }

    pub fn owner_tick(&mut self, node: usize, run: u64) {
        if let Some(slot) = self.nodes[node].owner.as_mut().filter(|slot| slot.run == run) {
            slot.tick_at = None;
            self.owner_step(node, run, OwnerInput::Tick);
        }
    }

    fn owner_step(&mut self, node: usize, run: u64, input: OwnerInput) {
        let Some(mut slot) = self.nodes[node].owner.take_if(|slot| slot.run == run) else { return };
        let now = self.agenda.now;
        let mut effects = Vec::new();
        let ticks = matches!(input, OwnerInput::Tick);
        slot.owner.step(now, input, &mut effects);
        slot.owner.flush(&mut effects);
        self.trace.note(now, "owner", &[node as u64, run, effects.len() as u64, slot.owner.pending() as u64]);
        let mut fenced = false;
        for effect in effects {
            fenced |= effect == OwnerEffect::Fenced;
            self.owner_effect(node, run, effect);
        }
        if fenced {
            self.coverage.note(Kind::OwnerFenced);
            return;
        }
        if slot.owner.pending() > 4_096 {
            self.fail("11: the owner's batch has no bound".to_owned());
        }
        let due = slot.owner.next_deadline();
        if ticks && due <= now {
            self.fail("11: the owner spins".to_owned());
        }
        if slot.tick_at.is_none_or(|at| due < at) {
            slot.tick_at = Some(due);
            self.agenda.at(due, What::OwnerTick(node, run));
        }
        self.nodes[node].owner = Some(slot);
    }

    fn owner_effect(&mut self, node: usize, run: u64, effect: OwnerEffect) {
        match effect {
            OwnerEffect::Send(edge, frame) => {
                self.watch_answers(&frame);
                self.send_to_edge(node, edge, frame);
            }
            OwnerEffect::Append(append) => self.submit(node, run, append),
            OwnerEffect::ReadHead { after } => {
                let at = self.reaches_store().max(self.agenda.now + after);
                self.agenda.at(at, What::ReadHead(node, run));
            }
            OwnerEffect::Fenced => {}
        }
    }

    pub fn edge_hears(&mut self, edge: EdgeId, frame: FromOwner) {
        let Some(node) = self.node_of(edge) else { return };
        self.trace.detail(|| format!("{edge:?} from epoch {}: {}", frame.epoch, gist(&frame.message)));
        let heeded = self.nodes[node].edge.as_mut().is_some_and(|slot| {
            slot.epoch = slot.epoch.max(frame.epoch);
            slot.epoch == frame.epoch
        });
        let here = |seq: u64| self.nodes[node].edge.as_ref().is_some_and(|slot| slot.edge.seq() >= seq);
        let cause = match &frame.message {
            ToEdge::State { .. } => Cause::State,
            // What an owner says after its successor has been heard is not heard.
            _ if !heeded => Cause::Other,
            // One that speaks of events which are not here is dropped, and decided again.
            ToEdge::Refused { stamp, seq, refusal, .. } if here(*seq) && *refusal != Refusal::Superseded => {
                Cause::Refused(*stamp)
            }
            ToEdge::Outdated { stamp, seq, .. } if here(*seq) => Cause::Outdated(*stamp),
            _ => Cause::Other,
        };
        self.edge_step(node, EdgeInput::FromOwner(frame), cause);
    }

    pub fn edge_tick(&mut self, edge: EdgeId) {
        let Some(node) = self.node_of(edge) else { return };
        if let Some(slot) = &mut self.nodes[node].edge {
            slot.tick_at = None;
        }
        self.edge_step(node, EdgeInput::Tick, Cause::Tick);
    }

    /// After a step: when the edge wants to be woken, and what must hold.
    pub fn after_edge_step(&mut self, node: usize, slot: &mut EdgeSlot, ticked: bool) {
        let now = self.agenda.now;
        if let Some(due) = slot.edge.next_deadline() {
            if ticked && due <= now {
                self.fail("11: the edge spins".to_owned());
            }
            if slot.tick_at.is_none_or(|at| due < at) {
                slot.tick_at = Some(due);
                self.agenda.at(due, What::EdgeTick(slot.id));
            }
        }
        // Looked at every 500 ms, and put off once by a new owner.
        let longest = OPTIONS.command_timeout + Duration::from_millis(1_001);
        let awake = now > self.nodes[node].resumed_at + Duration::from_secs(1);
        if ticked && awake && slot.edge.oldest_wait().is_some_and(|since| now > since + longest) {
            self.fail(format!("10: a command waits for more than 5 s on node {node}"));
        }
        if slot.edge.waiting() > 200 {
            self.fail("11: too much waits on the edge".to_owned());
        }
    }
}

/// For the trace: everything but the state.
fn gist(message: &ToEdge) -> String {
    match message {
        ToEdge::State { seq, .. } => format!("State {{ seq: {seq} }}"),
        other => format!("{other:?}"),
    }
}
