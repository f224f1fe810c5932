//! Becoming the owner in a world: claims, rivals, and how the other nodes learn of it.

use std::time::Duration;

use quizhall_engine::claim::Claim;
use quizhall_engine::{Append, AppendOutcome, Head, Owner, ToOwner};
use uuid::Uuid;

use super::World;
use super::agenda::What;
use super::node::OwnerSlot;

/// A claim on its way.
#[derive(Debug)]
pub struct Claiming {
    pub run: u64,
    read: Option<(Claim, Append)>,
}

impl World {
    /// The node whose owner has the newest epoch of the log.
    pub fn owning_node(&self) -> Option<usize> {
        let newest = self.store.truth.epoch;
        self.nodes.iter().position(|node| node.owner.as_ref().is_some_and(|slot| slot.epoch == newest))
    }

    pub fn watch(&mut self) {
        let next = self.dice.millis(150, 900);
        self.agenda.after(next, What::Watch);
        self.check_presence();
        let alive = self.owning_node().is_some_and(|node| !self.nodes[node].paused);
        if alive || self.nodes.iter().any(|node| node.claiming.is_some() && !node.paused) {
            return;
        }
        let node = self.dice.index(self.nodes.len());
        self.claim(node);
    }

    pub fn claim(&mut self, node: usize) {
        if !self.nodes[node].is_up() || self.nodes[node].paused {
            return;
        }
        self.runs += 1;
        self.trace.note(self.agenda.now, "claim", &[node as u64, self.runs]);
        self.nodes[node].claiming = Some(Claiming { run: self.runs, read: None });
        let at = self.reaches_store();
        self.agenda.at(at, What::ClaimReads(node, self.runs));
    }

    pub fn claim_reads(&mut self, node: usize, run: u64) {
        let Some(claiming) = self.nodes[node].claiming.as_mut().filter(|claiming| claiming.run == run) else { return };
        let claim = match Claim::read(&self.store.rows()) {
            Ok(claim) => claim,
            Err(error) => return self.fail(format!("1: {error}")),
        };
        let row = claim.row(Uuid::from_u64_pair(node as u64, run), self.dice.next());
        claiming.read = Some((claim, row.clone()));
        self.submit(node, run, row);
    }

    pub fn claim_appended(&mut self, node: usize, outcome: AppendOutcome) {
        let Some(claiming) = &self.nodes[node].claiming else { return };
        match outcome {
            AppendOutcome::Committed => self.won(node),
            AppendOutcome::Refused => self.claim(node),
            AppendOutcome::Unknown => {
                let run = claiming.run;
                let at = self.reaches_store() + Duration::from_millis(100);
                self.agenda.at(at, What::ReadHead(node, run));
            }
        }
    }

    pub fn claim_head(&mut self, node: usize, head: Option<Head>) {
        let Some(claiming) = &self.nodes[node].claiming else { return };
        let wanted = claiming.read.as_ref().map(|(_, row)| row.head());
        if head.is_some() && head == wanted {
            self.won(node);
        } else {
            self.claim(node);
        }
    }

    fn won(&mut self, node: usize) {
        let Some(Claiming { run, read: Some((claim, row)) }) = self.nodes[node].claiming.take() else { return };
        let options = claim.won(&row, self.dice.next(), self.grace);
        let epoch = options.state.epoch();
        self.trace.note(self.agenda.now, "owner starts", &[node as u64, run, epoch]);
        self.owner_since = self.agenda.now;
        let owner = Owner::new(self.agenda.now, options);
        self.nodes[node].owner = Some(OwnerSlot::new(run, epoch, owner));
        self.agenda.after(Duration::ZERO, What::OwnerTick(node, run));
        for other in 0..self.nodes.len() {
            let learned = if other == node { Duration::ZERO } else { self.dice.millis(1, 2_000) };
            self.agenda.after(learned, What::Routed(other, node));
        }
    }

    /// The node's glue: a new route, and a greeting so that the new owner knows the edge.
    pub fn routed(&mut self, node: usize, owner: usize) {
        if self.owning_node() != Some(owner) {
            return;
        }
        self.nodes[node].route = owner;
        if let Some(slot) = &self.nodes[node].edge {
            let edge = slot.id;
            self.agenda.after(Duration::from_micros(50), What::ToOwner(owner, edge, ToOwner::Hello));
        }
    }
}
