//! The faults of nodes, the store and the bus, and the moment after which there are none.

use std::collections::BTreeSet;
use std::time::Duration;

use quizhall_engine::Time;

use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;
use super::node::Node;
use super::{BusIs, World};

/// The longest time that a client stays away after the last fault.
const BACK_AFTER_HEALING: Duration = Duration::from_secs(5);

/// The present faults between the parts of a world.
#[derive(Debug, Default)]
pub struct Weather {
    pub store_down: bool,
    /// Nodes that cannot reach the database.
    pub store_cuts: BTreeSet<usize>,
    /// The pairs of nodes (from, to) between which frames are lost.
    pub bus_cuts: BTreeSet<(usize, usize)>,
    bus_dead: bool,
    /// No random fault happens until then, because a measurement is running.
    pub calm_until: Time,
    store_mended_at: Time,
}

/// A fault that ends.
#[derive(Debug)]
pub enum Mend {
    Store,
    StoreCut(usize),
    BusCuts(Vec<(usize, usize)>),
}

impl Weather {
    pub fn new(bus: BusIs) -> Self {
        Self { bus_dead: bus != BusIs::Alive, ..Self::default() }
    }

    pub fn is_bus_dead(&self) -> bool {
        self.bus_dead
    }

    /// The last moment at which a node could not reach the database: now, while it cannot.
    pub fn cut_off_until(&self, node: usize) -> Time {
        if self.store_down || self.store_cuts.contains(&node) { Time::MAX / 2 } else { self.store_mended_at }
    }
}

impl World {
    /// Whether no random fault may happen now.
    pub fn is_calm(&self) -> bool {
        self.healed || self.agenda.now < self.weather.calm_until
    }

    /// Whether a node has had time to recover from everything.
    pub fn is_healthy(&self, node: usize) -> bool {
        let since = self.healed_at.max(self.nodes[node].resumed_at);
        let near = self.setting.bus != BusIs::Dead || self.owning_node() == Some(node);
        self.healed && near && self.agenda.now > since + Duration::from_secs(15)
    }

    pub fn fault(&mut self) {
        if self.healed {
            return;
        }
        let next = self.dice.millis(100, 2_500);
        self.agenda.after(next, What::Fault);
        // Rows that only the newest owner remembers must not be lost with it, because no other node could put them back. Until they are in
        // the database again, no other fault happens.
        if self.is_calm() || self.store.is_set_back() {
            return;
        }
        if self.dice.chance(120) {
            self.spoil_snapshot();
        }
        let node = self.dice.index(self.nodes.len());
        let up = self.nodes[node].is_up() && !self.nodes[node].paused;
        let often = self.mutation.is_some_and(Mutation::loses_owners) && self.dice.chance(500);
        if let Some(owner) = self.owning_node().filter(|_| often) {
            return self.owner_task_lost(owner);
        }
        if self.mutation.is_some_and(Mutation::sleeps) {
            // No other fault happens, so that the other nodes continue and the woken node can learn the present state.
            if up && self.nodes.iter().all(|node| !node.paused) {
                self.pause(node);
            }
            return;
        }
        match self.dice.range(0, 125) {
            0..10 if self.nodes[node].owner.is_some() => self.owner_task_lost(node),
            10..22 if self.nodes[node].id.is_some() => {
                self.coverage.note(Kind::NodeCrash);
                self.trace.note(self.agenda.now, "node crashes", &[node as u64]);
                self.crash(node);
                let back = self.dice.millis(100, 4_500);
                self.agenda.after(back, What::Restart(node));
            }
            22..42 if up => self.pause(node),
            42..50 if up && !self.nodes[node].draining => self.drain(node),
            50..66 if self.nodes.len() > 1 => self.cut_bus(node),
            66..74 => self.cut_store(node),
            74..80 => {
                self.coverage.note(Kind::StoreStall);
                let stall = self.dice.millis(200, 8_000);
                self.store.stalled_until = self.agenda.now + stall;
            }
            80..85 => {
                self.coverage.note(Kind::StoreDown);
                self.weather.store_down = true;
                let back = self.dice.millis(100, 8_000);
                self.agenda.after(back, What::Mend(Mend::Store));
            }
            85..125 => self.set_back(),
            _ => {}
        }
    }

    /// Only the owner's task dies.
    fn owner_task_lost(&mut self, node: usize) {
        self.coverage.note(Kind::OwnerCrash);
        self.nodes[node].owner = None;
        self.route_step(node, quizhall_engine::RouteInput::OwnerEnded);
    }

