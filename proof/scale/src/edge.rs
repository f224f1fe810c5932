//! The task of an edge, as `games/edge/mod.rs` runs it: inputs in turn, effects in order,
//! and a broadcast that is waited for.

use std::collections::{HashMap, VecDeque};

use quizhall_engine::edge::StoredState;
use quizhall_engine::wire::Recipient;
use quizhall_engine::{ConnectionId, Edge, EdgeEffect, EdgeId, EdgeInput, FromOwner, Message, ToEdge, ToOwner};
use quizhall_rules::{Change, Event};

use super::machine::{BESIDE, Task};
use super::message::{self, BusMessage, Load};
use super::world::{FEW, What, World, nanos, time};

/// Inputs taken in one go, and score frames between two yields.
const BATCH: usize = 1_024;
const SCORES: usize = 256;
/// Frames that an edge's mailbox holds (`cluster/bus/router.rs`).
const MAILBOX: usize = 131_072;
/// Frames for one socket that are larger were rendered for it.
const RENDERED: usize = 1_024;
/// A read of the log, besides its bytes: ways and look-up.
const LOG_READ: u64 = 1_000_000;

/// An edge, its queue, and its current work.
pub struct EdgeSlot {
    pub edge: Edge,
    pub id: EdgeId,
    frames: VecDeque<FromOwner>,
    stored: VecDeque<EdgeInput>,
    pub jobs: VecDeque<(ConnectionId, Message)>,
    effects: VecDeque<EdgeEffect>,
    scores: usize,
    /// Parts of a broadcast that are not sent yet.
    parts: usize,
    runs: bool,
    pub tick_at: Option<u64>,
    /// When the message of each socket came in.
    pub asked: HashMap<ConnectionId, u64>,
    /// When each broadcast, and the scores, had been written to the last socket.
    pub shown: Vec<u64>,
    pub scored_at: Option<u64>,
}

impl EdgeSlot {
    pub fn new(edge: Edge, id: EdgeId) -> Self {
        Self {
            edge,
            id,
            frames: VecDeque::new(),
            stored: VecDeque::new(),
            jobs: VecDeque::new(),
            effects: VecDeque::new(),
            scores: 0,
            parts: 0,
            runs: false,
            tick_at: None,
            asked: HashMap::new(),
            shown: Vec::new(),
            scored_at: None,
        }
    }

    fn has_work(&self, now: u64) -> bool {
        let due = self.edge.next_deadline().is_some_and(|due| nanos(due) <= now);
        let inputs = !self.frames.is_empty() || !self.jobs.is_empty() || !self.stored.is_empty() || due;
        self.parts == 0 && (inputs || !self.effects.is_empty() || self.scores > 0)
    }

    fn next(&mut self, now: u64) -> Option<EdgeInput> {
        if let Some(frame) = self.frames.pop_front() {
            return Some(EdgeInput::FromOwner(frame));
        }
        if let Some(stored) = self.stored.pop_front() {
            return Some(stored);
        }
        if let Some((connection, message)) = self.jobs.pop_front() {
            return Some(EdgeInput::Message { connection, message, closings_written: u32::MAX, elapsed: None });
        }
        self.edge.next_deadline().is_some_and(|due| nanos(due) <= now).then_some(EdgeInput::Tick)
    }
}

impl World {
    pub fn edge_receives(&mut self, game: usize, node: usize, input: EdgeInput) {
        let Some(slot) = &mut self.games[game].edges[node] else { return };
        match input {
            EdgeInput::FromOwner(_) if slot.frames.len() >= MAILBOX => self.meters.lost += 1,
            EdgeInput::FromOwner(frame) => slot.frames.push_back(frame),
            stored => slot.stored.push_back(stored),
        }
        self.wake_edge(game, node);
    }

    pub fn wake_edge(&mut self, game: usize, node: usize) {
        let Some(slot) = &mut self.games[game].edges[node] else { return };
        if !slot.runs && slot.parts == 0 {
            slot.runs = true;
            self.make_runnable(node, Task::Edge(game));
        }
    }

    /// Whether it has more to do at once.
    pub fn edge_ran(&mut self, node: usize, game: usize) -> bool {
        let now = self.now;
        let Some(slot) = &mut self.games[game].edges[node] else { return false };
        slot.runs = slot.has_work(now);
        let again = slot.runs;
        let due = slot.edge.next_deadline().map(nanos).filter(|due| slot.tick_at.is_none_or(|at| *due < at));
        if let Some(due) = due.filter(|_| !again) {
            slot.tick_at = Some(due);
            self.at(due, What::EdgeTick(game, node));
        }
        again
    }

    pub fn part_sent(&mut self, node: usize, game: usize) {
        let now = self.now;
        let Some(slot) = &mut self.games[game].edges[node] else { return };
        slot.parts -= 1;
        if slot.parts == 0 {
            slot.shown.push(now);
            self.wake_edge(game, node);
        }
    }

    pub fn edge_quantum(&mut self, node: usize, game: usize) -> u64 {
        let Some(mut slot) = self.games[game].edges[node].take() else { return 0 };
        let mut spent = 0;
        let mut effects = Vec::new();
        for _ in 0..BATCH {
            self.carry_out((node, game), &mut slot, &mut spent);
            if slot.parts > 0 || slot.scores > 0 {
                break;
            }
            let Some(input) = slot.next(self.now + spent) else { break };
            spent += self.cost_of(&input, game);
            slot.edge.step(time(self.now + spent), input, &mut effects);
            slot.effects.extend(effects.drain(..));
        }
        self.games[game].edges[node] = Some(slot);
        spent
    }

