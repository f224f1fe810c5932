//! The ownership supervisor of one live game: knows which node owns the game, makes this node the owner when no other
//! is, and releases the game.
//!
//! One task per live game. Drives the engine's `Route` with frames of the router and rows of the database; starts and
//! stops the owner's task. Never touches a socket or decides a rule of the game.

mod claiming;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, OptionFuture};
use quizhall_engine::{Claimed, EdgeId, FromOwner, OwnerInput, OwnerOptions, Route, RouteEffect, RouteInput};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinError;
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

use self::claiming::Attempt;
use crate::cluster::bus::Bus as _;
use crate::games::live::Live;
use crate::games::live::jobs::{HandOver, Heir, Order};
use crate::games::node::Node;
use crate::games::owner::{self, OwnerTask};
use crate::telemetry::metrics;

/// How long an owner may take to write what it decided before it releases the game.
const LAST_WRITE: Duration = Duration::from_secs(5);
/// How long an owner may take to count its sockets; without the count, the zone of the game is not known.
const COUNTED: Duration = Duration::from_millis(200);
/// Capacity of the owner's queue of orders; the supervisor sends one at a time.
const ORDERS: usize = 64;

pub(in crate::games) struct OwnershipSupervisor {
    pub node: Arc<Node>,
    pub live: Arc<Live>,
    pub orders: mpsc::Receiver<Order>,
    pub route_updates: mpsc::Receiver<RouteInput>,
}

/// Why a supervisor stopped by itself.
#[derive(Debug)]
pub(in crate::games) enum Ending {
    /// Another process owns the game and cannot be reached.
    Fenced,
    /// The log cannot be read.
    Unreadable,
    /// The owner's task panicked.
    Died(JoinError),
    /// The game left memory, or the node is stopping.
    Stopped,
}

/// An owner that runs here, always with its supervisor.
struct LocalOwner {
    task: AbortOnDropHandle<owner::Ending>,
    orders: mpsc::Sender<OwnerInput>,
    counts: mpsc::Sender<oneshot::Sender<Vec<(EdgeId, usize)>>>,
}

/// The result of a query.
enum Answer {
    Record(Option<(quizhall_engine::Record, Option<Uuid>)>),
    Attempt(Attempt),
}

struct Supervision {
    supervisor: OwnershipSupervisor,
    route: Route,
    owner: Option<LocalOwner>,
    asked: OptionFuture<BoxFuture<'static, Answer>>,
    /// The recorded owner at the last read.
    on_record: Option<Uuid>,
    ended: Option<Ending>,
}

impl OwnershipSupervisor {
    /// Runs until the game leaves memory; then releases it.
    pub async fn run(self) -> Ending {
        let route = Route::new(self.node.clockwork.now(), self.node.router.me());
        let mut supervision =
            Supervision { supervisor: self, route, owner: None, asked: None.into(), on_record: None, ended: None };
        supervision.run().await
    }
}

impl Supervision {
    async fn run(&mut self) -> Ending {
        self.step(RouteInput::Wanted(false));
        loop {
            let now = self.now();
            let deadline = self.route.next_deadline().map(|at| sleep(at.saturating_sub(now)));
            let owner = self.owner.as_mut().map(|local| &mut local.task);
            tokio::select! {
                () = self.supervisor.live.stop.cancelled() => {
                    self.retire(None).await;
                    return Ending::Stopped;
                }
                Some(answer) = &mut self.asked => {
                    self.asked = None.into();
                    self.answered(answer);
                }
                Some(ended) = OptionFuture::from(owner) => {
                    self.owner_ended(ended).await;
                }
                Some(order) = self.supervisor.orders.recv() => self.handle_order(order).await,
                Some(route_updates) = self.supervisor.route_updates.recv() => self.step(route_updates),
                Some(()) = OptionFuture::from(deadline) => self.step(RouteInput::Tick),
            }
            if let Some(ended) = self.ended.take() {
                self.dismiss();
                return ended;
            }
        }
    }

