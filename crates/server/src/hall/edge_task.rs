//! Runs the edge of one game on this node: sockets, requests and the owner's frames in; writes to sockets out.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use quizhall_engine::edge::RequestError;
use quizhall_engine::{
    ConnectionId, Edge, EdgeEffect, EdgeId, EdgeInput, EdgeOptions, FrameKind, FromOwner, Message, Participant,
    RequestId, ToEdge,
};
use quizhall_rules::{Actor, Change, Command, PlayerId, State};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use super::attached::Audience;
use super::registry::{Clockwork, Live};
use crate::bus::Bus;
use crate::clock;
use crate::socket::Connection;
use crate::telemetry::metrics;

/// Inputs taken in one go.
const BATCH: usize = 1_024;
/// Score frames written between two yields.
const SCORES: usize = 256;

/// A read from the committed state.
pub(super) type View = Box<dyn FnOnce(&State) + Send>;

/// What sockets and HTTP handlers ask of a game.
pub(super) enum Job {
    Attach {
        participant: Participant,
        connection: Arc<Connection>,
    },
    /// `round_ends` as [`Connection::round_ends`] counted when the message was read.
    Message {
        connection: ConnectionId,
        message: Message,
        round_end_unwritten: bool,
        round_ends: u32,
    },
    Detached {
        connection: ConnectionId,
        clean: bool,
    },
    Request {
        actor: Actor,
        command: Command,
        reply: oneshot::Sender<Result<(), RequestError>>,
    },
    View(View),
}

pub(super) struct EdgeTask {
    pub live: Arc<Live>,
    pub edge: EdgeId,
    pub options: EdgeOptions,
    pub jobs: mpsc::Receiver<Job>,
    pub frames: mpsc::Receiver<FromOwner>,
    pub bus: Arc<dyn Bus>,
    pub clockwork: Clockwork,
    pub replies: HashMap<RequestId, oneshot::Sender<Result<(), RequestError>>>,
    /// Reads that wait for the first state.
    pub views: Vec<View>,
    /// The game is closed for good.
    pub closed: bool,
}

/// Why an edge stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nobody wanted the game for a while, or the node stops.
    Idle,
    /// The game is closed for good.
    Closed,
    /// The owner is gone.
    Orphaned,
}

