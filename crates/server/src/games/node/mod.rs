//! The parts that all live games of this node share: the store, the bus, the queues to the log, and the node's place in
//! the cluster.
//!
//! Made by `registry`, used by the tasks of every game. Knows no live games.

pub mod damage;
pub(in crate::games) mod films;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use quizhall_engine::{EdgeId, Time};
use quizhall_rules::{GameId, LOG_VERSION};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use uuid::Uuid;

use self::damage::Damaged;
use self::films::Films;
use crate::clock;
use crate::cluster::bus::Router;
use crate::games::error::GameError;
use crate::games::log::appender::Appender;
use crate::games::log::outage::Outage;
use crate::games::log::snapshots::Snapshots;
use crate::games::options::GameOptions;
use crate::games::placement::Placement;
use crate::games::records::Records;
use crate::store::{Store, StoreError};

/// Most logs that are loaded at once; others wait for their turn.
pub const LOADS: usize = 16;

/// This node, as its games see it.
pub(in crate::games) struct Node {
    pub store: Arc<Store>,
    pub router: Arc<Router>,
    pub appender: Appender,
    pub snapshots: Arc<Snapshots>,
    pub records: Arc<Records>,
    pub options: GameOptions,
    pub clockwork: Clockwork,
    /// The turns for loading logs.
    pub loads: Semaphore,
    pub films: Films,
    /// Which node suits a game.
    pub placement: Placement,
    incarnation: RwLock<Uuid>,
    /// Incarnations of all nodes, by their ids on the bus.
    incarnations: RwLock<HashMap<EdgeId, Uuid>>,
    /// The oldest version of the log in the list of nodes.
    oldest_log: AtomicU32,
    /// Whether reads of the store fail at present.
    outage: Outage,
    damaged: Damaged,
}

/// Gives time and numbers to the engine, which has neither.
#[derive(Clone)]
pub(in crate::games) struct Clockwork {
    started: Instant,
    numbers: Arc<AtomicU64>,
}

impl Clockwork {
    fn new() -> Self {
        Self { started: clock::now(), numbers: Arc::new(AtomicU64::new(1)) }
    }

    pub fn now(&self) -> Time {
        clock::since(self.started)
    }

    pub fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }
}

impl Node {
    /// A node under a new incarnation, and the games that other nodes expect to be owned here. Must be called inside
    /// the runtime.
    pub fn start(store: Arc<Store>, options: GameOptions) -> (Self, mpsc::Receiver<GameId>) {
        let id = Uuid::now_v7();
        let (router, requested) = Router::new(EdgeId::of_node(id));
        let node = Self {
            appender: Appender::start(Arc::clone(&store)),
            snapshots: Arc::new(Snapshots::start(Arc::clone(&store))),
            records: Arc::new(Records::start(&store)),
            loads: Semaphore::new(LOADS),
            films: Films::default(),
            placement: Placement::default(),
            store,
            router: Arc::new(router),
            options,
            clockwork: Clockwork::new(),
            incarnation: RwLock::new(id),
            incarnations: RwLock::default(),
            oldest_log: AtomicU32::new(LOG_VERSION),
            outage: Outage::default(),
            damaged: Damaged::default(),
        };
        (node, requested)
    }

    /// Whether no other node can be reached.
    pub fn is_alone(&self) -> bool {
        !self.router.has_peers()
    }

    /// This node's incarnation.
    pub fn incarnation(&self) -> Uuid {
        *self.incarnation.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The incarnation with this id on the bus, if it is in the list of nodes.
    pub fn incarnation_of(&self, edge: EdgeId) -> Option<Uuid> {
        self.incarnations.read().unwrap_or_else(PoisonError::into_inner).get(&edge).copied()
    }

    /// Continues under another incarnation.
    pub fn set_incarnation(&self, node: Uuid) {
        *self.incarnation.write().unwrap_or_else(PoisonError::into_inner) = node;
        self.router.set_node(EdgeId::of_node(node));
    }

    /// Sets the list of nodes.
    pub fn set_incarnations(&self, nodes: impl Iterator<Item = Uuid>) {
        let nodes = nodes.map(|node| (EdgeId::of_node(node), node)).collect();
        *self.incarnations.write().unwrap_or_else(PoisonError::into_inner) = nodes;
    }

    /// Sets the oldest version of the log in the list of nodes.
    pub fn set_oldest_log(&self, version: u32) {
        self.oldest_log.store(version, Ordering::Relaxed);
    }

    /// The oldest version of the log in the list of nodes: each of them may come to own any game, and has to read its log.
    pub fn oldest_log(&self) -> u32 {
        self.oldest_log.load(Ordering::Relaxed)
    }

    /// Waits for the store no longer than a command may.
    ///
    /// Callers may repeat a failed read many times a second, so an unavailable store is logged once when that begins
    /// and once when it ends; every other fault is logged each time.
    pub async fn with_timeout<T>(&self, answer: impl Future<Output = Result<T, StoreError>>) -> Result<T, GameError> {
        self.in_time(answer).await.map_err(|_| GameError::Unavailable)
    }

    /// Like [`Node::with_timeout`], with the error of the store.
    pub async fn in_time<T>(&self, answer: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let answer = timeout(self.options.command_timeout, answer).await;
        let answer = answer.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())));
        let is_away = matches!(answer, Err(StoreError::Unavailable(_)));
        let is_change = self.outage.note(is_away);
        match &answer {
            // Logged with the game's id by the code that read the log.
            Err(StoreError::DamagedRow { .. }) => {}
            Err(error) if is_change || !is_away => tracing::error!(%error, "reading from the store failed"),
            Ok(_) if is_change => tracing::info!("the store can be read again"),
            _ => {}
        }
        answer
    }
}
