//! Waiting at start for a store that cannot be reached yet: with growing pauses, and with an error when it takes too
//! long.
//!
//! Called by `serve` before it accepts connections. A start does not wait for a store that can never be used with these
//! settings (a wrong address, settings that lose data).

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use secrecy::ExposeSecret as _;
use tokio::time::sleep;

use super::prober::{self, Database, Probe};
use crate::clock;
use crate::cluster::bus::redis::RedisBus;
use crate::config::{Environment, Storage};
use crate::store::{self, Store, StoreError};

/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Opens the database, waiting for one that does not answer yet as long as the settings allow.
///
/// # Errors
/// When it cannot be used, or did not answer in time.
pub async fn open_database(storage: &Storage) -> anyhow::Result<Arc<Store>> {
    let open = || store::connect(storage.database_url.expose_secret(), storage.options);
    let may_pass = |error: &StoreError| matches!(error, StoreError::Unavailable(_));
    retry_within("database", storage.time_limit, open, may_pass).await.context("the database cannot be used")
}

/// Checks once for each store of the settings whether this version can work with it: connects, checks tables and rights
/// by a commit, and changes nothing else. For `check-config`.
pub async fn ask_stores(storage: &Storage) -> Vec<(&'static str, Result<(), String>)> {
    let database = async {
        let store = store::connect_existing(storage.database_url.expose_secret(), storage.options).await;
        let store = store.map_err(|error| error.to_string())?;
        let outcome = prober::ask(&Database(Arc::clone(&store))).await;
        store.close().await;
        outcome
    };
    let mut outcomes = vec![("database", database.await)];
    if let Some(url) = &storage.redis_url {
        let outcome = match RedisBus::open(url.expose_secret()) {
            Ok(cache) => prober::ask(&cache).await,
            Err(error) => Err(error.to_string()),
        };
        outcomes.push(("cache", outcome));
    }
    outcomes
}

/// Checks whether the cache store answers. In production a start waits for it, and fails when that takes too long. In
/// development it continues with a warning, and health answers 503 until the store answers.
///
/// # Errors
/// When it did not answer in time, in production.
pub async fn wait_for_cache(cache: &dyn Probe, environment: Environment, time_limit: Duration) -> anyhow::Result<()> {
    let ask = || prober::ask(cache);
    match environment {
        Environment::Production => retry_within("cache", time_limit, ask, |_| true)
            .await
            .map_err(anyhow::Error::msg)
            .context("the cache store cannot be used"),
        Environment::Development => {
            if let Err(reason) = ask().await {
                tracing::warn!(%reason, "cache store unreachable; serving on without it");
            }
            Ok(())
        }
    }
}

/// Tries until it succeeds, a permanent error occurs, or no time is left for another try.
async fn retry_within<T, E: Display, F: Future<Output = Result<T, E>>>(
    what: &'static str,
    time_limit: Duration,
    attempt: impl Fn() -> F,
    may_pass: impl Fn(&E) -> bool,
) -> Result<T, E> {
    let (begun, mut pause) = (clock::now(), FIRST_PAUSE);
    loop {
        let error = match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if !may_pass(&error) || clock::since(begun) + pause > time_limit {
            return Err(error);
        }
        if pause == FIRST_PAUSE {
            tracing::warn!(store = what, reason = %error, "not there yet; waiting");
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
