//! Whether the service can do its work: background probes of the database and the cache store, and the answers made
//! from their last results.
//!
//! Read by `/healthz`, `/readyz` (`http`) and `serve`. A request never waits for a probe, so a busy pool does not count
//! as down and a storm of requests costs nothing (promises 21, 12).

mod prober;
mod waiting;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quizhall_protocol::http::health::{Checks, Health as Body};
use tokio::task::JoinSet;

use crate::clock;
use crate::cluster::bus::redis::RedisBus;
use crate::store::Store;

pub use prober::{Database, Probe};
pub use waiting::{ask_stores, open_database, wait_for_cache};

use prober::Probed;

/// A probe that takes longer counts as failed.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause between the end of a probe and the next. Together with the timeout: 503 within 1.5 s of a fault, and back
/// within 0.5 s.
pub const PROBE_PAUSE: Duration = Duration::from_millis(500);
/// When the prober itself is stuck, its last result counts for this long.
const STALE_AFTER: Duration = Duration::from_secs(3);

/// The latest results, shared.
#[derive(Clone)]
pub struct Health(Arc<Inner>);

struct Inner {
    database: Arc<Probed>,
    /// Empty when there is no cache store.
    cache: OnceLock<Arc<Probed>>,
    draining: AtomicBool,
    /// Whether the service is ready while only the cache store is unavailable.
    ready_without_cache: bool,
    begun: Instant,
    /// The tasks that probe.
    probers: Mutex<JoinSet<()>>,
}

impl Health {
    /// Begins with "not probed yet", which counts as down.
    pub fn new(ready_without_cache: bool) -> Self {
        let database = Probed::new("database");
        Self(Arc::new(Inner {
            database,
            cache: OnceLock::new(),
            draining: AtomicBool::new(false),
            ready_without_cache,
            begun: clock::now(),
            probers: Mutex::default(),
        }))
    }

    /// Probes both once now, and then repeatedly in the background until the last clone of this `Health` is dropped.
    /// Must be called only once.
    pub async fn start(&self, store: Arc<Store>, cache: Option<RedisBus>) {
        let cache = cache.map(|cache| Arc::new(cache) as Arc<dyn Probe>);
        self.watch(Arc::new(Database(store)), cache).await;
    }

    /// The same for any two probes.
    pub async fn watch(&self, database: Arc<dyn Probe>, cache: Option<Arc<dyn Probe>>) {
        let cache = cache.map(|probe| (Arc::clone(self.0.cache.get_or_init(|| Probed::new("cache"))), probe));
        let watched = std::iter::once((Arc::clone(&self.0.database), database)).chain(cache);
        join_all(watched.map(|(probed, probe)| async move {
            let prober = prober::start(&probed, probe).await;
            self.0.probers.lock().unwrap_or_else(PoisonError::into_inner).spawn(prober);
        }))
        .await;
    }

    /// Stops probing: the last results stay. Returns when no probe is under way.
    pub async fn stop(&self) {
        let mut probers = std::mem::take(&mut *self.0.probers.lock().unwrap_or_else(PoisonError::into_inner));
        probers.shutdown().await;
    }

    /// The time since this was made, at the start of the process.
    pub fn up(&self) -> Duration {
        clock::since(self.0.begun)
    }

    /// Reports from now on that no new traffic should come.
    pub fn drain(&self) {
        self.0.draining.store(true, Ordering::Release);
    }

    /// Whether the service is stopping.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Acquire)
    }

    /// Whether the database answered recently.
    pub fn is_database_ok(&self) -> bool {
        self.0.database.failure().is_none()
    }

    /// Whether the cache store answered recently, or there is none.
    pub fn is_cache_ok(&self) -> bool {
        self.0.cache.get().is_none_or(|cache| cache.failure().is_none())
    }

    /// Status and body of `GET /healthz`: 200 or 503.
    pub fn healthz(&self) -> (u16, Body) {
        let database = self.0.database.failure();
        let cache = self.0.cache.get().and_then(|cache| cache.failure());
        let word = |failure: &Option<String>| if failure.is_some() { "down" } else { "ok" };
        let checks = Checks { database: word(&database).to_owned(), cache: word(&cache).to_owned() };
        let reasons = [("database", database), ("cache", cache)];
        let reasons = reasons.into_iter().filter_map(|(name, failure)| Some(format!("{name}: {}", failure?)));
        match reasons.collect::<Vec<_>>().join("; ") {
            none if none.is_empty() => (200, ok(Vec::new())),
            reasons => unavailable(reasons, checks),
        }
    }

    /// Status and body of `GET /readyz`: as [`Health::healthz`], and 503 while the service is stopping or an operator drains this node
    /// (`is_drained`). With `READY_WITHOUT_CACHE`, 200
    /// with `degraded` while only the cache store is unavailable.
    pub fn readyz(&self, is_drained: bool) -> (u16, Body) {
        let answer = match self.healthz() {
            (503, _) if self.0.ready_without_cache && self.is_database_ok() => (200, ok(vec!["cache".to_owned()])),
            answer => answer,
        };
        let reason = match (self.is_draining(), is_drained) {
            (true, _) => "draining: the service is stopping",
            (false, true) => "draining: an operator has ordered it",
            (false, false) => return answer,
        };
        if answer.0 != 200 {
            return answer;
        }
        let word = |is_ok| if is_ok { "ok" } else { "down" }.to_owned();
        let checks = Checks { database: word(true), cache: word(answer.1.degraded.is_empty()) };
        unavailable(reason.to_owned(), checks)
    }
}

fn ok(degraded: Vec<String>) -> Body {
    Body { status: "ok".to_owned(), reason: None, checks: None, degraded }
}

fn unavailable(reason: String, checks: Checks) -> (u16, Body) {
    (503, Body { status: "unavailable".to_owned(), reason: Some(reason), checks: Some(checks), degraded: Vec::new() })
}
