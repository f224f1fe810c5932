//! The task of an owner, as `games/owner/mod.rs` runs it, and the node's appender that it writes to.

use std::collections::VecDeque;

use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, Owner, OwnerEffect, OwnerInput, ToEdge, ToOwner};
use quizhall_rules::Command;

use super::machine::{BESIDE, Task};
use super::message::{BusMessage, Load, body};
use super::world::{What, World, nanos, time};

/// Frames taken in one go: they share an append.
const BATCH: usize = 4_096;
/// Frames that an owner's mailbox holds (`cluster/bus/router.rs`).
const MAILBOX: usize = 131_072;
/// Rows in one statement (`games/log/appender.rs`).
const MOST_ROWS: usize = 1_024;
/// A look at the head of a log: ways and look-up.
const LOOK: u64 = 300_000;

/// An owner, and its queue.
pub struct OwnerSlot {
    pub owner: Owner,
    pub inbox: VecDeque<(EdgeId, ToOwner)>,
    outcomes: VecDeque<OwnerInput>,
    head: Head,
    in_flight: Option<Head>,
    runs: bool,
    pub tick_at: Option<u64>,
}

impl OwnerSlot {
    pub fn new(owner: Owner, head: Head) -> Self {
        let (inbox, outcomes) = (VecDeque::new(), VecDeque::new());
        Self { owner, inbox, outcomes, head, in_flight: None, runs: false, tick_at: None }
    }

    pub fn head(&self) -> Head {
        self.head
    }

    pub fn written(&mut self, head: Head) {
        self.head = head;
    }
}

impl World {
    pub fn owner_receives(&mut self, game: usize, edge: EdgeId, frame: ToOwner) {
        let Some(slot) = &mut self.games[game].owner else { return };
        if slot.inbox.len() >= MAILBOX {
            self.meters.lost += 1;
        } else {
            slot.inbox.push_back((edge, frame));
        }
        self.wake_owner(game);
    }

    pub fn wake_owner(&mut self, game: usize) {
        let home = self.games[game].home;
        let Some(slot) = &mut self.games[game].owner else { return };
        if !slot.runs {
            slot.runs = true;
            self.make_runnable(home, Task::Owner(game));
        }
    }

    /// Whether it has more to do at once.
    pub fn owner_ran(&mut self, game: usize) -> bool {
        let now = self.now;
        let Some(slot) = &mut self.games[game].owner else { return false };
        let due = nanos(slot.owner.next_deadline());
        slot.runs = !slot.inbox.is_empty() || !slot.outcomes.is_empty() || due <= now;
        let again = slot.runs;
        if !again && slot.tick_at.is_none_or(|at| due < at) {
            slot.tick_at = Some(due);
            self.at(due, What::OwnerTick(game));
        }
        again
    }

    pub fn owner_quantum(&mut self, game: usize) -> u64 {
        let Some(mut slot) = self.games[game].owner.take() else { return 0 };
        let mut effects = Vec::new();
        let mut spent = 0;
        if let Some(outcome) = slot.outcomes.pop_front() {
            spent += self.costs.owner_frame;
            slot.owner.step(time(self.now + spent), outcome, &mut effects);
        } else {
            let count = slot.inbox.len().min(BATCH);
            for (edge, frame) in slot.inbox.drain(..count) {
                spent += self.cost_of_frame(game, &frame);
                slot.owner.step(time(self.now + spent), OwnerInput::FromEdge(edge, frame), &mut effects);
            }
        }
        if nanos(slot.owner.next_deadline()) <= self.now + spent {
            spent += self.costs.owner_frame;
            slot.owner.step(time(self.now + spent), OwnerInput::Tick, &mut effects);
        }
        slot.owner.flush(&mut effects);
        for effect in effects {
            self.carry_out_of_owner(game, &mut slot, (effect, &mut spent));
        }
        self.games[game].owner = Some(slot);
        spent
    }

    fn cost_of_frame(&self, game: usize, frame: &ToOwner) -> u64 {
        match frame {
            ToOwner::Command { command: Command::ReleaseScores, .. } => {
                self.costs.decide + self.games[game].players * self.costs.board
            }
            ToOwner::Command { .. } | ToOwner::Request { .. } => self.costs.decide,
            _ => self.costs.owner_frame,
        }
    }

