//! The task of each check of `Health`: it probes, records the result, waits and repeats.
//!
//! Each dependency has a task of its own, so one that hangs does not hide the other. A change of state is logged once,
//! not with every probe. The reasons are public: never an address, never a secret.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use futures_util::future::BoxFuture;
use tokio::time::{sleep, timeout};

use super::{PROBE_PAUSE, PROBE_TIMEOUT, STALE_AFTER};
use crate::clock;
use crate::cluster::bus::redis::RedisBus;
use crate::store::Store;

/// The longest reason that is shown, in characters.
const MAX_REASON: usize = 200;

/// A dependency of the service.
pub trait Probe: Send + Sync + 'static {
    /// Resolves to its present fault, without addresses.
    fn probe(&self) -> BoxFuture<'_, Result<(), String>>;
}

/// The database as something to probe.
pub struct Database(pub Arc<Store>);

impl Probe for Database {
    fn probe(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move { self.0.probe().await.map_err(|error| error.reason()) })
    }
}

impl Probe for RedisBus {
    fn probe(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move { RedisBus::probe(self).await.map_err(|error| error.to_string()) })
    }
}

/// One dependency and its latest result.
pub(super) struct Probed {
    name: &'static str,
    latest: Mutex<Latest>,
}

struct Latest {
    at: Instant,
    outcome: Result<(), String>,
}

impl Probed {
    pub fn new(name: &'static str) -> Arc<Self> {
        let latest = Latest { at: clock::now(), outcome: Err("not probed yet".to_owned()) };
        Arc::new(Self { name, latest: Mutex::new(latest) })
    }

    /// Its fault.
    pub fn failure(&self) -> Option<String> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &latest.outcome {
            Err(why) => Some(why.clone()),
            Ok(()) if clock::now().duration_since(latest.at) > STALE_AFTER => Some("no result in time".to_owned()),
            Ok(()) => None,
        }
    }

    fn record(&self, outcome: Result<(), String>) {
        let (before, after) = (self.failure(), outcome.as_ref().err());
        match (before, after) {
            (None, Some(why)) if self.name == "cache" => tracing::warn!(reason = %why, "cache store unavailable"),
            (None, Some(why)) => tracing::error!(reason = %why, "{} unavailable", self.name),
            (Some(_), None) => tracing::info!("{} available", self.name),
            _ => {}
        }
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Latest { at: clock::now(), outcome };
    }
}

/// Probes once. What it returns probes again and again, until `probed` is dropped elsewhere.
pub(super) async fn start(probed: &Arc<Probed>, probe: Arc<dyn Probe>) -> impl Future<Output = ()> + use<> {
    probed.record(ask(probe.as_ref()).await);
    run(Arc::downgrade(probed), probe)
}

async fn run(probed: Weak<Probed>, probe: Arc<dyn Probe>) {
    loop {
        sleep(PROBE_PAUSE).await;
        if probed.strong_count() == 0 {
            return;
        }
        let outcome = ask(probe.as_ref()).await;
        let Some(probed) = probed.upgrade() else { return };
        probed.record(outcome);
    }
}

/// One probe, with its timeout and a reason that may be shown.
pub(super) async fn ask(probe: &dyn Probe) -> Result<(), String> {
    match timeout(PROBE_TIMEOUT, probe.probe()).await {
        Ok(outcome) => outcome.map_err(|why| presentable(&why)),
        Err(_) => Err(format!("timeout after {}s", PROBE_TIMEOUT.as_secs())),
    }
}

/// The reason in one short line. A reason that seems to contain an address is replaced, because it may contain a
/// password.
fn presentable(why: &str) -> String {
    if why.contains("://") || why.contains('@') {
        return "not reachable".to_owned();
    }
    why.chars().map(|symbol| if symbol.is_control() { ' ' } else { symbol }).take(MAX_REASON).collect()
}
