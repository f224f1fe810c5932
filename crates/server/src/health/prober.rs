//! The task behind `Health`: asks the database, writes down the answer, waits, asks again.
//!
//! Says a change of state in the log once, not every probe.

use std::sync::{Arc, Weak};

use tokio::time::{sleep, timeout};

use super::{Inner, PROBE_PAUSE, PROBE_TIMEOUT};
use crate::store::Store;

/// Runs until nobody holds the `Health` any more.
pub(super) async fn run(health: Weak<Inner>, store: Arc<dyn Store>) {
    loop {
        sleep(PROBE_PAUSE).await;
        let Some(health) = health.upgrade() else { return };
        probe(&health, store.as_ref()).await;
    }
}

pub(super) async fn probe(health: &Inner, store: &dyn Store) {
    let outcome = match timeout(PROBE_TIMEOUT, store.probe()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("timeout after {}s", PROBE_TIMEOUT.as_secs())),
    };
    let (before, after) = (health.failure(), outcome.as_ref().err());
    match (&before, after) {
        (None, Some(why)) => tracing::error!(reason = %why, "database unavailable"),
        (Some(_), None) => tracing::info!("database available"),
        _ => {}
    }
    health.record(outcome);
}
