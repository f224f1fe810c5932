//! What goes wrong with nodes and the store, and the moment from which nothing does.

use std::time::Duration;

use super::World;
use super::agenda::What;
use super::coverage::Kind;

/// The longest that anybody stays away once nothing is broken any more.
const BACK_AFTER_HEALING: Duration = Duration::from_secs(5);

impl World {
    pub fn fault(&mut self) {
        if self.healed {
            return;
        }
        let next = self.dice.millis(100, 2_500);
        self.agenda.after(next, What::Fault);
        let node = self.dice.index(self.nodes.len());
        match self.dice.range(0, 100) {
            0..14 if self.nodes[node].owner.is_some() => {
                self.coverage.note(Kind::OwnerCrash);
                self.nodes[node].owner = None;
            }
            14..28 if self.nodes[node].is_up() => {
                self.coverage.note(Kind::NodeCrash);
                self.trace.note(self.agenda.now, "node crashes", &[node as u64]);
                self.crash(node);
                let back = self.dice.millis(100, 2_500);
                self.agenda.after(back, What::Restart(node));
            }
            28..48 if !self.nodes[node].paused && self.nodes[node].is_up() => {
                self.coverage.note(Kind::NodePause);
                self.nodes[node].paused = true;
                let woken = self.dice.millis(50, 9_000);
                self.agenda.after(woken, What::Resume(node));
            }
            48..75 if self.owning_node().is_some_and(|owner| owner != node) => {
                self.coverage.note(Kind::RivalClaim);
                self.claim(node);
            }
            75..84 => {
                self.coverage.note(Kind::StoreStall);
                let stall = self.dice.millis(200, 8_000);
                self.store.stalled_until = self.agenda.now + stall;
            }
            _ => {}
        }
    }

    pub fn heal(&mut self) {
        self.healed = true;
        // What was delayed before is the last thing that is wrong, and holds up what is sent behind it.
        self.healed_at = self.agenda.now.max(self.bus.last_arrival());
        self.trace.note(self.agenda.now, "healed", &[]);
        self.store.stalled_until = self.agenda.now;
        for node in 0..self.nodes.len() {
            self.resume(node);
            self.restart(node);
        }
        for socket in &mut self.sockets {
            socket.make_fast();
        }
        // Whoever meant to stay away for long comes back with the rest: the world waits for nobody after that.
        let soon = self.agenda.now + BACK_AFTER_HEALING;
        for client in &mut self.clients {
            client.retry_at = client.retry_at.min(soon);
        }
    }
}
