//! Which games are live here, each once; finding, loading and forgetting them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use quizhall_engine::Time;
use quizhall_rules::{GameId, HostId, Phase};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::appender::Appender;
use super::attached::Attached;
use super::edge_task::Job;
use super::load::LoadError;
use super::{GameHandle, HallError, HallOptions};
use crate::bus::LocalBus;
use crate::clock;
use crate::store::Store;

/// How long [`Hall::shutdown`] waits for the games to write what they have decided.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// The live games of this node. Cheap to clone.
#[derive(Clone)]
pub struct Hall {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub store: Arc<dyn Store>,
    pub bus: Arc<LocalBus>,
    pub appender: Appender,
    pub options: HallOptions,
    pub clockwork: Clockwork,
    pub node: Uuid,
    pub tasks: TaskTracker,
    stopping: AtomicBool,
    games: Mutex<HashMap<GameId, Slot>>,
    codes: Mutex<HashMap<String, GameId>>,
}

/// A game that is live, or being loaded: once, in a task of its own, for everybody who asks meanwhile.
#[derive(Clone)]
struct Slot {
    number: u64,
    live: Arc<OnceLock<Arc<Live>>>,
    loading: Shared<BoxFuture<'static, Result<Arc<Live>, LoadError>>>,
}

/// What a live game shares between its tasks and its handles.
pub(super) struct Live {
    pub id: GameId,
    pub code: String,
    pub host: HostId,
    pub idle_after: Duration,
    pub jobs: mpsc::Sender<Job>,
    pub attached: Attached,
    /// Commands that may wait before newcomers are turned away.
    pub waiting_room: usize,
    /// Room for commands that come over HTTP.
    pub requests: Semaphore,
    pub stop: CancellationToken,
    pub phase: AtomicUsize,
    pub waiting: AtomicUsize,
}

impl Live {
    /// Whether the game still listens; one that has just died may not be forgotten yet.
    fn is_open(&self) -> bool {
        !self.stop.is_cancelled() && !self.jobs.is_closed()
    }
}

/// Time and numbers for the engine, which has neither.
#[derive(Clone)]
pub(super) struct Clockwork {
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
pub struct HallStats {
    /// Live games by phase, in the interface's order (§3).
    pub games: [usize; 5],
    /// Sockets attached to them.
    pub sockets: usize,
    /// Commands that wait for an owner or the store.
    pub waiting: usize,
}

impl Hall {
    /// A node without live games. Must be called inside the runtime.
    pub fn new(store: Arc<dyn Store>, options: HallOptions) -> Self {
        let inner = Inner {
            appender: Appender::start(Arc::clone(&store)),
            store,
            bus: Arc::new(LocalBus::default()),
            options,
            clockwork: Clockwork::new(),
            node: Uuid::now_v7(),
            tasks: TaskTracker::new(),
            stopping: AtomicBool::new(false),
            games: Mutex::default(),
            codes: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The game with this code (upper case); `None` when there is none, or it is closed. Loads it when it is not live.
    ///
    /// # Errors
    /// When the store cannot be asked in time, or the node is stopping.
    pub async fn by_code(&self, code: &str) -> Result<Option<GameHandle>, HallError> {
        let known = lock(&self.inner.codes).get(code).copied();
        if let Some(game) = known.filter(|game| self.plays(*game)) {
            return self.by_id(game).await;
        }
        // An ended game holds its code for a day only: the store knows whose it is now.
        match self.inner.patiently(self.inner.store.game_by_code(code)).await? {
            Some(game) => self.by_id(game).await,
            None => Ok(None),
        }
    }

    /// The game with this id; `None` when there is none, or it is closed. Loads it when it is not live.
    ///
    /// # Errors
    /// When the store cannot be asked in time, or the node is stopping.
    pub async fn by_id(&self, game: GameId) -> Result<Option<GameHandle>, HallError> {
        if self.inner.stopping.load(Ordering::Relaxed) {
            return Err(HallError::Stopping);
        }
        // Twice: the first may find a game that is just leaving memory.
        for _ in 0..2 {
            let slot = self.slot(game);
            match slot.loading.await {
                Ok(live) if live.is_open() => return Ok(Some(GameHandle { live })),
                Ok(live) => self.inner.forget(&live),
                Err(LoadError::NotFound) => return Ok(None),
                Err(LoadError::Hall(error)) => return Err(error),
            }
        }
        Err(HallError::Stopping)
    }

    /// The game's slot; a new one begins to load. Whoever asked may give up, the load goes on for the others.
    fn slot(&self, game: GameId) -> Slot {
        let mut games = lock(&self.inner.games);
        if let Some(slot) = games.get(&game) {
            return slot.clone();
        }
        let (hall, number, live) = (self.clone(), self.inner.clockwork.next_number(), Arc::new(OnceLock::new()));
        let loaded = Arc::clone(&live);
        let task = tokio::spawn(async move {
            let result = hall.load(game).await;
            match &result {
                Ok(live) => drop(loaded.set(Arc::clone(live))),
                Err(_) => hall.inner.forget_slot(game, number),
            }
            result
        });
        let inner = Arc::clone(&self.inner);
        let loading = async move {
            task.await.unwrap_or_else(|_| {
                inner.forget_slot(game, number);
                Err(HallError::Unavailable.into())
            })
        };
        let slot = Slot { number, live, loading: loading.boxed().shared() };
        games.insert(game, slot.clone());
        slot
    }

    /// Stops every game after it has written what it decided; sockets still attached are closed with 1012.
    pub async fn shutdown(&self) {
        self.inner.stopping.store(true, Ordering::Relaxed);
        let slots: Vec<Slot> = lock(&self.inner.games).values().cloned().collect();
        for live in slots.iter().filter_map(|slot| slot.live.get()) {
            live.stop.cancel();
        }
        self.inner.tasks.close();
        if tokio::time::timeout(SHUTDOWN, self.inner.tasks.wait()).await.is_err() {
            tracing::warn!("some games were not written in time; nothing of them was acknowledged");
        }
    }

    /// Whether the game is live here and has not ended.
    fn plays(&self, game: GameId) -> bool {
        let games = lock(&self.inner.games);
        let live = games.get(&game).and_then(|slot| slot.live.get());
        live.is_some_and(|live| live.phase.load(Ordering::Relaxed) != Phase::Ended as usize)
    }

    /// Sockets attached to a game here; none when it is not live.
    pub(super) fn sockets_of(&self, game: GameId) -> usize {
        let games = lock(&self.inner.games);
        games.get(&game).and_then(|slot| slot.live.get()).map_or(0, |live| live.attached.len())
    }

    /// Figures for metrics.
    pub fn stats(&self) -> HallStats {
        let mut stats = HallStats::default();
        for live in lock(&self.inner.games).values().filter_map(|slot| slot.live.get()) {
            if let Some(games) = stats.games.get_mut(live.phase.load(Ordering::Relaxed)) {
                *games += 1;
            }
            stats.sockets += live.attached.len();
            stats.waiting += live.waiting.load(Ordering::Relaxed);
        }
        stats
    }
}

impl Inner {
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

    /// Waits for the store no longer than a command may.
    pub async fn patiently<T>(
        &self,
        answer: impl Future<Output = Result<T, crate::store::StoreError>>,
    ) -> Result<T, HallError> {
        match tokio::time::timeout(self.options.command_timeout, answer).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                tracing::error!(%error, "reading from the store failed");
                Err(HallError::Unavailable)
            }
            Err(_) => Err(HallError::Unavailable),
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
