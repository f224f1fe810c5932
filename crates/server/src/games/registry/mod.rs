//! The registry of live games, in which each is listed once: finds, loads and forgets them.

mod abandoned;
mod hand_over;
pub(super) mod held;
mod invitations;
mod load;
mod peers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use quizhall_engine::Film;
use quizhall_rules::{GameId, Phase, State};
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;

use self::load::LoadError;
use crate::games::error::GameError;
use crate::games::live::Live;
use crate::games::live::handle::GameHandle;
use crate::games::node::Node;
use crate::games::options::GameOptions;
use crate::games::reading::{self, films};
use crate::store::{GameRow, Store};

/// How long [`GameRegistry::shutdown`] waits for the games to write what they have decided.
const SHUTDOWN: Duration = Duration::from_secs(5);
/// How long it then waits for the snapshots of released games.
const SETTLE: Duration = Duration::from_secs(1);

/// The live games of this node. Cheap to clone.
#[derive(Clone)]
pub struct GameRegistry {
    inner: Arc<Inner>,
}

struct Inner {
    node: Arc<Node>,
    tasks: TaskTracker,
    stopping: AtomicBool,
    /// Read-locked while a game is loaded and write-locked while this node changes its incarnation, so that no game
    /// belongs to two of them.
    incarnation: tokio::sync::RwLock<()>,
    /// Whether this node has left the list of nodes for good.
    left: AtomicBool,
    games: Mutex<HashMap<GameId, Slot>>,
    codes: Mutex<HashMap<String, GameId>>,
}

/// A game that is live, or being loaded once, in a task of its own, for all callers.
#[derive(Clone)]
struct Slot {
    number: u64,
    live: Arc<OnceLock<Arc<Live>>>,
    loading: Shared<BoxFuture<'static, Result<Arc<Live>, LoadError>>>,
}

/// Figures for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameStats {
    /// Live games by phase, in the interface's order.
    pub games: [usize; 5],
    /// Live games owned by this node.
    pub owned: usize,
    /// Sockets attached to them.
    pub sockets: usize,
    /// Commands that wait for an owner or the store.
    pub waiting: usize,
}

impl GameRegistry {
    /// A node without live games. Must be called inside the runtime.
    pub fn new(store: Arc<Store>, options: GameOptions) -> Self {
        let (node, requested) = Node::start(store, options);
        let inner = Inner {
            node: Arc::new(node),
            tasks: TaskTracker::new(),
            stopping: AtomicBool::new(false),
            incarnation: tokio::sync::RwLock::default(),
            left: AtomicBool::new(false),
            games: Mutex::default(),
            codes: Mutex::default(),
        };
        let registry = Self { inner: Arc::new(inner) };
        tokio::spawn(load_requested(Arc::downgrade(&registry.inner), requested));
        registry
    }

    /// The game with this code (upper case); `None` when there is none, or it is closed. Loads the game when it is not
    /// live.
    ///
    /// # Errors
    /// When the store does not answer in time, or the node is stopping.
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

    /// The id of the game with this code (upper case), if it is in memory and has not ended. Does not read the store.
    pub fn live_code(&self, code: &str) -> Option<GameId> {
        let known = lock(&self.inner.codes).get(code).copied();
        // An ended game keeps its code only for a day: the store knows to which game it belongs now.
        known.filter(|game| self.plays(*game))
    }

    /// The id of the game that has this code (upper case) in the store.
    ///
    /// # Errors
    /// When the store does not answer in time.
    pub async fn stored_code(&self, code: &str) -> Result<Option<GameId>, GameError> {
        self.inner.node.with_timeout(self.inner.node.store.game_by_code(code)).await
    }

