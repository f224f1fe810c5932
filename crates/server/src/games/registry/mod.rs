//! Which games are live here, each once; finding, loading and forgetting them.

mod abandoned;
pub(super) mod held;
mod load;
mod peers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use quizhall_engine::{EdgeId, Time};
use quizhall_rules::{GameId, Phase, State};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use self::load::LoadError;
use crate::clock;
use crate::cluster::bus::Router;
use crate::games::live::Live;
use crate::games::live::damage::Damaged;
use crate::games::log::appender::Appender;
use crate::games::log::outage::Outage;
use crate::games::log::snapshots::Snapshots;
use crate::games::reading::{self, LOADS};
use crate::games::{GameError, GameHandle, GameOptions};
use crate::store::{GameRow, Store, StoreError};

/// How long [`GameRegistry::shutdown`] waits for the games to write what they have decided.
const SHUTDOWN: Duration = Duration::from_secs(5);
/// How long it waits then for the snapshots of games that were let go of.
const SETTLE: Duration = Duration::from_secs(1);

/// The live games of this node. Cheap to clone.
#[derive(Clone)]
pub struct GameRegistry {
    pub(in crate::games) inner: Arc<Inner>,
}

pub(in crate::games) struct Inner {
    pub store: Arc<Store>,
    pub router: Arc<Router>,
    pub appender: Appender,
    pub options: GameOptions,
    pub clockwork: Clockwork,
    pub tasks: TaskTracker,
    node: RwLock<Uuid>,
    /// Incarnations of nodes, by the ids they have on the bus.
    nodes: RwLock<HashMap<EdgeId, Uuid>>,
    stopping: AtomicBool,
    /// Read while a game comes to life, written while this node begins another life: no game belongs to two.
    pub life: tokio::sync::RwLock<()>,
    pub left: AtomicBool,
    games: Mutex<HashMap<GameId, Slot>>,
    codes: Mutex<HashMap<String, GameId>>,
    reading: Outage,
    /// Turns of logs that are being loaded.
    pub loads: Semaphore,
    pub snapshots: Arc<Snapshots>,
    pub damaged: Damaged,
}

/// A game that is live, or being loaded: once, in a task of its own, for everybody who asks meanwhile.
#[derive(Clone)]
struct Slot {
    number: u64,
    live: Arc<OnceLock<Arc<Live>>>,
    loading: Shared<BoxFuture<'static, Result<Arc<Live>, LoadError>>>,
}

/// Time and numbers for the engine, which has neither.
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

/// Figures for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameStats {
    /// Live games by phase, in the interface's order.
    pub games: [usize; 5],
    /// How many of them are owned by this node.
    pub owned: usize,
    /// Sockets attached to them.
    pub sockets: usize,
    /// Commands that wait for an owner or the store.
    pub waiting: usize,
}

impl GameRegistry {
    /// A node without live games. Must be called inside the runtime.
    pub fn new(store: Arc<Store>, options: GameOptions) -> Self {
        let node = Uuid::now_v7();
        let (router, requested) = Router::new(EdgeId::of_node(node));
        let inner = Inner {
            appender: Appender::start(Arc::clone(&store)),
            snapshots: Arc::new(Snapshots::start(Arc::clone(&store))),
            loads: Semaphore::new(LOADS),
            store,
            router: Arc::new(router),
            options,
            clockwork: Clockwork::new(),
            tasks: TaskTracker::new(),
            node: RwLock::new(node),
            nodes: RwLock::default(),
            stopping: AtomicBool::new(false),
            life: tokio::sync::RwLock::default(),
            left: AtomicBool::new(false),
            games: Mutex::default(),
            codes: Mutex::default(),
            reading: Outage::default(),
            damaged: Damaged::default(),
        };
        let registry = Self { inner: Arc::new(inner) };
        tokio::spawn(load_requested(Arc::downgrade(&registry.inner), requested));
        registry
    }

    /// The game with this code (upper case); `None` when there is none, or it is closed. Loads it when it is not live.
    ///
    /// # Errors
    /// When the store cannot be asked in time, or the node is stopping.
    pub async fn by_code(&self, code: &str) -> Result<Option<GameHandle>, GameError> {
        let game = match self.live_code(code) {
            Some(game) => Some(game),
            None => self.stored_code(code).await?,
        };
        match game {
            Some(game) => self.by_id(game).await,
            None => Ok(None),
        }
    }

    /// The id of the game with this code (upper case), if it is in memory and has not ended. Asks no store.
    pub fn live_code(&self, code: &str) -> Option<GameId> {
        let known = lock(&self.inner.codes).get(code).copied();
        // An ended game holds its code for a day only: the store knows whose it is now.
        known.filter(|game| self.plays(*game))
    }