    fn now(&self) -> Duration {
        self.supervisor.node.clockwork.now()
    }

    fn step(&mut self, input: RouteInput) {
        if let RouteInput::OwnerSeen { epoch, .. } = input {
            self.supervisor.live.owner_elsewhere.send_if_modified(|seen| {
                let is_newer = epoch > *seen;
                *seen = epoch.max(*seen);
                is_newer
            });
        }
        let mut effects = Vec::new();
        self.route.step(self.now(), input, &mut effects);
        let place = self.route.place();
        self.supervisor.node.router.set_place(self.supervisor.live.id, place);
        for effect in effects {
            let (node, game) = (Arc::clone(&self.supervisor.node), self.supervisor.live.id);
            match effect {
                RouteEffect::ReadRecord => {
                    let read = async move { Answer::Record(claiming::read_record(node, game).await) };
                    self.asked = Some(read.boxed()).into();
                }
                RouteEffect::Claim { from } => {
                    let from = self.on_record.filter(|node| Some(EdgeId::of_node(*node)) == from);
                    let live = Arc::clone(&self.supervisor.live);
                    let claim = async move { Answer::Attempt(claiming::claim(node, live, from).await) };
                    self.asked = Some(claim.boxed()).into();
                }
                RouteEffect::Moved => self.supervisor.live.owner_moved(),
                RouteEffect::Dismiss => self.dismiss(),
            }
        }
    }

    fn answered(&mut self, answer: Answer) {
        match answer {
            Answer::Record(None) => self.step(RouteInput::Record(None)),
            Answer::Record(Some((record, on_record))) => {
                self.on_record = on_record;
                self.step(RouteInput::Record(Some(record)));
            }
            Answer::Attempt(Attempt::Won(options, since)) => {
                let epoch = options.state.epoch();
                // This comes before the place is published, so that no frame for the owner arrives too early.
                self.start_owner(*options);
                self.step(RouteInput::Claimed(Claimed::Won { epoch, since }));
            }
            Answer::Attempt(Attempt::Given(to)) => self.step(RouteInput::Claimed(Claimed::Given { to })),
            Answer::Attempt(Attempt::Lost) => self.step(RouteInput::Claimed(Claimed::Lost)),
            Answer::Attempt(Attempt::Unknown) => self.step(RouteInput::Claimed(Claimed::Unknown)),
            Answer::Attempt(Attempt::Impossible) => self.ended = Some(Ending::Unreadable),
        }
    }

    async fn handle_order(&mut self, order: Order) {
        match order {
            Order::Route(input) => self.step(input),
            Order::NodeLeft(node) => {
                self.send_to_owner(OwnerInput::EdgeGone(node)).await;
                self.step(RouteInput::Gone(node));
            }
            Order::LookAtLog => self.send_to_owner(OwnerInput::LookAtLog).await,
            Order::HandOver(heir, done) => {
                let outcome = self.hand_over(heir).await;
                // The caller may have timed out.
                let _ = done.send(outcome);
            }
        }
    }

    async fn send_to_owner(&mut self, order: OwnerInput) {
        if let Some(local) = &self.owner {
            // An owner that has just ended needs no order.
            let _ = local.orders.send(order).await;
        }
    }

    /// Starts an owner that has won its claim.
    fn start_owner(&mut self, options: OwnerOptions) {
        let (node, live) = (&self.supervisor.node, &self.supervisor.live);
        let (orders, received) = mpsc::channel(ORDERS);
        let (counts, count_requests) = mpsc::channel(1);
        let task = OwnerTask {
            live: Arc::clone(live),
            snapshots: Arc::clone(&node.snapshots),
            inbox: node.router.open_owner_mailbox(live.id),
            orders: received,
            counts: count_requests,
            bus: Arc::clone(&node.router),
            records: Arc::clone(&node.records),
            appender: node.appender.clone(),
            clockwork: node.clockwork.clone(),
        };
        let announce = orders.try_send(OwnerInput::Announce(node.router.others()));
        debug_assert!(announce.is_ok(), "a fresh channel has room");
        live.owner_starts(options.state.epoch());
        self.owner = Some(LocalOwner { task: AbortOnDropHandle::new(tokio::spawn(task.run(options))), orders, counts });
    }

