//! Runs the edge of one game on this node: takes input from sockets, requests and the owner, and writes to sockets.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use quizhall_engine::edge::RequestError;
use quizhall_engine::wire::{Frames, Scores};
use quizhall_engine::{
    BUNDLE_FROM, ConnectionId, Edge, EdgeEffect, EdgeId, EdgeInput, EdgeOptions, FrameKind, FromOwner, Head, RequestId,
    RouteInput, Seat, Time, ToEdge, ToOwner,
};
use quizhall_rules::{Change, PlayerId};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use crate::clock;
use crate::cluster::bus::{Bus as _, Received};
use crate::games::live::Live;
use crate::games::live::attached::AHEAD;
use crate::games::live::jobs::{Job, View};
use crate::games::node::Node;
use crate::games::options::GameOptions;
use crate::games::reading;
use crate::telemetry::metrics;

/// Most inputs taken at once.
const BATCH: usize = 1_024;
/// Most reads that wait for the state or the log; beyond this, most callers have given up.
const VIEWS: usize = 65_536;
/// Score frames written between two yields.
const SCORES: usize = 256;

pub(in crate::games) struct EdgeTask {
    pub node: Arc<Node>,
    pub live: Arc<Live>,
    pub edge: EdgeId,
    pub options: EdgeOptions,
    pub jobs: mpsc::Receiver<Job>,
    pub frames: mpsc::Receiver<Received<FromOwner>>,
    /// Receives what was read in the log; the engine has only one read under way.
    pub read: mpsc::Sender<EdgeInput>,
    pub stored: mpsc::Receiver<EdgeInput>,
    pub replies: HashMap<RequestId, oneshot::Sender<Result<(), RequestError>>>,
    /// Reads that wait for the first state.
    pub views: Vec<View>,
    /// Reads that wait for the log, each with the number of the log read that is recent enough: the next one to begin.
    pub fresh_views: Vec<(u64, View)>,
    /// Sockets that wait for their sync messages.
    pub unshown: Vec<(ConnectionId, View)>,
    /// Log reads begun so far.
    pub readings: u64,
    /// Frames for the owner that are sent together; empty between two runs of effects.
    pub to_owner: Vec<ToOwner>,
    /// The last value of `RouteInput::Wanted` sent to the supervisor.
    pub wanted: bool,
    /// The game is closed for good.
    pub closed: bool,
}

/// Why an edge stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::games) enum Ending {
    /// The game was not used for a while, or the node is stopping.
    Idle,
    /// The game is closed for good.
    Closed,
}