    fn pause(&mut self, node: usize) {
        self.coverage.note(Kind::NodePause);
        self.trace.note(self.agenda.now, "pauses", &[node as u64]);
        self.nodes[node].paused = true;
        let long = self.dice.chance(250);
        let woken = match self.mutation {
            Some(mutation) if mutation.sleeps() => self.dice.millis(9_000, 15_000),
            _ if long => self.dice.millis(5_000, 60_000),
            _ => self.dice.millis(100, 6_000),
        };
        if long {
            self.coverage.note(Kind::LongPause);
        }
        self.agenda.after(woken, What::Resume(node));
        let Some(id) = self.nodes[node].id else { return };
        for socket in (0..self.sockets.len()).filter(|socket| self.sockets[*socket].edge == id).collect::<Vec<_>>() {
            if self.sockets[socket].client_open {
                let time_limit = self.dice.millis(2_000, 15_000);
                self.agenda.after(time_limit, What::GiveUp(socket));
            }
        }
    }

    fn cut_bus(&mut self, node: usize) {
        let other = (node + 1 + self.dice.index(self.nodes.len() - 1)) % self.nodes.len();
        let mut ways = vec![(node, other)];
        match self.dice.range(0, 4) {
            0 => self.coverage.note(Kind::BusCutOneWay),
            1 => {
                self.coverage.note(Kind::BusCutBothWays);
                ways.push((other, node));
            }
            // From all nodes, or in both directions.
            far => {
                self.coverage.note(Kind::BusCutOff);
                let others = (0..self.nodes.len()).filter(|other| *other != node);
                ways = others.clone().map(|other| (node, other)).collect();
                if far == 3 {
                    ways.extend(others.map(|other| (other, node)));
                }
            }
        }
        ways.retain(|way| self.weather.bus_cuts.insert(*way));
        let mended = self.dice.millis(200, 12_000);
        self.agenda.after(mended, What::Mend(Mend::BusCuts(ways)));
    }

    fn cut_store(&mut self, node: usize) {
        if self.weather.store_cuts.insert(node) {
            self.coverage.note(Kind::StoreCut);
            let mended = self.dice.millis(200, 9_000);
            self.agenda.after(mended, What::Mend(Mend::StoreCut(node)));
        }
    }

    /// The database forgets acknowledged rows, as after failing over to a replica that lags behind. This happens only while the owner
    /// of the newest epoch is there to put them back, and only to rows which that owner wrote.
    fn set_back(&mut self) {
        let Some(node) = self.owning_node().filter(|node| !self.nodes[*node].paused) else { return };
        let Some(owner) = self.nodes[node].id.filter(|_| self.reaches_database(node)) else { return };
        let claimed = self.nodes.iter().any(|node| node.claiming.is_some());
        // Nor may another node have removed this one, which would not stay although it was in the list again after the set-back.
        let accepts = |node: &Node| node.members.as_ref().is_none_or(|members| members.accepts_from(owner));
        let accepted = self.nodes.iter().all(accepts);
        let stays = !self.nodes[node].draining && self.store.registry.lists(owner) && !claimed && accepted;
        let alone = self.nodes.iter().filter(|node| node.owner.is_some()).count() == 1;
        let most = self.store.forgettable(self.agenda.now, owner, alone).min(20);
        if !stays || most == 0 || self.agenda.now < self.store.stalled_until {
            return;
        }
        let rows = 1 + self.dice.index(most);
        self.coverage.note(Kind::SetBack);
        self.trace.note(self.agenda.now, "set back", &[rows as u64]);
        self.store.forget(self.agenda.now, rows);
    }

    pub fn mend(&mut self, mend: Mend) {
        match mend {
            Mend::Store => self.weather.store_down = false,
            Mend::StoreCut(node) => drop(self.weather.store_cuts.remove(&node)),
            Mend::BusCuts(ways) => self.weather.bus_cuts.retain(|way| !ways.contains(way)),
        }
        self.weather.store_mended_at = self.agenda.now;
    }

    pub fn heal(&mut self) {
        if self.is_calm() || self.store.is_set_back() {
            // A measurement is running, or rows wait to be put back.
            return self.agenda.after(Duration::from_millis(500), What::Heal);
        }
        self.healed = true;
        self.weather.store_down = false;
        self.weather.store_cuts.clear();
        self.weather.bus_cuts.clear();
        self.weather.store_mended_at = self.agenda.now;
        // The last effects of faults are frames that were delayed before, and a stall that has begun, which delays later requests too.
        self.healed_at = self.agenda.now.max(self.bus.last_arrival()).max(self.store.stalled_until);
        self.trace.note(self.agenda.now, "healed", &[]);
        for node in 0..self.nodes.len() {
            self.resume(node);
            self.restart(node);
        }
        for socket in &mut self.sockets {
            socket.make_fast();
        }
        // A client that meant to stay away for long returns with the others: the world waits for no client after that.
        let soon = self.agenda.now + BACK_AFTER_HEALING;
        for client in &mut self.clients {
            client.retry_at = client.retry_at.min(soon);
        }
    }
}
