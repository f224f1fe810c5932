//! The list of nodes in a world, as the service keeps a node's place in it: starting, renewing, evicting, being evicted, and
//! stopping in order.

use std::time::Duration;

use quizhall_engine::wire::CloseCode;
use quizhall_engine::{EdgeId, EdgeInput, Liveness, Members, MembersEffect, MembersInput, OwnerInput, RouteInput};

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::database::{LEASE, Query};
use super::judge::Cause;
use super::node::Node;

impl World {
    /// A process starts on a node, or continues under another id: it must enter the list first.
    pub fn restart(&mut self, node: usize) {
        if self.nodes[node].id.is_some() {
            return;
        }
        self.nodes[node].old = self.setting.mixed && self.dice.chance(400);
        if self.nodes[node].old {
            self.coverage.note(Kind::OldVersion);
        }
        self.begin(node);
    }

    fn begin(&mut self, node: usize) {
        self.incarnations += 1;
        let id = EdgeId((self.incarnations << 8) | node as u64);
        self.trace.note(self.agenda.now, "node starts", &[node as u64, id.0]);
        self.nodes[node].id = Some(id);
        self.query(node, Query::Enter);
    }

    pub fn entered(&mut self, node: usize, entered: bool) {
        let Some(id) = self.nodes[node].id else { return };
        if !entered {
            let pause = self.dice.millis(200, 500);
            return self.agenda.after(pause, What::Enter(node, id));
        }
        if self.nodes[node].members.is_none() {
            self.nodes[node].members = Some(Members::new(self.agenda.now, id, LEASE));
            self.agenda.after(Duration::ZERO, What::Renew(node, id));
        }
    }

    pub fn enter(&mut self, node: usize, id: EdgeId) {
        if self.nodes[node].id == Some(id) {
            self.query(node, Query::Enter);
        }
    }

    pub fn renew(&mut self, node: usize, id: EdgeId) {
        if self.nodes[node].id == Some(id) {
            self.query(node, Query::Renew { draining: self.nodes[node].draining });
        }
    }

    pub fn renewed(&mut self, node: usize, outcome: MembersInput) {
        let Some(id) = self.nodes[node].id else { return };
        self.members_step(node, outcome);
        let pause = self.nodes[node].members.as_ref().map_or(Liveness::renewal(LEASE), Members::pause);
        self.agenda.after(pause, What::Renew(node, id));
    }

    pub fn members_step(&mut self, node: usize, input: MembersInput) {
        let now = self.agenda.now;
        let Some(members) = self.nodes[node].members.as_mut() else { return };
        let evicted = matches!(input, MembersInput::Evicted(_));
        let effects = members.step(now, input);
        self.trace.note(now, "members", &[node as u64, effects.len() as u64]);
        self.trace.detail(|| format!("{effects:?}"));
        if evicted {
            self.coverage.note(Kind::NodeEvicted);
        }
        for effect in effects {
            match effect {
                MembersEffect::Evict(other) => self.query(node, Query::Evict(other, LEASE)),
                MembersEffect::EvictAtOnce(other) => {
                    self.coverage.note(Kind::NodeRelisted);
                    self.query(node, Query::Evict(other, Duration::ZERO));
                }
                MembersEffect::Gone(other) => self.node_gone(node, other),
                MembersEffect::LookAtLogs => self.step_owner_here(node, OwnerInput::LookAtLog),
                MembersEffect::Rejoin => return self.rejoin(node),
            }
        }
    }

    fn node_gone(&mut self, node: usize, other: EdgeId) {
        self.step_owner_here(node, OwnerInput::EdgeGone(other));
        self.route_step(node, RouteInput::Gone(other));
    }

    fn step_owner_here(&mut self, node: usize, input: OwnerInput) {
        if let Some(run) = self.nodes[node].owner.as_ref().map(|slot| slot.run) {
            self.owner_step(node, run, input, None);
        }
    }

    /// A node that was evicted drops all its state.
    fn rejoin(&mut self, node: usize) {
        self.coverage.note(Kind::NodeRejoined);
        let Some(id) = self.nodes[node].id.take() else { return };
        let Node { draining, old, connections, .. } = std::mem::take(&mut self.nodes[node]);
        self.nodes[node] = Node { draining, old, connections, resumed_at: self.agenda.now, ..Node::default() };
        for socket in self.open_sockets_of(id) {
            self.closed(socket, CloseCode::ResyncRequired.into());
        }
        self.begin(node);
    }

    pub fn open_sockets_of(&self, id: EdgeId) -> Vec<usize> {
        let here = |socket: &usize| self.sockets[*socket].server_open && self.sockets[*socket].edge == id;
        (0..self.sockets.len()).filter(here).collect()
    }

    /// A node is ordered to stop: its game moves to another node, its sockets are closed over some time, then it ends.
    pub fn drain(&mut self, node: usize) {
        let Some(id) = self.nodes[node].id.filter(|_| self.nodes[node].is_up()) else { return };
        self.coverage.note(Kind::NodeDrained);
        self.trace.note(self.agenda.now, "drains", &[node as u64]);
        self.nodes[node].draining = true;
        let salt = self.dice.next();
        let to = self.nodes[node].members.as_ref().and_then(|members| members.successor(|id| id.0 ^ salt));
        self.step_owner_here(node, OwnerInput::Retire { to });
        let window = self.dice.millis(300, 3_000);
        for socket in self.open_sockets_of(id) {
            let at = self.dice.micros(0, u64::try_from(window.as_micros()).expect("short"));
            self.agenda.after(at, What::SendAway(socket));
        }
        let flush = self.dice.millis(10, 3_000);
        self.agenda.after(window + flush, What::Exit(node));
    }

    pub fn send_away(&mut self, socket: usize) {
        let super::Socket { node, edge, connection: Some(connection), server_open: true, .. } = self.sockets[socket]
        else {
            return;
        };
        self.closed(socket, CloseCode::ServiceRestart.into());
        if self.nodes[node].id == Some(edge) {
            self.edge_step(node, EdgeInput::Detached(connection, false), Cause::Other);
        }
    }

    /// A node that was ordered to stop ends.
    pub fn exit(&mut self, node: usize) {
        if !self.nodes[node].draining {
            return;
        }
        if self.store.is_set_back() {
            return self.agenda.after(Liveness::renewal(LEASE), What::Exit(node));
        }
        self.query(node, Query::Leave);
        self.crash(node);
        let back = self.dice.millis(50, 2_500);
        self.agenda.after(back, What::Restart(node));
        if self.healed {
            self.healed_at = self.healed_at.max(self.agenda.now + back);
        }
    }
}
