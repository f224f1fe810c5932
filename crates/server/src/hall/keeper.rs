//! Keeps one game of this node: knows where its owner is, becomes the owner when nobody else is, and lets go of the game.
//!
//! One task per live game. Drives the engine's `Route` with what the exchange hears and the database says; starts and ends
//! the owner's task. Never touches a socket or decides a rule of the game.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, OptionFuture};
use quizhall_engine::{Claimed, EdgeId, FromOwner, OwnerInput, OwnerOptions, Place, Route, RouteEffect, RouteInput};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinError;
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

use super::claiming::{self, Attempt};
use super::owner_task::{self, OwnerTask};
use super::registry::{Inner, Live};
use crate::bus::Bus as _;
use crate::telemetry::metrics;

/// How long an owner may take to write what it decided when it has to let go.
const LAST_WRITE: Duration = Duration::from_secs(5);
/// Orders for an owner; one at a time is given.
const ORDERS: usize = 64;

/// What the node asks of a keeper.
#[derive(Debug)]
pub(super) enum Order {
    /// Something about other nodes, or about who needs the owner.
    Route(RouteInput),
    /// A node is gone with its sockets.
    Gone(EdgeId),
    /// The database may have forgotten something.
    LookAtLog,
    /// Let go of the game, if it is owned here, in favour of somebody or of whoever wants it; then say so.
    Retire(Option<EdgeId>, oneshot::Sender<()>),
}

pub(super) struct Keeper {
    pub inner: Arc<Inner>,
    pub live: Arc<Live>,
    pub orders: mpsc::Receiver<Order>,
    pub news: mpsc::Receiver<RouteInput>,
}

/// Why a keeper stopped by itself.
#[derive(Debug)]
pub(super) enum Ending {
    /// Another process has the game, and there is no way to it.
    Fenced,
    /// The log cannot be read.
    Unreadable,
    /// The owner's task died of a fault of ours.
    Died(JoinError),
    /// The game left memory, or the node stops.
    Stopped,
}

/// An owner that runs here, and never without its keeper.
struct Seated {
    task: AbortOnDropHandle<owner_task::Ending>,
    orders: mpsc::Sender<OwnerInput>,
}

/// What a question to the database came to.
enum Answer {
    Record(Option<(quizhall_engine::Record, Option<Uuid>)>),
    Attempt(Attempt),
}

struct Keeping {
    keeper: Keeper,
    route: Route,
    owner: Option<Seated>,
    asked: OptionFuture<BoxFuture<'static, Answer>>,
    /// Who was on record when it was read last.
    on_record: Option<Uuid>,
    ended: Option<Ending>,
}

impl Keeper {
    /// Runs until the game leaves memory; then it is let go of.
    pub async fn run(self) -> Ending {
        let route = Route::new(self.inner.clockwork.now(), self.inner.exchange.me());
        let mut keeping =
            Keeping { keeper: self, route, owner: None, asked: None.into(), on_record: None, ended: None };
        keeping.run().await
    }
}

impl Keeping {
    async fn run(&mut self) -> Ending {
        self.step(RouteInput::Wanted(false));
        loop {
            let now = self.now();
            let deadline = self.route.next_deadline().map(|at| sleep(at.saturating_sub(now)));
            let owner = self.owner.as_mut().map(|seated| &mut seated.task);
            tokio::select! {
                () = self.keeper.live.stop.cancelled() => {
                    self.retire(None).await;
                    return Ending::Stopped;
                }
                Some(answer) = &mut self.asked => {
                    self.asked = None.into();
                    self.answered(answer);
                }
                Some(ended) = OptionFuture::from(owner) => self.owner_ended(ended).await,
                Some(order) = self.keeper.orders.recv() => self.obey(order).await,
                Some(news) = self.keeper.news.recv() => self.step(news),
                Some(()) = OptionFuture::from(deadline) => self.step(RouteInput::Tick),
            }
            if let Some(ended) = self.ended.take() {
                self.dismiss();
                return ended;
            }
        }
    }

    fn now(&self) -> Duration {
        self.keeper.inner.clockwork.now()
    }