    /// Drops the owner; the results of its appends in flight are discarded.
    fn dismiss(&mut self) {
        self.owner = None;
        self.unregister_owner();
    }

    fn unregister_owner(&mut self) {
        self.supervisor.node.router.close_owner_mailbox(self.supervisor.live.id);
        self.supervisor.live.no_owner();
    }

    /// Handles the end of the owner; returns whether the record names the successor that it was released to.
    async fn owner_ended(&mut self, ended: Result<owner::Ending, JoinError>) -> bool {
        self.owner = None;
        self.unregister_owner();
        match ended {
            Ok(owner::Ending::Fenced) => {
                metrics::owner_fenced();
                if self.supervisor.node.is_alone() {
                    self.ended = Some(Ending::Fenced);
                } else {
                    self.step(RouteInput::OwnerEnded);
                }
            }
            Ok(owner::Ending::Retired { to, farewell }) => return self.farewell(to, farewell).await,
            Err(error) => self.ended = Some(Ending::Died(error)),
        }
        false
    }

    async fn hand_over(&mut self, heir: Heir) -> HandOver {
        let Some(local) = &self.owner else { return HandOver::Kept };
        let (node, game) = (Arc::clone(&self.supervisor.node), self.supervisor.live.id);
        let to = match heir {
            Heir::Node(to) => Some(to),
            Heir::Best => {
                let sockets = if node.placement.has_zones() { local.sockets().await } else { Vec::new() };
                node.placement.heir(node.clockwork.now(), node.router.me(), game, &sockets)
            }
        };
        let Some(to) = to else { return HandOver::Alone };
        let moved = self.retire(Some(to)).await;
        metrics::handed_over(moved);
        if moved { HandOver::Moved(to) } else { HandOver::Kept }
    }

    /// Releases the game: the owner writes what it has decided, the successor is recorded, and all edges are notified. Returns
    /// whether the record names the successor.
    async fn retire(&mut self, to: Option<EdgeId>) -> bool {
        let Some(local) = &mut self.owner else { return false };
        let _ = local.orders.send(OwnerInput::Retire { to }).await;
        if let Ok(ended) = timeout(LAST_WRITE, &mut local.task).await {
            self.owner_ended(ended).await
        } else {
            tracing::warn!("a game was not written in time; nothing of what is missing was acknowledged");
            self.dismiss();
            // The record still names this node: no other node claims the game, and sockets may wait for an owner.
            self.step(RouteInput::OwnerEnded);
            false
        }
    }

    async fn farewell(&mut self, to: Option<EdgeId>, farewell: Vec<(EdgeId, FromOwner)>) -> bool {
        let mut is_recorded = false;
        let (node, game) = (Arc::clone(&self.supervisor.node), self.supervisor.live.id);
        if !node.is_alone() {
            let (me, successor) = (node.incarnation(), to.and_then(|to| node.incarnation_of(to)));
            // If this fails, this node claims the game again, or others do once it has left the list.
            let moved = node.with_timeout(node.records.release(me, game, successor)).await;
            is_recorded = matches!(moved, Ok(true)) && successor.is_some();
            if let Ok(false) = moved {
                tracing::warn!("a game that was let go of had another owner on record");
            }
        }
        for (edge, frame) in farewell {
            node.router.to_edge(game, edge, frame);
        }
        self.step(RouteInput::OwnerEnded);
        is_recorded
    }
}

impl LocalOwner {
    /// The edges with the sockets of the game; none when the owner does not answer.
    async fn sockets(&self) -> Vec<(EdgeId, usize)> {
        let (reply, counted) = oneshot::channel();
        let _ = self.counts.send(reply).await;
        timeout(COUNTED, counted).await.ok().and_then(Result::ok).unwrap_or_default()
    }
}
