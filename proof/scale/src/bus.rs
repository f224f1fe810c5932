//! The bus between nodes: a queue to each, entries into its stream in Redis, and its inbox (`cluster/bus/redis/*`).
//!
//! Also the mirrors: a game of a million on fifty nodes is fifty replicas of a million players, so all nodes but the
//! owner's and one more are copies of that one. The owner does not know the difference: it receives commands of other
//! players at the same moments, decides and answers them, and Redis carries it. Every such node has as many sockets,
//! receives the same events and sends as much, so what it spends is what the one spends. The model receives its
//! messages last.

use super::machine::{BESIDE, Task};
use super::message::{BusMessage, Entry, Load};
use super::owner::{edge_of, is_committed};
use super::world::{What, World};
use crate::game::participant;
use quizhall_engine::{EdgeInput, FromOwner, Participant, ToEdge, ToOwner};
use quizhall_rules::CommandId;

/// Entries of one read (`cluster/bus/redis/inbox.rs`).
const COUNT: usize = 16;

/// Nodes that do what another does, for players of their own.
#[derive(Debug)]
pub struct Mirrors {
    /// The node they copy.
    pub model: usize,
    /// The first of them; they go up to the model.
    pub first: usize,
    /// The first player of each node, by node.
    pub players_from: Vec<u64>,
    /// Sessions of their sockets, by node and socket.
    pub sessions: Vec<Vec<u64>>,
}

impl Mirrors {
    fn has(&self, node: usize) -> bool {
        (self.first..self.model).contains(&node)
    }

    /// What the mirror sends when the model sends this.
    fn mirrored(&self, mirror: usize, message: &BusMessage) -> BusMessage {
        let Load::Up(frame) = &message.load else { return message.clone() };
        let mut frame = frame.clone();
        match &mut frame {
            ToOwner::Command { connection, participant, command_id, .. } => {
                *participant = self.player_at(mirror, connection.0);
                let place = usize::try_from(connection.0 - 1).expect("sockets of a mirror are counted from one");
                *command_id = CommandId { session: self.sessions[mirror][place], ..*command_id };
            }
            ToOwner::Attach { connection, participant, .. } | ToOwner::Detach { connection, participant, .. } => {
                *participant = self.player_at(mirror, connection.0);
            }
            ToOwner::Hello | ToOwner::Unsubscribe | ToOwner::Request { .. } => {}
        }
        BusMessage { from: mirror, load: Load::Up(frame), ..*message }
    }

    /// The player at a socket of a node.
    pub fn player_at(&self, node: usize, connection: u64) -> Participant {
        participant(self.players_from[node] + connection)
    }
}

impl World {
    /// A message from one node to another, ready after `after` nanoseconds.
    pub fn put(&mut self, (from, to): (usize, usize), message: BusMessage, after: u64) {
        self.count(&message, 1);
        let lane = &mut self.nodes[from].lanes[to];
        if !lane.put(message) {
            self.meters.lost += 1;
        } else if !lane.writing {
            lane.writing = true;
            self.at(self.now + after, What::Write(from, to));
        }
    }

    fn count(&mut self, message: &BusMessage, times: u64) {
        let (meters, bytes) = (&mut self.meters, message.bytes * times);
        match &message.load {
            Load::Up(frame) => {
                meters.bytes_up += bytes;
                match frame {
                    ToOwner::Command { .. } => meters.commands += times,
                    _ => meters.other_up += times,
                }
            }
            Load::Down(FromOwner { message, .. }) if is_committed(message) => {
                meters.committed += times;
                meters.bytes_committed += bytes;
            }
            Load::Down(FromOwner { message: ToEdge::Done { .. }, .. }) => {
                meters.done += times;
                meters.bytes_done += bytes;
            }
            Load::Down(FromOwner { message, .. }) => {
                meters.bytes_other += bytes;
                match message {
                    ToEdge::Heartbeat { .. } => meters.heartbeats += times,
                    _ => meters.other_down += times,
                }
            }
        }
    }