    /// The game with this id; `None` when there is none, or it is closed. Loads the game when it is not live.
    ///
    /// # Errors
    /// When the store does not answer in time, the game is damaged, or the node is stopping.
    pub async fn by_id(&self, game: GameId) -> Result<Option<GameHandle>, GameError> {
        if self.inner.stopping.load(Ordering::Relaxed) {
            return Err(GameError::Stopping);
        }
        if self.inner.node.is_refused(game) {
            return Err(GameError::Damaged);
        }
        // Tried twice: the first attempt may find a game that is just leaving memory.
        for _ in 0..2 {
            let slot = self.slot(game);
            match slot.loading.await {
                Ok(live) if live.is_open() => return Ok(Some(GameHandle { live })),
                // The game is just leaving memory.
                Ok(live) => {
                    let ended = tokio::time::timeout(self.inner.node.options.command_timeout, live.ended.cancelled());
                    ended.await.map_err(|_| GameError::Unavailable)?;
                }
                Err(LoadError::NotFound) => return Ok(None),
                Err(LoadError::Game(error)) => return Err(error),
            }
        }
        Err(GameError::Stopping)
    }

    /// The game's slot; a new one begins to load. The load continues when a caller gives up.
    fn slot(&self, game: GameId) -> Slot {
        let mut games = lock(&self.inner.games);
        if let Some(slot) = games.get(&game) {
            return slot.clone();
        }
        let (registry, number, live) =
            (self.clone(), self.inner.node.clockwork.next_number(), Arc::new(OnceLock::new()));
        let loaded = Arc::clone(&live);
        let task = tokio::spawn(async move {
            let time_limit = registry.inner.node.options.command_timeout;
            let admitted = tokio::time::timeout(time_limit, registry.inner.incarnation.read()).await;
            let result = match &admitted {
                Ok(_) => registry.load(game).await,
                Err(_) => Err(GameError::Unavailable.into()),
            };
            match &result {
                Ok(live) => {
                    let _ = loaded.set(Arc::clone(live));
                    // The node may have begun to stop meanwhile, without seeing this game.
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
        if self.inner.node.is_refused(game.id) {
            return Err(GameError::Damaged);
        }
        let claim = reading::load(&self.inner.node, game.id).await?;
        if game.damaged {
            self.inner.node.found_readable(game.id);
        }
        tokio::task::spawn_blocking(move || read(claim.state())).await.map_err(|_| GameError::Busy)
    }

    /// The moments of a game as its log has them, in a game that runs as in one that ended long ago; `None` when it has no log.
    ///
    /// # Errors
    /// As for [`GameRegistry::view_log`]; [`GameError::Busy`] when too many logs are read for replays.
    pub async fn moments(&self, game: GameId) -> Result<Option<Film>, GameError> {
        films::film(&self.inner.node, game, 0..0).await
    }

    /// The picture of the moment with this place, as the JSON of a payload of `screen_update`; `None` when there is none.
    ///
    /// # Errors
    /// As for [`GameRegistry::moments`].
    pub async fn picture(&self, game: GameId, index: usize) -> Result<Option<Bytes>, GameError> {
        films::picture(&self.inner.node, game, index).await
    }

    /// Stops every game after it has written what it decided; the remaining sockets are closed with 1012.
    pub async fn shutdown(&self) {
        self.inner.stopping.store(true, Ordering::SeqCst);
        for live in self.inner.all_live() {
            live.stop.cancel();
        }
        self.inner.tasks.close();
        if tokio::time::timeout(SHUTDOWN, self.inner.tasks.wait()).await.is_err() {
            tracing::warn!("some games were not written in time; nothing of them was acknowledged");
        }
        self.inner.node.snapshots.settle(SETTLE).await;
    }

    /// Whether the game is in memory; finding it then needs no read of the store.
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
            let counted = live.is_owned() || self.inner.node.is_alone();
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

    /// Remembers a game's code, so that finding it again needs no store.
    pub fn remember_code(&self, live: &Live) {
        lock(&self.codes).insert(live.code.clone(), live.id);
    }

    /// Drops a game that has stopped, unless it is live again.
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
}

/// Loads games that other nodes expect to be owned here.
async fn load_requested(inner: Weak<Inner>, mut requested: mpsc::Receiver<GameId>) {
    while let Some(game) = requested.recv().await {
        let Some(inner) = inner.upgrade() else { return };
        let registry = GameRegistry { inner };
        // Runs in a task of its own: one slow load must not delay the others.
        tokio::spawn(async move {
            if let Ok(Some(handle)) = registry.by_id(game).await {
                handle.have_owned();
            }
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
