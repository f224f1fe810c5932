//! Health with two stores, and the start of the service while one of them cannot be reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use quizhall::config::{Config, Environment};
use quizhall::health::{Health, Probe, open_database, wait_for_cache};
use tempfile::TempDir;

use crate::time_limits::promised;

/// The promise of the interface: 503 within this time, and 200 again within it.
const PROMISE: Duration = Duration::from_secs(3);

const UP: usize = 0;
const DOWN: usize = 1;
const HANGING: usize = 2;

/// A store whose state the test sets.
#[derive(Default)]
struct Dependency {
    state: AtomicUsize,
    /// How many more probes fail before it recovers by itself.
    failures_left: AtomicUsize,
}

impl Dependency {
    fn is(&self, state: usize) {
        self.state.store(state, Ordering::SeqCst);
    }
}

impl Probe for Dependency {
    fn probe(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let fails = |left: usize| left.checked_sub(1);
            if self.failures_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fails).is_ok() {
                return Err("starting up".to_owned());
            }
            match self.state.load(Ordering::SeqCst) {
                UP => Ok(()),
                DOWN => Err("cannot reach redis://user:pass-word@host".to_owned()),
                _ => std::future::pending().await,
            }
        })
    }
}

/// Health with two dependencies.
async fn stage(ready_without_cache: bool) -> (Health, Arc<Dependency>, Arc<Dependency>) {
    let health = Health::new(ready_without_cache);
    let (database, cache) = (Arc::<Dependency>::default(), Arc::<Dependency>::default());
    health.watch(Arc::clone(&database) as _, Some(Arc::clone(&cache) as _)).await;
    (health, database, cache)
}

/// Waits until the reason is this one, or until all is well (`None`).
async fn becomes(health: &Health, wanted: Option<&str>) {
    let begun = Instant::now();
    loop {
        let (status, body) = health.healthz();
        assert_eq!(status, if body.reason.is_some() { 503 } else { 200 });
        if body.reason.as_deref() == wanted {
            return;
        }
        assert!(begun.elapsed() < promised(PROMISE), "{body:?} instead of {wanted:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn either_store_unreachable_is_503_with_its_name_and_200_after() {
    let unread = Health::new(false).healthz();
    assert_eq!((unread.0, unread.1.checks.unwrap().database.as_str()), (503, "down"), "not probed yet");
    let (health, database, cache) = stage(false).await;
    assert_eq!(health.healthz().0, 200);
    cache.is(DOWN);
    becomes(&health, Some("cache: not reachable")).await;
    let checks = health.healthz().1.checks.unwrap();
    assert_eq!((checks.database.as_str(), checks.cache.as_str()), ("ok", "down"));
    assert_eq!(health.readyz(false).0, 503);
    assert!(health.is_database_ok() && !health.is_cache_ok());
    database.is(HANGING);
    becomes(&health, Some("database: timeout after 1s; cache: not reachable")).await;
    let checks = health.healthz().1.checks.unwrap();
    assert_eq!((checks.database.as_str(), checks.cache.as_str()), ("down", "down"));
    cache.is(UP);
    becomes(&health, Some("database: timeout after 1s")).await;
    database.is(UP);
    becomes(&health, None).await;
    assert!(health.is_database_ok() && health.is_cache_ok());
}

#[tokio::test]
async fn where_that_is_wanted_a_node_is_ready_without_the_cache_and_says_so() {
    let (health, database, cache) = stage(true).await;
    assert_eq!(health.readyz(false), (200, health.healthz().1), "no word of it while all is well");
    cache.is(DOWN);
    becomes(&health, Some("cache: not reachable")).await;
    let (status, body) = health.readyz(false);
    assert_eq!((status, body.status.as_str(), &body.degraded[..]), (200, "ok", &["cache".to_owned()][..]));
    database.is(DOWN);
    becomes(&health, Some("database: not reachable; cache: not reachable")).await;
    assert_eq!(health.readyz(false), health.healthz(), "nothing works without the database");
    database.is(UP);
    becomes(&health, Some("cache: not reachable")).await;
    let (status, body) = health.readyz(true);
    assert_eq!((status, body.reason.as_deref()), (503, Some("draining: an operator has ordered it")));
    health.drain();
    let (status, body) = health.readyz(false);
    assert_eq!((status, body.checks.unwrap().cache.as_str()), (503, "down"), "a node that stops takes nothing new");
}

/// A store that cannot be used for this reason.
struct Failing(String);

impl Probe for Failing {
    fn probe(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Err(self.0.clone()) })
    }
}

#[tokio::test]
async fn a_reason_is_one_short_line_without_an_address() {
    let long = "long ".repeat(1_000);
    for (reason, shown) in [
        ("connection refused\nby the host", "connection refused by the host"),
        ("cannot reach redis://host:6379", "not reachable"),
        ("user:pass-word@host: no route", "not reachable"),
        (&long, &long[..200]),
    ] {
        let health = Health::new(false);
        health.watch(Arc::new(Failing(reason.to_owned())), None).await;
        assert_eq!(health.healthz().1.reason, Some(format!("database: {shown}")));
    }
}

#[tokio::test]
async fn after_the_stop_no_prober_has_a_store() {
    let (health, database, cache) = stage(false).await;
    database.is(HANGING);
    health.stop().await;
    assert_eq!([Arc::strong_count(&database), Arc::strong_count(&cache)], [1, 1]);
}

#[tokio::test]
async fn a_cache_in_process_is_never_down() {
    let (health, database) = (Health::new(false), Arc::<Dependency>::default());
    health.watch(Arc::clone(&database) as _, None).await;
    assert!(health.is_cache_ok());
    database.is(DOWN);
    becomes(&health, Some("database: not reachable")).await;
    assert_eq!(health.healthz().1.checks.unwrap().cache, "ok");
}

#[tokio::test]
async fn a_start_in_production_waits_for_the_cache_and_one_in_development_does_not() {
    let cache = Dependency { failures_left: AtomicUsize::new(3), ..Dependency::default() };
    let time_limit = Duration::from_secs(30);
    wait_for_cache(&cache, Environment::Production, time_limit).await.unwrap();
    assert_eq!(cache.failures_left.load(Ordering::SeqCst), 0, "it was probed until it could be reached");
    cache.is(DOWN);
    wait_for_cache(&cache, Environment::Development, time_limit).await.unwrap();
    let error = wait_for_cache(&cache, Environment::Production, Duration::from_millis(300)).await.unwrap_err();
    let said = format!("{error:#}");
    assert!(said.contains("cache store") && !said.contains("pass-word"), "{said}");
}

#[tokio::test]
async fn a_database_that_can_never_be_used_is_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}", folder.path().display());
    let config = Config::from_pairs(&[("DATABASE_URL", &url), ("STORES_PATIENCE", "10m")]).unwrap();
    let refused = open_database(&config.storage).await.err().unwrap();
    assert!(format!("{refused:#}").contains("cannot open the database"), "{refused:#}");
}