    /// The id of the game that the store has for this code (upper case).
    ///
    /// # Errors
    /// When the store cannot be asked in time.
    pub async fn stored_code(&self, code: &str) -> Result<Option<GameId>, GameError> {
        self.inner.with_timeout(self.inner.store.game_by_code(code)).await
    }

    /// The game with this id; `None` when there is none, or it is closed. Loads it when it is not live.
    ///
    /// # Errors
    /// When the store cannot be asked in time, the game is damaged, or the node is stopping.
    pub async fn by_id(&self, game: GameId) -> Result<Option<GameHandle>, GameError> {
        if self.inner.stopping.load(Ordering::Relaxed) {
            return Err(GameError::Stopping);
        }
        if self.inner.damaged.is_refused(game) {
            return Err(GameError::Damaged);
        }
        // Twice: the first may find a game that is just leaving memory.
        for _ in 0..2 {
            let slot = self.slot(game);
            match slot.loading.await {
                Ok(live) if live.is_open() => return Ok(Some(GameHandle { live })),
                // It is just leaving memory.
                Ok(live) => {
                    let gone = tokio::time::timeout(self.inner.options.command_timeout, live.gone.cancelled());
                    gone.await.map_err(|_| GameError::Unavailable)?;
                }
                Err(LoadError::NotFound) => return Ok(None),
                Err(LoadError::Game(error)) => return Err(error),
            }
        }
        Err(GameError::Stopping)
    }

    /// The game's slot; a new one begins to load. Whoever asked may give up, the load goes on for the others.
    fn slot(&self, game: GameId) -> Slot {
        let mut games = lock(&self.inner.games);
        if let Some(slot) = games.get(&game) {
            return slot.clone();
        }
        let (registry, number, live) = (self.clone(), self.inner.clockwork.next_number(), Arc::new(OnceLock::new()));
        let loaded = Arc::clone(&live);
        let task = tokio::spawn(async move {
            let time_limit = registry.inner.options.command_timeout;
            let admitted = tokio::time::timeout(time_limit, registry.inner.life.read()).await;
            let result = match &admitted {
                Ok(_) => registry.load(game).await,
                Err(_) => Err(GameError::Unavailable.into()),
            };
            match &result {
                Ok(live) => {
                    let _ = loaded.set(Arc::clone(live));
                    // The node may have begun to stop meanwhile, and have missed this one.
                    if registry.inner.stopping.load(Ordering::SeqCst) {
                        live.stop.cancel();
                    }
                }
                Err(_) => registry.inner.forget_slot(game, number),
            }
            result
        });
        let inner = Arc::clone(&self.inner);
        let loading = async move {
            task.await.unwrap_or_else(|_| {
                inner.forget_slot(game, number);
                Err(GameError::Unavailable.into())
            })
        };
        let slot = Slot { number, live, loading: loading.boxed().shared() };
        games.insert(game, slot.clone());
        slot
    }

    /// Reads from the state of a game as its log has it, without starting the game's tasks.
    ///
    /// # Errors
    /// [`GameError::Unavailable`] when the log cannot be read in time, [`GameError::Damaged`] when it is damaged.
    pub async fn view_log<T: Send + 'static>(
        &self,
        game: &GameRow,
        read: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, GameError> {
        if self.inner.damaged.is_refused(game.id) {
            return Err(GameError::Damaged);
        }
        let claim = reading::load(&self.inner, game.id).await?;
        if game.damaged {
            self.inner.found_readable(game.id);
        }
        tokio::task::spawn_blocking(move || read(claim.state())).await.map_err(|_| GameError::Busy)
    }

    /// Stops every game after it has written what it decided; sockets still attached are closed with 1012.
    pub async fn shutdown(&self) {
        self.inner.stopping.store(true, Ordering::SeqCst);
        for live in self.inner.all_live() {
            live.stop.cancel();
        }
        self.inner.tasks.close();
        if tokio::time::timeout(SHUTDOWN, self.inner.tasks.wait()).await.is_err() {
            tracing::warn!("some games were not written in time; nothing of them was acknowledged");
        }
        self.inner.snapshots.settle(SETTLE).await;
    }

    /// Whether the game is in memory: asking for it then needs no read of the store.
    pub fn is_live(&self, game: GameId) -> bool {
        lock(&self.inner.games).get(&game).is_some_and(|slot| slot.live.get().is_some())
    }