    pub fn write_lane(&mut self, from: usize, to: usize) {
        let Some(entry) = self.nodes[from].lanes[to].take() else {
            self.nodes[from].lanes[to].writing = false;
            return;
        };
        self.nodes[from].cores.busy[BESIDE] += self.costs.batch;
        let at = self.now + self.costs.batch + self.costs.network;
        if let Some(mirrors) = self.mirrors.take_if(|mirrors| mirrors.model == from) {
            for mirror in mirrors.first..mirrors.model {
                let messages = entry.messages.iter().map(|message| mirrors.mirrored(mirror, message)).collect();
                entry.messages.iter().for_each(|message| self.count(message, 1));
                self.at(at, What::Add(mirror, to, Entry { messages, bytes: entry.bytes }));
            }
            self.mirrors = Some(mirrors);
        }
        self.at(at, What::Add(from, to, entry));
    }

    pub fn add_to_stream(&mut self, from: usize, to: usize, entry: Entry) {
        self.meters.redis_adds += 1;
        self.meters.redis_in += entry.bytes;
        let done = self.redis.run(self.now, self.costs.redis_add + entry.bytes * self.costs.redis_byte_ps / 1_000);
        if !self.is_mirror(from) {
            self.at(done + self.costs.network, What::Write(from, to));
        }
        if self.is_mirror(to) {
            self.answer_read(entry.bytes);
            return;
        }
        self.nodes[to].stream.push_back(entry);
        if self.nodes[to].waits {
            self.nodes[to].waits = false;
            self.read_inbox(to);
        }
    }

    fn is_mirror(&self, node: usize) -> bool {
        self.mirrors.as_ref().is_some_and(|mirrors| mirrors.has(node))
    }

    /// The time when Redis has sent this many bytes.
    fn answer_read(&mut self, bytes: u64) -> u64 {
        self.meters.redis_reads += 1;
        self.meters.redis_out += bytes;
        self.redis.run(self.now, self.costs.redis_read + bytes * self.costs.redis_byte_ps / 1_000)
    }

    pub fn read_inbox(&mut self, node: usize) {
        let count = self.nodes[node].stream.len().min(COUNT);
        if count == 0 {
            self.nodes[node].waits = true;
            return;
        }
        let entries: Vec<Entry> = self.nodes[node].stream.drain(..count).collect();
        let given = self.answer_read(entries.iter().map(|entry| entry.bytes).sum());
        self.at(given + self.costs.network, What::Entries(node, entries));
    }

    pub fn entries_came(&mut self, node: usize, entries: Vec<Entry>) {
        self.nodes[node].cores.busy[BESIDE] += self.costs.batch;
        self.nodes[node].inbox.extend(entries);
        if !self.nodes[node].inbox_runs {
            self.nodes[node].inbox_runs = true;
            self.make_runnable(node, Task::Inbox);
        }
    }

    /// One entry, then others may have the core.
    pub fn inbox_quantum(&mut self, node: usize) -> u64 {
        let Some(entry) = self.nodes[node].inbox.pop_front() else { return 0 };
        let spent = entry.messages.iter().map(|message| self.cost_of_taking(message)).sum();
        self.at(self.now + spent, What::Deliver(node, entry));
        spent
    }

    fn cost_of_taking(&self, message: &BusMessage) -> u64 {
        let per_byte = match &message.load {
            Load::Down(FromOwner { message, .. }) if is_committed(message) => self.costs.events_byte_ps,
            _ => self.costs.decode_byte_ps,
        };
        self.costs.take_message + message.bytes * per_byte / 1_000
    }

    /// Whether more of the read entries are left.
    pub fn inbox_ran(&mut self, node: usize) -> bool {
        let again = !self.nodes[node].inbox.is_empty();
        self.nodes[node].inbox_runs = again;
        if !again {
            self.at(self.now + self.costs.batch + self.costs.network, What::ReadInbox(node));
        }
        again
    }

    pub fn deliver(&mut self, node: usize, entry: Entry) {
        for BusMessage { game, from, load, .. } in entry.messages {
            match load {
                Load::Up(frame) => self.owner_receives(game, edge_of(from), frame),
                Load::Down(frame) => self.edge_receives(game, node, EdgeInput::FromOwner(frame)),
            }
        }
    }
}
