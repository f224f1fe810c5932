//! The nodes of a world: a running node has its place in the list, an edge and a route when they are needed, and sometimes an owner;
//! a paused one receives everything later.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quizhall_engine::{Edge, EdgeId, EdgeInput, FromOwner, Members, Time, ToEdge, ToOwner};

use super::World;
use super::agenda::{HttpCommand, What};
use super::coverage::Kind;
use super::owning::OwnerSlot;
use super::reference::Reference;
use super::takeover::{Claiming, RouteSlot};
use super::{edge_options, judge::Cause};

#[derive(Debug, Default)]
pub struct Node {
    /// The incarnation; `None` while no process runs.
    pub id: Option<EdgeId>,
    /// Set once the node is in the list.
    pub members: Option<Members>,
    /// In a box, like the owner, because it is taken out and put back at every step.
    pub edge: Option<Box<EdgeSlot>>,
    pub route: Option<RouteSlot>,
    pub owner: Option<Box<OwnerSlot>>,
    pub claiming: Option<Claiming>,
    /// The frames that a retired owner sends once the record names the next one.
    pub farewell: Option<Vec<(EdgeId, FromOwner)>>,
    pub draining: bool,
    /// Whether it runs the version before this one.
    pub old: bool,
    /// Numbers given so far to sockets and requests.
    pub connections: u64,
    pub paused: bool,
    pub resumed_at: Time,
    pub held: VecDeque<What>,
}

#[derive(Debug)]
pub struct EdgeSlot {
    pub id: EdgeId,
    /// The number of this edge within the node's process.
    pub serial: u64,
    pub edge: Edge,
    pub reference: Reference,
    /// The newest owner whose frames the edge has received.
    pub epoch: u64,
    pub requests: BTreeMap<u64, (usize, HttpCommand, Time)>,
    tick_at: Option<Time>,
}

impl Node {
    /// Whether sockets can be attached and frames received.
    pub fn is_up(&self) -> bool {
        self.members.is_some()
    }

    /// Whether a load balancer sends clients here.
    pub fn is_ready(&self) -> bool {
        self.is_up() && !self.draining
    }

    pub fn accepts_from(&self, from: EdgeId) -> bool {
        self.id == Some(from) || self.members.as_ref().is_some_and(|members| members.accepts_from(from))
    }
}

/// On which node of the world an incarnation runs, or ran.
pub fn home(id: EdgeId) -> usize {
    usize::try_from(id.0 & 0xFF).expect("one byte")
}

impl World {
    /// Keeps what a paused node cannot receive now.
    pub fn hold(&mut self, what: What) -> Option<What> {
        let node = match &what {
            What::Appended(node, ..)
            | What::HeadRead(node, ..)
            | What::SnapshotWritten(node, ..)
            | What::Received(node, ..)
            | What::Enter(node, _)
            | What::Renew(node, _)
            | What::RouteTick(node, _)
            | What::OwnerTick(node, ..)
            | What::Expired(node, ..)
            | What::Idle(node)
            | What::Exit(node)
            | What::Request(_, node, _) => Some(*node),
            What::ToOwner { to, .. } | What::ToEdge { to, .. } | What::EdgeTick(to, _) => self.node_of(*to),
            What::Attach(socket)
            | What::Up(socket, _)
            | What::Gone(socket, _)
            | What::Write(socket)
            | What::SendAway(socket) => Some(self.sockets[*socket].node),
            _ => None,
        };
        let Some(node) = node.filter(|node| self.nodes[*node].paused) else { return Some(what) };
        self.nodes[node].held.push_back(what);
        None
    }

    pub fn resume(&mut self, node: usize) {
        if !std::mem::take(&mut self.nodes[node].paused) {
            return;
        }
        self.nodes[node].resumed_at = self.agenda.now;
        let mut held = std::mem::take(&mut self.nodes[node].held);
        if self.dice.chance(400) {
            // In a process that wakes up, due timers may run before the frames that have arrived.
            let (timers, mail): (Vec<_>, Vec<_>) = held.into_iter().partition(is_timer);
            held = timers.into_iter().chain(mail).collect();
        }
        for what in held {
            self.happen(what);
        }
    }

    pub fn node_of(&self, id: EdgeId) -> Option<usize> {
        Some(home(id)).filter(|node| self.nodes[*node].id == Some(id))
    }