impl EdgeTask {
    /// Runs until the game is closed, idle, or has lost its owner.
    pub async fn run(mut self) -> Ending {
        let mut edge = Edge::new(self.clockwork.now(), self.options);
        let (mut jobs, mut frames, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        let mut last_use = self.clockwork.now();
        loop {
            let idle_at = last_use + self.live.idle_after;
            let deadline = edge.next_deadline().map_or(idle_at, |deadline| deadline.min(idle_at));
            let until = deadline.saturating_sub(self.clockwork.now());
            tokio::select! {
                biased;
                received = self.frames.recv_many(&mut frames, BATCH) => {
                    if received == 0 {
                        return Ending::Orphaned;
                    }
                }
                received = self.jobs.recv_many(&mut jobs, BATCH) => {
                    last_use = self.clockwork.now();
                    if received == 0 {
                        return Ending::Idle;
                    }
                }
                () = self.live.stop.cancelled() => return Ending::Idle,
                () = sleep(until) => edge.step(self.clockwork.now(), EdgeInput::Tick, &mut effects),
            }
            self.carry_out(&mut edge, &mut effects).await;
            for frame in frames.drain(..) {
                count_answers(&frame);
                edge.step(self.clockwork.now(), EdgeInput::FromOwner(frame), &mut effects);
                self.carry_out(&mut edge, &mut effects).await;
                self.answer_views(&edge);
            }
            for job in jobs.drain(..) {
                self.take(&mut edge, job, &mut effects);
                self.carry_out(&mut edge, &mut effects).await;
            }
            let now = self.clockwork.now();
            // Under constant load the sleep above is never reached.
            if edge.next_deadline().is_some_and(|deadline| deadline <= now) {
                edge.step(now, EdgeInput::Tick, &mut effects);
                self.carry_out(&mut edge, &mut effects).await;
            }
            self.note(&edge);
            // The answer to whoever closed the game comes right behind the news of it.
            if self.closed && edge.waiting() == 0 {
                return Ending::Closed;
            }
            if edge.socket_count() > 0 || edge.waiting() > 0 {
                last_use = now;
            } else if now >= last_use + self.live.idle_after {
                return Ending::Idle;
            }
        }
    }

    fn take(&mut self, edge: &mut Edge, job: Job, effects: &mut Vec<EdgeEffect>) {
        let now = self.clockwork.now();
        let input = match job {
            Job::Attach { participant, connection } => {
                let (id, dialect) = (connection.id(), connection.dialect());
                self.live.attached.insert(connection);
                EdgeInput::Attach(id, participant, dialect)
            }
            Job::Message { connection, message, round_end_unwritten, round_ends } => {
                // A round may have ended on this socket while the message waited here for its turn.
                let since = self.live.attached.get(connection).is_some_and(|here| here.round_ends() != round_ends);
                EdgeInput::Message { connection, message, round_end_unwritten: round_end_unwritten || since }
            }
            Job::Detached { connection, clean } => {
                self.live.attached.remove(connection);
                EdgeInput::Detached(connection, clean)
            }
            Job::Request { actor, command, reply } => {
                let request = RequestId(self.clockwork.next_number());
                self.replies.insert(request, reply);
                EdgeInput::Request(request, actor, command)
            }
            Job::View(view) => {
                self.views.push(view);
                return self.answer_views(edge);
            }
        };
        edge.step(now, input, effects);
    }

    fn answer_views(&mut self, edge: &Edge) {
        if let Some(state) = edge.state() {
            for view in self.views.drain(..) {
                view(state);
            }
        }
    }

    /// Carries out effects in order.
    async fn carry_out(&mut self, edge: &mut Edge, effects: &mut Vec<EdgeEffect>) {
        let mut effects = effects.drain(..).peekable();
        while let Some(effect) = effects.next() {
            match effect {
                EdgeEffect::ToOwner(frame) => self.bus.to_owner(self.live.id, self.edge, frame),
                EdgeEffect::Send(id, frame, kind) => {
                    let more = std::iter::from_fn(|| effects.next_if(|next| continues(next, id, kind)));
                    let frame = run_of(frame, more);
                    if let Some(connection) = self.live.attached.get(id) {
                        connection.send(frame, kind);
                    }
                }
                EdgeEffect::Broadcast(frame, kind) => broadcast(&self.live, Audience::All, &frame, kind).await,
                EdgeEffect::BroadcastV1(frame, kind) => broadcast(&self.live, Audience::V1, &frame, kind).await,
                EdgeEffect::SendScores(players) => send_scores(&self.live, edge, &players).await,
                EdgeEffect::Close(id, close) => {
                    if let Some(connection) = self.live.attached.remove(id) {
                        connection.close(close);
                    }
                }
                EdgeEffect::Answer(request, result) => {
                    if let Some(reply) = self.replies.remove(&request) {
                        // The handler may have been cancelled by its client.
                        let _ = reply.send(result);
                    }
                }
                EdgeEffect::GameClosed => self.closed = true,
            }
        }
    }

    /// Keeps the figures that metrics read.
    fn note(&self, edge: &Edge) {
        let phase = edge.state().map_or(0, |state| state.phase() as usize);
        self.live.phase.store(phase, Ordering::Relaxed);
        self.live.waiting.store(edge.waiting(), Ordering::Relaxed);
    }
}

/// The engine's options out of the hall's.
pub(super) fn options(hall: &super::HallOptions) -> EdgeOptions {
    EdgeOptions { command_timeout: hall.command_timeout, linger: hall.linger }
}

fn count_answers(frame: &FromOwner) {
    if let ToEdge::Committed { events, .. } = &frame.message {
        let answers = events.iter().filter(|event| matches!(event.change, Change::Answered { .. })).count();
        metrics::answers_stored(answers);
    }
}

async fn broadcast(live: &Live, audience: Audience, frame: &Bytes, kind: FrameKind) {
    let begun = clock::now();
    let recipients = live.attached.broadcast(audience, frame, kind).await;
    metrics::broadcast_observed(clock::since(begun), recipients);
}

async fn send_scores(live: &Live, edge: &Edge, players: &[(ConnectionId, PlayerId)]) {
    let begun = clock::now();
    for chunk in players.chunks(SCORES) {
        for (id, player) in chunk {
            if let (Some(connection), Some(frame)) = (live.attached.get(*id), edge.scores(*player)) {
                connection.send(frame, FrameKind::Queued);
            }
        }
        tokio::task::yield_now().await;
    }
    metrics::broadcast_observed(clock::since(begun), players.len());
}

/// Whether the effect sends more to the same socket, to be queued in order.
fn continues(effect: &EdgeEffect, socket: ConnectionId, kind: FrameKind) -> bool {
    let queued = kind == FrameKind::Queued;
    queued && matches!(effect, EdgeEffect::Send(id, _, FrameKind::Queued) if *id == socket)
}

/// Frames for one socket as one run: one write, and whole standing messages and reviews fit an empty queue whatever
/// their number. Otherwise a socket that comes back to a hundred open questions would be over its bound at once, each time.
fn run_of(first: Bytes, more: impl Iterator<Item = EdgeEffect>) -> Bytes {
    let mut run = None::<Vec<u8>>;
    for effect in more {
        if let EdgeEffect::Send(_, frame, _) = effect {
            run.get_or_insert_with(|| first.to_vec()).extend_from_slice(&frame);
        }
    }
    run.map_or(first, Bytes::from)
}