impl EdgeTask {
    /// Runs until the game is closed or idle.
    pub async fn run(mut self) -> Ending {
        let mut edge = Edge::new(self.now(), self.options);
        let (mut jobs, mut frames, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        let mut last_use = self.now();
        loop {
            let idle_at = last_use + self.live.idle_after;
            let deadline = edge.next_deadline().map_or(idle_at, |deadline| deadline.min(idle_at));
            let until = deadline.saturating_sub(self.now());
            tokio::select! {
                biased;
                received = self.frames.recv_many(&mut frames, BATCH) => {
                    if received == 0 {
                        return Ending::Idle;
                    }
                }
                Some(stored) = self.stored.recv() => {
                    let is_read = !matches!(stored, EdgeInput::StateRead(None));
                    edge.step(self.now(), stored, &mut effects);
                    // This comes before a handle is notified that its socket was sent the sync messages.
                    self.carry_out(&mut edge, &mut effects).await;
                    self.log_was_read(&mut edge, is_read, &mut effects);
                }
                received = self.jobs.recv_many(&mut jobs, BATCH) => {
                    last_use = self.now();
                    if received == 0 {
                        return Ending::Idle;
                    }
                }
                () = self.live.stop.cancelled() => return Ending::Idle,
                () = sleep(until) => edge.step(self.now(), EdgeInput::Tick, &mut effects),
            }
            self.carry_out(&mut edge, &mut effects).await;
            for Received { what: frame, sent_after } in frames.drain(..) {
                self.note_events(&frame);
                let recent = self.options.liveness.is_recent(clock::since(sent_after));
                let input = if recent { EdgeInput::FromOwner(frame) } else { EdgeInput::FromOwnerLate(frame) };
                edge.step(self.now(), input, &mut effects);
                self.carry_out(&mut edge, &mut effects).await;
                self.answer_views(&edge);
            }
            self.take_all(&mut edge, &mut jobs, &mut effects).await;
            let now = self.now();
            // Under constant load the sleep above is never reached.
            if edge.next_deadline().is_some_and(|deadline| deadline <= now) {
                edge.step(now, EdgeInput::Tick, &mut effects);
                self.carry_out(&mut edge, &mut effects).await;
            }
            self.note(&edge);
            // The answer to the command that closed the game comes after the event.
            if self.closed && edge.waiting() == 0 {
                return Ending::Closed;
            }
            // An owner here serves sockets on every node.
            if self.wanted || self.live.is_in_use() {
                last_use = now;
            } else if now >= last_use + self.live.idle_after {
                return Ending::Idle;
            }
        }
    }

    fn now(&self) -> Time {
        self.node.clockwork.now()
    }

    /// Takes jobs in order. Consecutive messages go to the owner together. Every other job may be answered at once, but
    /// only after the frames of earlier jobs have reached the sockets.
    async fn take_all(&mut self, edge: &mut Edge, jobs: &mut Vec<Job>, effects: &mut Vec<EdgeEffect>) {
        for job in jobs.drain(..) {
            let alone = !matches!(job, Job::Message { .. });
            if alone {
                self.carry_out(edge, effects).await;
            }
            self.take(edge, job, effects);
            if alone {
                self.carry_out(edge, effects).await;
            }
        }
        self.carry_out(edge, effects).await;
    }

    fn take(&mut self, edge: &mut Edge, job: Job, effects: &mut Vec<EdgeEffect>) {
        edge.set_oldest_log(self.node.oldest_log());
        let input = match job {
            Job::Attach { seat, connection } => {
                let (id, dialect, address) = (connection.id(), connection.dialect(), connection.address());
                self.live.attached.insert(connection);
                edge.set_owner_here(self.live.owner_here());
                match seat {
                    Seat::Participant(holder) => EdgeInput::Attach(id, holder, dialect),
                    Seat::Viewer(viewer) => EdgeInput::AttachViewer(id, viewer, address),
                }
            }
            Job::Message { connection, message, closings_written, elapsed } => {
                EdgeInput::Message { connection, message, closings_written, elapsed }
            }
            Job::Detached { connection, clean } => {
                self.live.attached.remove(connection);
                EdgeInput::Detached(connection, clean)
            }
            Job::Request { actor, command, reply } => {
                let request = RequestId(self.node.clockwork.next_number());
                self.replies.insert(request, reply);
                EdgeInput::Request(request, actor, command)
            }
            // Dropped: the caller gets an error and may try again.
            Job::View(_) | Job::FreshView(_) | Job::Shown(..) if self.waiting_views() >= VIEWS => return,
            Job::Shown(connection, view) if edge.waits_for_log(connection) => {
                return self.unshown.push((connection, view));
            }
            Job::View(view) | Job::Shown(_, view) => {
                self.views.push(view);
                self.answer_views(edge);
                if self.views.is_empty() {
                    return;
                }
                // A game needs no owner for reading its state.
                EdgeInput::Refresh
            }
            Job::FreshView(view) => {
                // A log read that is under way may have begun before the requested change was stored.
                self.fresh_views.push((self.readings + 1, view));
                EdgeInput::Refresh
            }
            Job::Replica(reply) => {
                // The supervisor may have read the log meanwhile.
                let _ = reply.send(edge.head().and_then(|_| edge.replica()));
                return;
            }
            Job::Snapshot => {
                if let Some(snapshot) = edge.snapshot() {
                    self.node.snapshots.offer(self.live.id, snapshot);
                }
                return;
            }
            Job::OwnerMoved => EdgeInput::OwnerMoved,
        };
        edge.step(self.now(), input, effects);
    }

    fn waiting_views(&self) -> usize {
        self.views.len() + self.fresh_views.len() + self.unshown.len()
    }

    /// Answers reads that need the present log, and never with an older state: a player that joined through another
    /// node a moment ago must not be refused because the database is unreachable.
    fn log_was_read(&mut self, edge: &mut Edge, is_read: bool, effects: &mut Vec<EdgeEffect>) {
        let recent = self.readings;
        let ready: Vec<_> = self.fresh_views.extract_if(.., |(needed, _)| *needed <= recent).collect();
        self.views.extend(ready.into_iter().filter(|_| is_read).map(|(_, view)| view));
        self.answer_views(edge);
        if !self.fresh_views.is_empty() {
            edge.step(self.now(), EdgeInput::Refresh, effects);
        }
    }

    fn answer_views(&mut self, edge: &Edge) {
        let shown = self.unshown.extract_if(.., |(connection, _)| !edge.waits_for_log(*connection));
        self.views.extend(shown.map(|(_, view)| view));
        if let Some(state) = edge.state() {
            for view in self.views.drain(..) {
                view(state);
            }
        }
    }

    /// Carries out effects in order.
    async fn carry_out(&mut self, edge: &mut Edge, effects: &mut Vec<EdgeEffect>) {
        let mut effects = effects.drain(..);
        // Until no more effects than this are left, the sockets of the next ones have been read ahead.
        let mut unread = usize::MAX;
        while let Some(effect) = effects.next() {
            match effect {
                EdgeEffect::ToOwner(frame) => {
                    self.to_owner.push(frame);
                    if !matches!(effects.as_slice(), [EdgeEffect::ToOwner(_), ..]) {
                        self.node.router.to_owner(self.live.id, self.edge, &mut self.to_owner);
                    }
                }
                EdgeEffect::ReadState => {
                    self.readings += 1;
                    self.read_log(edge.seq(), edge.head());
                }
                EdgeEffect::Send(id, frame, kind) => {
                    if effects.len() <= unread {
                        let next = &effects.as_slice()[..effects.len().min(AHEAD)];
                        self.live.attached.read_ahead(next.iter().filter_map(recipient));
                        unread = effects.len() - next.len();
                    }
                    let more = effects.as_slice().iter().take_while(|next| continues(next, id, kind)).count();
                    let frame = run_of(frame, effects.by_ref().take(more));
                    self.live.attached.send(id, frame, kind);
                }
                EdgeEffect::Broadcast(message, kind) => broadcast(&self.live, &message, kind).await,
                EdgeEffect::SendScores(part, players) => send_scores(&self.live, edge, part, &players).await,
                EdgeEffect::Close(id, close) => {
                    if let Some(connection) = self.live.attached.remove(id) {
                        connection.close(close);
                    }
                }
                EdgeEffect::Answer(request, result) => {
                    if let Some(reply) = self.replies.remove(&request) {
                        // The client may have cancelled the handler.
                        let _ = reply.send(result);
                    }
                }
                EdgeEffect::Acknowledged(waited) => metrics::answer_acknowledged(waited),
                EdgeEffect::GameClosed => self.closed = true,
            }
        }
    }

    /// Reads the log in a task of its own, so that the edge continues meanwhile.
    fn read_log(&self, next: u64, head: Option<Head>) {
        let (node, live, read) = (Arc::clone(&self.node), Arc::clone(&self.live), self.read.clone());
        tokio::spawn(async move {
            let stored = reading::behind(node, live, (next, head)).await;
            // The edge may have ended by now.
            let _ = read.send(stored).await;
        });
    }

    /// Counts answers, and logs the start and the end of a game, only on the node that owns the game, so that each is
    /// recorded once.
    fn note_events(&self, frame: &FromOwner) {
        let (ToEdge::Committed { events, .. }, true) = (&frame.message, self.live.is_owned()) else { return };
        let mut answers = 0;
        for event in events.iter() {
            match event.change {
                Change::Answered { .. } | Change::Answers(_) => answers += event.change.weight(),
                Change::Started => tracing::info!(game = %self.live.id, "a game was started"),
                Change::Ended => tracing::info!(game = %self.live.id, "a game has ended"),
                _ => {}
            }
        }
        metrics::answers_stored(answers);
    }

    /// Updates the figures for metrics, and notifies the supervisor whether the owner is needed.
    fn note(&mut self, edge: &Edge) {
        // A closed socket must also be reported to the owner.
        let wanted = edge.socket_count() > 0 || edge.waiting() > 0 || edge.departing() > 0;
        if wanted != self.wanted && self.live.notify_supervisor(RouteInput::Wanted(wanted)) {
            self.wanted = wanted;
        }
        // Until the first state exists, the database's record is the best known value.
        if let Some(state) = edge.state() {
            self.live.phase.store(state.phase() as usize, Ordering::Relaxed);
        }
        self.live.waiting.store(edge.waiting(), Ordering::Relaxed);
    }
}

/// The engine's part of the options.
pub(in crate::games) fn options(games: &GameOptions) -> EdgeOptions {
    let GameOptions { command_timeout, linger, player_limit, most_spectators, liveness, .. } = *games;
    EdgeOptions { command_timeout, linger, player_limit, bundle_from: bundle_from(), most_spectators, liveness }
}

/// The least number of players of a game in which answers travel together. A debug build, and one for tests with real faults, takes another
/// one from the environment, so that these tests have such answers in small games.
fn bundle_from() -> usize {
    let is_for_tests = cfg!(any(debug_assertions, feature = "small-bundles"));
    let other = is_for_tests.then(|| std::env::var("TEST_BUNDLE_FROM").ok()).flatten();
    other.and_then(|players| players.parse().ok()).unwrap_or(BUNDLE_FROM)
}

async fn broadcast(live: &Live, message: &Frames, kind: FrameKind) {
    let begun = clock::now();
    let recipients = live.attached.broadcast(message, kind).await;
    metrics::broadcast_observed(clock::since(begun), recipients);
}

async fn send_scores(live: &Live, edge: &Edge, part: Scores, players: &[(ConnectionId, PlayerId)]) {
    let begun = clock::now();
    for chunk in players.chunks(SCORES) {
        for (id, player) in chunk {
            if live.attached.has(*id)
                && let Some(frame) = edge.scores(*id, *player, part)
            {
                live.attached.send(*id, frame, FrameKind::Queued);
            }
        }
        tokio::task::yield_now().await;
    }
    metrics::broadcast_observed(clock::since(begun), players.len());
}

/// The socket to which the effect sends a frame, if it does.
fn recipient(effect: &EdgeEffect) -> Option<ConnectionId> {
    match effect {
        EdgeEffect::Send(id, ..) => Some(*id),
        _ => None,
    }
}

/// Whether the effect sends another frame of this kind, to be queued in order, to the same socket.
fn continues(effect: &EdgeEffect, socket: ConnectionId, kind: FrameKind) -> bool {
    let queued = kind == FrameKind::Queued;
    queued && matches!(effect, EdgeEffect::Send(id, _, FrameKind::Queued) if *id == socket)
}

/// Joins frames for one socket into one run: there is one write, and whole sync messages and reviews fit into an empty
/// queue however many they are. Otherwise a socket that returns to a hundred open questions would exceed its bound at
/// once, each time.
fn run_of(first: Bytes, more: impl Iterator<Item = EdgeEffect>) -> Bytes {
    let mut run = None::<Vec<u8>>;
    for effect in more {
        if let EdgeEffect::Send(_, frame, _) = effect {
            run.get_or_insert_with(|| first.to_vec()).extend_from_slice(&frame);
        }
    }
    run.map_or(first, Bytes::from)
}