    pub fn is_running(&self, node: usize, run: u64) -> bool {
        let node = &self.nodes[node];
        node.owner.as_ref().is_some_and(|slot| slot.run == run)
            || node.claiming.as_ref().is_some_and(|claiming| claiming.run == run)
    }

    /// The game is needed on a node: an edge without a replica, and a route to find the owner.
    pub fn open_edge(&mut self, node: usize) {
        let (Some(id), None) = (self.nodes[node].id, &self.nodes[node].edge) else { return };
        self.edges += 1;
        let now = self.agenda.now;
        self.nodes[node].edge = Some(Box::new(EdgeSlot {
            id,
            serial: self.edges,
            edge: Edge::new(now, edge_options(self.setting.bundles && !self.setting.mixed)),
            reference: Reference::default(),
            epoch: 0,
            requests: BTreeMap::new(),
            tick_at: None,
        }));
        self.nodes[node].route = Some(RouteSlot::new(now, id));
        self.want_owner(node, false);
        self.edge_step(node, EdgeInput::Tick, Cause::Other);
    }

    /// Sometimes a game without clients leaves a node's memory, but not before the owner knows that every socket has ended.
    pub fn idle(&mut self, node: usize) {
        let next = self.dice.millis(1_000, 5_000);
        self.agenda.after(next, What::Idle(node));
        let Node { edge: Some(slot), owner: None, claiming: None, farewell: None, .. } = &self.nodes[node] else {
            return;
        };
        let idle = slot.edge.socket_count() == 0 && slot.edge.waiting() == 0 && slot.edge.departing() == 0;
        if self.healed || !idle || self.dice.chance(500) {
            return;
        }
        self.coverage.note(Kind::EdgeForgotten);
        self.send_to_owner(node, ToOwner::Unsubscribe);
        (self.nodes[node].edge, self.nodes[node].route) = (None, None);
    }

    /// All state of a node is lost, sometimes also frames that wait to be sent to other nodes.
    pub fn crash(&mut self, node: usize) {
        let Some(id) = self.nodes[node].id else { return };
        if self.dice.chance(500) && self.agenda.lose_frames_of(id) {
            self.coverage.note(Kind::FrameUnsent);
        }
        let connections = self.nodes[node].connections;
        self.nodes[node] = Node { connections, ..Node::default() };
        for socket in 0..self.sockets.len() {
            // Also the sockets of an earlier incarnation, whose frames may not all have been written.
            if self.sockets[socket].node == node {
                self.sockets[socket].server_open = false;
                self.sockets[socket].out.clear();
                let noticed = self.dice.millis(1, 1_500);
                self.agenda.after(noticed, What::Lost(socket));
            }
        }
    }

    /// After a step: schedules the next wake-up of the edge, and checks what must hold.
    pub fn after_edge_step(&mut self, node: usize, slot: &mut EdgeSlot, ticked: bool) {
        let now = self.agenda.now;
        if let Some(due) = slot.edge.next_deadline() {
            if ticked && due <= now {
                self.fail("11: the edge spins".to_owned());
            }
            if slot.tick_at.is_none_or(|at| due < at) {
                slot.tick_at = Some(due);
                self.agenda.at(due, What::EdgeTick(slot.id, slot.serial));
            }
        }
        // Checked every 500 ms, and postponed once by a new owner.
        let longest = edge_options(false).command_timeout + Duration::from_millis(1_001);
        let awake = now > self.nodes[node].resumed_at + Duration::from_secs(1);
        if ticked && awake && slot.edge.oldest_wait().is_some_and(|since| now > since + longest) {
            self.fail(format!("10: a command waits for more than 5 s on node {node}"));
        }
        if slot.edge.waiting() > 200 {
            self.fail("11: too much waits on the edge".to_owned());
        }
    }

    pub fn edge_tick(&mut self, id: EdgeId, serial: u64) {
        let Some(node) = self.node_of(id) else { return };
        if let Some(slot) = self.nodes[node].edge.as_mut().filter(|slot| slot.serial == serial) {
            slot.tick_at = None;
            self.edge_step(node, EdgeInput::Tick, Cause::Tick);
        }
    }
}

fn is_timer(what: &What) -> bool {
    matches!(what, What::OwnerTick(..) | What::EdgeTick(..) | What::RouteTick(..) | What::Renew(..))
}

/// For the trace: everything except the state.
pub fn gist(message: &ToEdge) -> String {
    match message {
        ToEdge::State { seq, .. } => format!("State {{ seq: {seq} }}"),
        other => format!("{other:?}"),
    }
}
