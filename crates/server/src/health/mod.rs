//! Whether the service can do its work: a background probe of the database, and the answers made from its last result.
//!
//! Read by `/healthz`, `/readyz` (`http`) and `serve`. A request never waits for a probe, so a busy pool is not "down"
//! and a storm of probes costs nothing (promises P21, P12).

mod prober;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quizhall_protocol::http::health::{Checks, Health as Body};

use crate::clock;
use crate::store::Store;

/// A probe that takes longer counts as failed.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// Between the end of a probe and the next. With the timeout: 503 within 1.5 s of a fault, and back within 0.5 s.
pub const PROBE_PAUSE: Duration = Duration::from_millis(500);
/// When the prober itself is stuck, its last result no longer counts.
const STALE_AFTER: Duration = Duration::from_secs(3);

/// The latest result, shared.
#[derive(Clone)]
pub struct Health(Arc<Inner>);

struct Inner {
    database: Mutex<Probed>,
    draining: AtomicBool,
}

struct Probed {
    at: Instant,
    outcome: Result<(), String>,
}

impl Health {
    /// Starts with "not probed yet", which counts as down.
    pub fn new() -> Self {
        let outcome = Err("not probed yet".to_owned());
        let database = Mutex::new(Probed { at: clock::now(), outcome });
        Self(Arc::new(Inner { database, draining: AtomicBool::new(false) }))
    }

    /// Probes now, once, and then for ever in the background until the last clone of this `Health` is gone.
    pub async fn start(&self, store: Arc<dyn Store>) {
        prober::probe(&self.0, store.as_ref()).await;
        tokio::spawn(prober::run(Arc::downgrade(&self.0), store));
    }

    /// Says from now on that no new traffic shall come.
    pub fn drain(&self) {
        self.0.draining.store(true, Ordering::Release);
    }

    /// Whether the service is stopping.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Acquire)
    }

    /// Whether the dependencies answered lately.
    pub fn is_ok(&self) -> bool {
        self.0.failure().is_none()
    }

    /// Status and body of `GET /healthz` (interface §4): 200 or 503.
    pub fn healthz(&self) -> (u16, Body) {
        match self.0.failure() {
            None => (200, Body { status: "ok".to_owned(), reason: None, checks: None }),
            Some(why) => unavailable(format!("database: {why}"), "down"),
        }
    }

    /// Status and body of `GET /readyz`: as [`Health::healthz`], and 503 while the service is stopping.
    pub fn readyz(&self) -> (u16, Body) {
        match self.healthz() {
            (200, _) if self.is_draining() => unavailable("draining: the service is stopping".to_owned(), "ok"),
            answer => answer,
        }
    }
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}

impl Inner {
    fn record(&self, outcome: Result<(), String>) {
        *self.database.lock().unwrap_or_else(PoisonError::into_inner) = Probed { at: clock::now(), outcome };
    }

    fn failure(&self) -> Option<String> {
        let probed = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        match &probed.outcome {
            Err(why) => Some(why.clone()),
            Ok(()) if clock::now().duration_since(probed.at) > STALE_AFTER => Some("no result in time".to_owned()),
            Ok(()) => None,
        }
    }
}

fn unavailable(reason: String, database: &str) -> (u16, Body) {
    let checks = Checks { database: database.to_owned(), cache: "ok".to_owned() };
    (503, Body { status: "unavailable".to_owned(), reason: Some(reason), checks: Some(checks) })
}
