//! The owner on a node of a world: the inputs that the service gives it, and what happens with its effects.

use std::collections::VecDeque;
use std::time::Duration;

use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, Owner, OwnerEffect, OwnerInput, RouteInput, Time, ToOwner};

use quizhall_rules::Expiry;

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;

#[derive(Debug)]
pub struct OwnerSlot {
    pub run: u64,
    pub epoch: u64,
    pub owner: Owner,
    tick_at: Option<Time>,
    /// For a mutant that does not read the head: the last row that it knows to be durable, and the one that it writes.
    head: Head,
    writing: Option<Append>,
    /// How many events the log may hold, with those of the append in flight.
    pub log_end: u64,
    /// When the events were decided that are in no row yet.
    decided: VecDeque<Time>,
}

impl OwnerSlot {
    pub fn new(run: u64, epoch: u64, head: Head, owner: Owner) -> Self {
        Self { run, epoch, owner, tick_at: None, head, writing: None, log_end: 0, decided: VecDeque::new() }
    }
}

impl World {
    pub fn owner_receives(&mut self, (to, from): (EdgeId, EdgeId), mut frame: ToOwner) {
        let Some(node) = self.node_of(to) else { return };
        let accepted = self.nodes[node].accepts_from(from) || self.is_mutant(Mutation::RemovedAreAccepted);
        let unsubscribes = matches!(frame, ToOwner::Unsubscribe);
        if self.is_cut(from, to) || !accepted || !self.nodes[node].is_up() || (unsubscribes && self.nodes[node].old) {
            return;
        }
        self.freshen(from, &mut frame);
        let mut from = from;
        self.note_bundle(&mut from, &mut frame);
        if let Some(run) = self.nodes[node].owner.as_ref().map(|slot| slot.run) {
            self.trace.detail(|| format!("{from:?} to {run}: {frame:?}"));
            return self.owner_step(node, run, OwnerInput::FromEdge(from, frame), None);
        }
        if unsubscribes {
            return;
        }
        if self.nodes[node].edge.is_some() {
            return self.route_step(node, RouteInput::RequestedHere);
        }
        // The game is needed again.
        self.open_edge(node);
    }

    pub fn appended(&mut self, node: usize, run: u64, outcome: AppendOutcome, epoch: u64) {
        if self.nodes[node].claiming.as_ref().is_some_and(|claiming| claiming.run == run) {
            return self.claim_appended(node, run, outcome);
        }
        self.owner_step(node, run, OwnerInput::Appended(outcome), Some(epoch));
    }

    pub fn head_read(&mut self, node: usize, run: u64, head: Option<Head>, epoch: u64) {
        if self.nodes[node].claiming.as_ref().is_some_and(|claiming| claiming.run == run) {
            return self.claim_head(node, run, head);
        }
        self.owner_step(node, run, OwnerInput::HeadRead(head), Some(epoch));
    }

    /// Queued after the frames that reach the node until then; frames that are under way for longer come too late.
    fn queue_expiry(&mut self, node: usize, run: u64, expiry: Expiry) {
        let longest = if self.is_mutant(Mutation::ExpiryUnchecked) { 3_000_000 } else { 300_000 };
        let queued = self.dice.micros(0, longest);
        self.agenda.after(queued, What::Expired(node, run, expiry));
    }

    pub fn expired(&mut self, node: usize, run: u64, expiry: Expiry) {
        let expiry = self.unchecked(expiry);
        self.owner_step(node, run, OwnerInput::Expired(expiry), None);
    }

    pub fn owner_tick(&mut self, node: usize, run: u64) {
        if let Some(slot) = self.nodes[node].owner.as_mut().filter(|slot| slot.run == run) {
            slot.tick_at = None;
            if self.is_mutant(Mutation::NoBreak) {
                self.step_early(node, run);
            }
            if self.is_mutant(Mutation::NoGrace) {
                self.close_early(node, run);
            }
            self.owner_step(node, run, OwnerInput::Tick, None);
        }
    }

    /// `proof` is the newest epoch at the moment when the log returned what the input contains.
    pub fn owner_step(&mut self, node: usize, run: u64, input: OwnerInput, proof: Option<u64>) {
        let Some(mut slot) = self.nodes[node].owner.take_if(|slot| slot.run == run) else { return };
        let now = self.agenda.now;
        let mut effects = Vec::new();
        let ticks = matches!(input, OwnerInput::Tick);
        let written = slot.writing.as_ref().map(Append::head).filter(|written| match &input {
            OwnerInput::Appended(outcome) => *outcome == AppendOutcome::Committed,
            OwnerInput::HeadRead(head) => *head == Some(*written),
            _ => false,
        });
        if let Some(head) = written {
            (slot.head, slot.writing) = (head, None);
        }
        let before = slot.owner.pending();
        slot.owner.step(now, input, &mut effects);
        slot.decided.extend((before..slot.owner.pending()).map(|_| now));
        slot.owner.flush(&mut effects);
        self.trace.note(now, "owner", &[node as u64, run, effects.len() as u64, slot.owner.pending() as u64]);
        let mut ended = false;
        for effect in effects {
            ended |= self.owner_effect(node, &mut slot, effect, proof);
        }
        if ended {
            if let Some(snapshot) = slot.owner.into_snapshot() {
                self.write_snapshot(node, &snapshot);
            }
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

    /// Whether the effect was the end of the owner.
    fn owner_effect(&mut self, node: usize, slot: &mut OwnerSlot, effect: OwnerEffect, proof: Option<u64>) -> bool {
        let run = slot.run;
        match effect {
            OwnerEffect::Send(edge, frame) => {
                self.watch_owner(&frame, proof);
                self.send_to_edge(node, edge, frame);
            }
            OwnerEffect::Append(append) => {
                let append = self.closed_late(append);
                // The times of a row that is written again are already known.
                if !self.timing.knows(&append) {
                    let times = slot.decided.len().min(append.events.len());
                    self.timing.note_row(&append, slot.decided.drain(..times));
                }
                (slot.log_end, slot.writing) = (append.end(), Some(append.clone()));
                self.submit(node, run, append);
            }
            OwnerEffect::ReadHead { .. } if self.skips_look(slot) => {
                let epoch = self.store.truth.epoch;
                self.agenda.after(Duration::from_micros(50), What::HeadRead(node, run, Some(slot.head), epoch));
            }
            OwnerEffect::ReadHead { after } => {
                let at = self.reaches_store().max(self.agenda.now + after);
                self.agenda.at(at, What::ReadHead(node, run));
            }
            OwnerEffect::Queue(expiry) => self.queue_expiry(node, run, expiry),
            OwnerEffect::SnapshotDue => self.snapshot_of_replica(node),
            OwnerEffect::Rewound => {
                self.coverage.note(Kind::RewindNoticed);
                return self.is_mutant(Mutation::RewindIsFence) && self.owner_ends(node);
            }
            OwnerEffect::Fenced => {
                self.coverage.note(Kind::OwnerFenced);
                return self.owner_ends(node);
            }
            OwnerEffect::Retired { to, farewell } => {
                self.retired(node, to, farewell);
                return true;
            }
        }
        false
    }

    fn skips_look(&self, slot: &OwnerSlot) -> bool {
        self.is_mutant(Mutation::NoLook) && slot.writing.is_none() && !self.store.is_set_back()
    }

    fn owner_ends(&mut self, node: usize) -> bool {
        self.route_step(node, RouteInput::OwnerEnded);
        true
    }
}