    fn carry_out_of_owner(&mut self, game: usize, slot: &mut OwnerSlot, (effect, spent): (OwnerEffect, &mut u64)) {
        match effect {
            OwnerEffect::Send(edge, frame) => self.send_to_edge(game, edge, frame, spent),
            OwnerEffect::Append(row) => {
                slot.in_flight = Some(row.head());
                self.append(game, &row, spent);
            }
            OwnerEffect::ReadHead { after } => {
                self.at(self.now + *spent + nanos(after) + LOOK, What::HeadRead(game));
            }
            // Encoded and stored beside the game's tasks.
            OwnerEffect::Snapshot(_) => {}
            OwnerEffect::Queue(_) | OwnerEffect::Rewound | OwnerEffect::Fenced | OwnerEffect::Retired { .. } => {
                panic!("the log has no other writer")
            }
        }
    }

    fn send_to_edge(&mut self, game: usize, edge: EdgeId, frame: quizhall_engine::FromOwner, spent: &mut u64) {
        let (home, to) = (self.games[game].home, node_of(edge));
        if to == home {
            *spent += self.costs.hand;
            let input = quizhall_engine::EdgeInput::FromOwner(frame);
            return self.at(self.now + *spent, What::EdgeReceives(game, to, input));
        }
        let (bytes, encoded) = self.scales.down(self.games[game].id, edge_of(home), &frame);
        *spent += self.costs.queue_message;
        if encoded {
            *spent += bytes * self.costs.encode_byte_ps / 1_000;
        }
        self.put((home, to), BusMessage { game, from: home, load: Load::Down(frame), bytes }, *spent);
    }

    fn append(&mut self, game: usize, row: &Append, spent: &mut u64) {
        let (home, bytes) = (self.games[game].home, body(&row.events));
        *spent += self.costs.row + bytes * self.costs.row_byte_ps / 1_000;
        self.games[game].log.push((row.seq, bytes, std::sync::Arc::clone(&row.events)));
        self.nodes[home].rows.push_back((game, row.events.len() as u64, bytes));
        self.store(home, *spent);
    }

    /// Everything that the games of a node have ready goes into one statement, one at a time.
    fn store(&mut self, node: usize, after: u64) {
        if self.nodes[node].storing || self.nodes[node].rows.is_empty() {
            return;
        }
        self.nodes[node].storing = true;
        let count = self.nodes[node].rows.len().min(MOST_ROWS);
        let rows: Vec<_> = self.nodes[node].rows.drain(..count).collect();
        let bytes: u64 = rows.iter().map(|row| row.2).sum();
        self.meters.statements += 1;
        self.nodes[node].cores.busy[BESIDE] += self.costs.statement;
        self.meters.rows += rows.len() as u64;
        self.meters.events += rows.iter().map(|row| row.1).sum::<u64>();
        self.meters.body_bytes += bytes;
        let cost = rows.len() as u64 * self.costs.database_row + bytes * self.costs.database_byte_ps / 1_000;
        let written = self.database.run(self.now + after + self.costs.network, cost);
        let games = rows.into_iter().map(|row| row.0).collect();
        self.at(written + self.costs.commit + self.costs.network, What::Stored(node, games));
    }

    pub fn stored(&mut self, node: usize, games: &[usize]) {
        self.nodes[node].storing = false;
        self.store(node, 0);
        for game in games {
            if let Some(slot) = &mut self.games[*game].owner {
                slot.head = slot.in_flight.take().unwrap_or(slot.head);
                slot.outcomes.push_back(OwnerInput::Appended(AppendOutcome::Committed));
            }
            self.wake_owner(*game);
        }
    }

    pub fn head_read(&mut self, game: usize) {
        if let Some(slot) = &mut self.games[game].owner {
            let head = slot.head;
            slot.outcomes.push_back(OwnerInput::HeadRead(Some(head)));
        }
        self.wake_owner(game);
    }
}

/// Nodes are numbered from 0; an id of 0 would mean no node.
pub fn edge_of(node: usize) -> EdgeId {
    EdgeId(node as u64 + 1)
}

pub fn node_of(edge: EdgeId) -> usize {
    usize::try_from(edge.0 - 1).expect("ids are those of nodes")
}

/// Which of an owner's messages a message is.
pub fn is_committed(message: &ToEdge) -> bool {
    matches!(message, ToEdge::Committed { .. })
}
