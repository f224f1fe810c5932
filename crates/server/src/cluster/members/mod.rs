//! This process in the list of nodes: enters it, renews its entry, finds nodes that have ended, and receives the
//! messages of others.
//!
//! Started by `serve`, read by `http`. A single process has an incarnation too, and an empty list. Nothing here decides
//! who may write to a game: the log does.

pub mod busy;
mod listing;
mod membership;
mod orders;

pub use listing::node_list;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use quizhall_engine::{EdgeId, Members};
use quizhall_rules::LOG_VERSION;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;
use uuid::Uuid;

use self::busy::Busy;
use self::orders::Orders;
use crate::clock;
use crate::cluster::bus::redis::RedisBus;
use crate::cluster::bus::{BusMessage, Notice, Peers, Remote};
use crate::config;
use crate::games::GameRegistry;
use crate::store::{NewNode, NodeReport, NodeRow, Store, StoreError};

/// Most notices that were not read yet; a node that misses one reads the change in the database.
const NOTICES: usize = 1_024;
/// How long handing over all games may take when the node stops: in turn, and then those that are left at once.
const HAND_OVER: [Duration; 2] = [Duration::from_secs(6), Duration::from_secs(3)];
/// How long leaving the list may take.
const LEAVING: Duration = Duration::from_secs(2);

/// This process as a node. Cheap to clone.
#[derive(Clone)]
pub struct Cluster(Arc<Inner>);

struct Inner {
    registry: GameRegistry,
    nodes: RwLock<Vec<NodeRow>>,
    /// Whether this node is stopping.
    draining: AtomicBool,
    orders: Orders,
    joined: Option<Joined>,
}

/// The parts that exist only with several nodes.
struct Joined {
    store: Arc<Store>,
    bus: RedisBus,
    remote: Arc<dyn Remote>,
    members: Arc<RwLock<Members>>,
    settings: config::Cluster,
    notices: mpsc::Sender<Notice>,
    started: Instant,
    busy: Mutex<Busy>,
    /// Signals that the entry in the list must be renewed now.
    renew: Notify,
}

impl Cluster {
    /// A single process.
    pub fn solo(registry: GameRegistry) -> Self {
        Self(Arc::new(Inner::new(registry, None)))
    }

    /// Enters the list of nodes and begins to receive from the others. Must come before a game is loaded. The receiver
    /// gets the notices of other nodes.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn enter(
        registry: GameRegistry,
        store: Arc<Store>,
        bus: RedisBus,
        settings: config::Cluster,
    ) -> Result<(Self, mpsc::Receiver<Notice>), StoreError> {
        let (notices, received) = mpsc::channel(NOTICES);
        let me = EdgeId::of_node(registry.node());
        let members = Arc::new(RwLock::new(Members::new(Duration::ZERO, me, settings.lease)));
        let remote = bus.remote();
        registry.join(Peers { remote: Arc::clone(&remote), members: Arc::clone(&members) });
        store.enter_node(new_node(registry.node(), &settings, false)).await?;
        let (started, busy, renew) = (clock::now(), Mutex::default(), Notify::new());
        let joined = Joined { store, bus, remote, members, settings, notices, started, busy, renew };
        let cluster = Self(Arc::new(Inner::new(registry, Some(joined))));
        tokio::spawn(membership::run(cluster.clone()));
        Ok((cluster, received))
    }

    /// This process's incarnation.
    pub fn id(&self) -> Uuid {
        self.0.registry.node()
    }

    /// The list as it was last read; empty for a single process.
    pub fn nodes(&self) -> Vec<NodeRow> {
        self.0.nodes.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a notice to every other node. A node that misses it reads the change in the database.
    pub fn notify(&self, notice: &Notice) {
        let Some(joined) = &self.0.joined else { return };
        let others: Vec<_> = joined.members.read().unwrap_or_else(PoisonError::into_inner).others().collect();
        for node in others {
            joined.remote.send(node, BusMessage::Notice(notice.clone()));
        }
    }

    /// Whether an operator has ordered this node to own no games.
    pub fn is_drained(&self) -> bool {
        self.0.orders.is_drained()
    }

    /// Begins to stop: the node gets no new games, and its games move to others now, while its sockets still work.
    pub async fn drain(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
        let Some(joined) = &self.0.joined else { return };
        self.0.registry.set_leaving(true);
        joined.renew.notify_one();
        let [in_turn, at_once] = HAND_OVER;
        if timeout(in_turn, self.0.registry.hand_over_all()).await.is_err()
            && timeout(at_once, self.0.registry.hand_over_at_once()).await.is_err()
        {
            tracing::warn!("some games were not handed over in time; they will be taken over");
        }
    }

    /// Leaves the list of nodes: the last thing that a node does with its database.
    pub async fn leave(&self) {
        let Some(joined) = &self.0.joined else { return };
        self.0.registry.leave();
        if !matches!(timeout(LEAVING, joined.store.leave_node(self.id())).await, Ok(Ok(()))) {
            tracing::warn!("the list of nodes could not be left; the others will remove this node");
        }
        joined.bus.flush(LEAVING).await;
    }

    /// This node's figures for the list.
    fn report(&self, joined: &Joined) -> NodeReport {
        let stats = self.0.registry.stats();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        NodeReport {
            games: count(stats.owned),
            sockets: count(stats.sockets),
            bus_lag: joined.bus.lag(),
            draining: self.0.draining.load(Ordering::Relaxed) || self.is_drained(),
            busy_millicores: Some(joined.busy_millicores()),
        }
    }
}

impl Inner {
    fn new(registry: GameRegistry, joined: Option<Joined>) -> Self {
        Self { registry, nodes: RwLock::default(), draining: AtomicBool::new(false), orders: Orders::default(), joined }
    }
}

impl Joined {
    fn busy_millicores(&self) -> u32 {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.read(clock::since(self.started), clock::cpu_time())
    }
}

fn new_node(id: Uuid, settings: &config::Cluster, drain: bool) -> NewNode {
    let (name, zone, version) = (settings.name.clone(), settings.zone.clone(), env!("CARGO_PKG_VERSION").to_owned());
    NewNode { id, name, version, log_version: announced_log(), zone, drain }
}

/// The version of the log that this process reads and writes. A debug build takes another one from the environment, so that a test
/// has nodes of two versions without a second build.
fn announced_log() -> u32 {
    let other = cfg!(debug_assertions).then(|| std::env::var("TEST_LOG_VERSION").ok()).flatten();
    other.and_then(|version| version.parse().ok()).unwrap_or(LOG_VERSION)
}