    /// Whether the game is in memory and has not ended.
    fn plays(&self, game: GameId) -> bool {
        let games = lock(&self.inner.games);
        let live = games.get(&game).and_then(|slot| slot.live.get());
        live.is_some_and(|live| live.phase.load(Ordering::Relaxed) != Phase::Ended as usize)
    }

    /// Figures for metrics.
    pub fn stats(&self) -> GameStats {
        let mut stats = GameStats::default();
        for live in lock(&self.inner.games).values().filter_map(|slot| slot.live.get()) {
            // Each game is counted once: by its owner.
            let counted = live.is_owned() || self.inner.is_alone();
            if let Some(games) = stats.games.get_mut(live.phase.load(Ordering::Relaxed)).filter(|_| counted) {
                *games += 1;
            }
            stats.owned += usize::from(live.is_owned());
            stats.sockets += live.attached.len();
            stats.waiting += live.waiting.load(Ordering::Relaxed);
        }
        stats
    }
}

impl Inner {
    /// Every game that is live here.
    pub fn all_live(&self) -> Vec<Arc<Live>> {
        lock(&self.games).values().filter_map(|slot| slot.live.get().map(Arc::clone)).collect()
    }

    /// Whether no other node can be reached.
    pub fn is_alone(&self) -> bool {
        !self.router.has_peers()
    }

    /// This node's incarnation.
    pub fn node(&self) -> Uuid {
        *self.node.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The incarnation with this id on the bus, if it is in the list.
    pub fn node_of(&self, edge: EdgeId) -> Option<Uuid> {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner).get(&edge).copied()
    }

    pub fn set_node(&self, node: Uuid) {
        *self.node.write().unwrap_or_else(PoisonError::into_inner) = node;
        self.router.set_node(EdgeId::of_node(node));
    }

    pub fn set_nodes(&self, nodes: impl Iterator<Item = Uuid>) {
        let nodes = nodes.map(|node| (EdgeId::of_node(node), node)).collect();
        *self.nodes.write().unwrap_or_else(PoisonError::into_inner) = nodes;
    }

    /// Notes a game's code, so that finding it again needs no store.
    pub fn remember_code(&self, live: &Live) {
        lock(&self.codes).insert(live.code.clone(), live.id);
    }

    /// Drops a game that has stopped, unless it is live anew.
    pub fn forget(&self, live: &Arc<Live>) {
        let mut games = lock(&self.games);
        let same = |slot: &Slot| slot.live.get().is_some_and(|of_slot| Arc::ptr_eq(of_slot, live));
        if games.get(&live.id).is_some_and(same) {
            games.remove(&live.id);
            let mut codes = lock(&self.codes);
            // The code may belong to a newer game by now.
            if codes.get(&live.code) == Some(&live.id) {
                codes.remove(&live.code);
            }
        }
    }

    fn forget_slot(&self, game: GameId, number: u64) {
        let mut games = lock(&self.games);
        if games.get(&game).is_some_and(|slot| slot.number == number) {
            games.remove(&game);
        }
    }

    /// Waits for the store no longer than a command may. Whoever asks may ask again, many times a second: the service's log is
    /// told once that the store is not available and once that it is, and of every other fault each time.
    pub async fn with_timeout<T>(&self, answer: impl Future<Output = Result<T, StoreError>>) -> Result<T, GameError> {
        self.in_time(answer).await.map_err(|_| GameError::Unavailable)
    }

    /// The same with what the store said.
    pub async fn in_time<T>(&self, answer: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let answer = tokio::time::timeout(self.options.command_timeout, answer).await;
        let answer = answer.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())));
        let is_away = matches!(answer, Err(StoreError::Unavailable(_)));
        let is_news = self.reading.is_news(is_away);
        match &answer {
            // Logged with the game's id where the log was read.
            Err(StoreError::DamagedRow { .. }) => {}
            Err(error) if is_news || !is_away => tracing::error!(%error, "reading from the store failed"),
            Ok(_) if is_news => tracing::info!("the store can be read again"),
            _ => {}
        }
        answer
    }
}

/// Loads games that other nodes believe to be owned here.
async fn load_requested(inner: Weak<Inner>, mut requested: mpsc::Receiver<GameId>) {
    while let Some(game) = requested.recv().await {
        let Some(inner) = inner.upgrade() else { return };
        let registry = GameRegistry { inner };
        // In a task of its own: one slow load must not hold up the others.
        tokio::spawn(async move {
            if let Ok(Some(handle)) = registry.by_id(game).await {
                handle.have_owned();
            }
        });
    }
}

pub(in crate::games) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