    fn cost_of(&self, input: &EdgeInput, game: usize) -> u64 {
        let events: &[Event] = match input {
            EdgeInput::FromOwner(FromOwner { message: ToEdge::Committed { events, .. }, .. }) => events,
            EdgeInput::TailRead { events, .. } => events,
            EdgeInput::Message { .. } => return self.costs.edge_message,
            _ => return self.costs.edge_frame,
        };
        self.costs.edge_frame + events.len() as u64 * self.costs.apply + self.boards(game, events)
    }

    /// Scores among these events cost something for each player.
    pub fn boards(&self, game: usize, events: &[Event]) -> u64 {
        let scored = events.iter().any(|event| event.change == Change::ScoresReleased { held: false });
        u64::from(scored) * self.games[game].players * self.costs.board
    }

    /// Carries out effects up to a broadcast, which is waited for.
    fn carry_out(&mut self, (node, game): (usize, usize), slot: &mut EdgeSlot, spent: &mut u64) {
        if slot.scores > 0 {
            let now_sent = slot.scores.min(SCORES);
            slot.scores -= now_sent;
            *spent += now_sent as u64 * self.costs.scores;
            slot.scored_at = Some(self.now + *spent);
            return;
        }
        while let Some(effect) = slot.effects.pop_front() {
            match effect {
                EdgeEffect::ToOwner(frame) => self.send_to_owner((node, game), slot.id, frame, spent),
                EdgeEffect::ReadState => self.read_log((node, game), slot.edge.seq(), spent),
                EdgeEffect::Send(connection, frame, _) => {
                    *spent += self.costs.send;
                    if frame.len() > RENDERED {
                        *spent += frame.len() as u64 * self.costs.encode_byte_ps / 1_000;
                    }
                    self.meters.sent_bytes += frame.len() as u64;
                    if self.acknowledgements.contains(&frame) {
                        let done = self.now + *spent;
                        self.meters.acknowledged += 1;
                        self.last_acknowledged = self.last_acknowledged.max(done);
                        let wait = done - slot.asked.get(&connection).copied().unwrap_or(done);
                        self.waits.push(u32::try_from(wait / 1_000).unwrap_or(u32::MAX));
                    }
                }
                EdgeEffect::Broadcast(message, _) => {
                    let Some(frame) = message.of(Recipient::Plain) else { continue };
                    let sockets = slot.edge.socket_count();
                    self.meters.sent_bytes += (frame.len() * sockets) as u64;
                    if sockets > FEW {
                        let share = sockets.div_ceil(self.costs.writers()).max(FEW);
                        let parts: Vec<Task> = (0..sockets)
                            .step_by(share)
                            .map(|first| Task::Broadcast(game, share.min(sockets - first)))
                            .collect();
                        slot.parts = parts.len();
                        // The edge's own core is free again when this quantum ends, and takes one of them.
                        self.nodes[node].cores.runnable.extend(parts);
                        return;
                    }
                    *spent += sockets as u64 * self.costs.broadcast;
                    slot.shown.push(self.now + *spent);
                }
                EdgeEffect::SendScores(part, players) => {
                    let one =
                        players.first().and_then(|(connection, player)| slot.edge.scores(*connection, *player, part));
                    self.meters.sent_bytes += (one.map_or(0, |frame| frame.len()) * players.len()) as u64;
                    slot.scores = players.len();
                    return;
                }
                EdgeEffect::Close(..) => self.meters.closed += 1,
                EdgeEffect::Answer(..) | EdgeEffect::Acknowledged(_) | EdgeEffect::GameClosed => {}
            }
        }
    }

    fn send_to_owner(&mut self, (node, game): (usize, usize), from: EdgeId, frame: ToOwner, spent: &mut u64) {
        let home = self.games[game].home;
        if node == home {
            *spent += self.costs.hand;
            return self.at(self.now + *spent, What::OwnerReceives(game, from, frame));
        }
        let bytes = message::up(self.games[game].id, from, &frame);
        *spent += self.costs.queue_message + bytes * self.costs.encode_byte_ps / 1_000;
        self.put((node, home), BusMessage { game, from: node, load: Load::Up(frame), bytes }, *spent);
    }

    /// The rows that the edge lacks, as stored at the time of the request.
    fn read_log(&mut self, (node, game): (usize, usize), next: u64, spent: &mut u64) {
        let rows = self.games[game].log.iter().filter(|(first, _, events)| first + events.len() as u64 > next);
        let (mut bytes, mut first, mut tail) = (0, None, Vec::new());
        for (row, size, events) in rows {
            first.get_or_insert(*row);
            bytes += size;
            tail.extend_from_slice(events);
        }
        let cost = bytes * self.costs.events_byte_ps / 1_000;
        self.nodes[node].cores.busy[BESIDE] += cost;
        self.meters.log_reads += 1;
        let read = EdgeInput::TailRead { first: first.unwrap_or(next), events: tail };
        self.at(self.now + *spent + LOG_READ + cost, What::EdgeReceives(game, node, read));
    }
}

/// The first state of an edge.
pub fn first_state(seq: u64, state: quizhall_rules::State) -> EdgeInput {
    EdgeInput::StateRead(Some(Box::new(StoredState { seq, state })))
}