    fn step(&mut self, input: RouteInput) {
        let mut effects = Vec::new();
        self.route.step(self.now(), input, &mut effects);
        let place = self.route.place();
        self.keeper.inner.exchange.set_place(self.keeper.live.id, place);
        if matches!(place, Place::There(_)) {
            // Others write to the log now, so this one would be of no use.
            drop(self.keeper.live.take_reading());
        }
        for effect in effects {
            let (inner, game) = (Arc::clone(&self.keeper.inner), self.keeper.live.id);
            match effect {
                RouteEffect::ReadRecord => {
                    let read = async move { Answer::Record(claiming::read_record(inner, game).await) };
                    self.asked = Some(read.boxed()).into();
                }
                RouteEffect::Claim { from } => {
                    let from = self.on_record.filter(|node| Some(EdgeId::of_node(*node)) == from);
                    let live = Arc::clone(&self.keeper.live);
                    let claim = async move { Answer::Attempt(claiming::claim(inner, live, from).await) };
                    self.asked = Some(claim.boxed()).into();
                }
                RouteEffect::Moved => self.keeper.live.owner_moved(),
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
            Answer::Attempt(Attempt::Won(options)) => {
                let epoch = options.state.epoch();
                // Before the place is announced, so that no frame for the owner comes too early.
                self.seat(*options);
                self.step(RouteInput::Claimed(Claimed::Won { epoch }));
            }
            Answer::Attempt(Attempt::Lost) => self.step(RouteInput::Claimed(Claimed::Lost)),
            Answer::Attempt(Attempt::Unknown) => self.step(RouteInput::Claimed(Claimed::Unknown)),
            Answer::Attempt(Attempt::Impossible) => self.ended = Some(Ending::Unreadable),
        }
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Route(input) => self.step(input),
            Order::Gone(node) => {
                self.tell_owner(OwnerInput::EdgeGone(node)).await;
                self.step(RouteInput::Gone(node));
            }
            Order::LookAtLog => self.tell_owner(OwnerInput::LookAtLog).await,
            Order::Retire(to, done) => {
                self.retire(to).await;
                // Whoever waits may have given up.
                let _ = done.send(());
            }
        }
    }

    async fn tell_owner(&mut self, order: OwnerInput) {
        if let Some(seated) = &self.owner {
            // An owner that has just ended needs none.
            let _ = seated.orders.send(order).await;
        }
    }

    /// Starts an owner that has won its claim.
    fn seat(&mut self, options: OwnerOptions) {
        let (inner, live) = (&self.keeper.inner, &self.keeper.live);
        let (orders, received) = mpsc::channel(ORDERS);
        let task = OwnerTask {
            live: Arc::clone(live),
            snapshots: Arc::clone(&inner.snapshots),
            inbox: inner.exchange.seat_owner(live.id),
            orders: received,
            bus: Arc::clone(&inner.exchange),
            store: Arc::clone(&inner.store),
            appender: inner.appender.clone(),
            clockwork: inner.clockwork.clone(),
        };
        let announce = orders.try_send(OwnerInput::Announce(inner.exchange.others()));
        debug_assert!(announce.is_ok(), "a fresh channel has room");
        live.owned.store(true, std::sync::atomic::Ordering::Relaxed);
        // One that has come meanwhile is of no use any more.
        drop(live.take_reading());
        self.owner = Some(Seated { task: AbortOnDropHandle::new(tokio::spawn(task.run(options))), orders });
    }

    /// The owner here is of the past: what it has in flight nobody will hear of.
    fn dismiss(&mut self) {
        self.owner = None;
        self.unseat();
    }

    fn unseat(&mut self) {
        self.keeper.inner.exchange.unseat_owner(self.keeper.live.id);
        self.keeper.live.no_owner();
    }

    async fn owner_ended(&mut self, ended: Result<owner_task::Ending, JoinError>) {
        self.owner = None;
        self.unseat();
        match ended {
            Ok(owner_task::Ending::Fenced) => {
                metrics::owner_fenced();
                if self.keeper.inner.is_alone() {
                    self.ended = Some(Ending::Fenced);
                } else {
                    self.step(RouteInput::OwnerEnded);
                }
            }
            Ok(owner_task::Ending::Retired { to, farewell }) => self.farewell(to, farewell).await,
            Err(error) => self.ended = Some(Ending::Died(error)),
        }
    }

    /// Lets go of the game: the owner writes what it has decided, the successor is put on record, everybody is told.
    async fn retire(&mut self, to: Option<EdgeId>) {
        let Some(seated) = &mut self.owner else { return };
        let _ = seated.orders.send(OwnerInput::Retire { to }).await;
        if let Ok(ended) = timeout(LAST_WRITE, &mut seated.task).await {
            self.owner_ended(ended).await;
        } else {
            tracing::warn!("a game was not written in time; nothing of what is missing was acknowledged");
            self.dismiss();
            // It is still on record as this node's: nobody else takes it, and sockets may wait for an owner.
            self.step(RouteInput::OwnerEnded);
        }
    }

    async fn farewell(&mut self, to: Option<EdgeId>, farewell: Vec<(EdgeId, FromOwner)>) {
        let (inner, game) = (Arc::clone(&self.keeper.inner), self.keeper.live.id);
        if !inner.is_alone() {
            let (me, successor) = (inner.node(), to.and_then(|to| inner.node_of(to)));
            // If this fails the game is found without an owner when this node has left the list.
            if let Ok(false) = inner.patiently(inner.store.move_game(game, me, Some(me), successor)).await {
                tracing::warn!("a game that was let go of had another owner on record");
            }
        }
        for (edge, frame) in farewell {
            inner.exchange.to_edge(game, edge, frame);
        }
        self.step(RouteInput::OwnerEnded);
    }
}
