//! Makes the parts of the service from its settings: database, cache store, games, accounts, health; as a single
//! process or as a node.
//!
//! Called by `serve::start`, before it accepts connections.

use std::sync::Arc;

use anyhow::Context as _;
use secrecy::ExposeSecret as _;
use tokio::sync::mpsc;

use crate::app::App;
use crate::auth::{Hosts, Notify, Provider, Shared};
use crate::cluster::bus::Notice;
use crate::cluster::bus::redis::RedisBus;
use crate::cluster::members::Cluster;
use crate::config::Config;
use crate::games::{GameOptions, GameRegistry};
use crate::health::{self, Health};
use crate::library::sample_quiz;
use crate::limits::JoinLimits;
use crate::media::Media;
use crate::retention::Retention;
use crate::store::sqlite::ServiceLock;
use crate::store::{self, Store};
use crate::telemetry::Metrics;
use crate::telemetry::metrics::requests_expected;
use crate::webhooks::Webhooks;
use crate::ws::Sockets;

use super::capacity::Capacity;
use super::router::expected_requests;

/// The service; the notices of other nodes, if there may be any; and the lock of its database, if only one process
/// serves it.
pub(super) type Assembled = (App, Option<mpsc::Receiver<Notice>>, Option<ServiceLock>);

pub(super) async fn assemble(config: Config, capacity: &Capacity) -> anyhow::Result<Assembled> {
    let lock = store::lock_service(config.storage.database_url.expose_secret());
    let lock = lock.context("the database cannot be used")?;
    let store = health::open_database(&config.storage).await?;
    let cache = cache(&config).await?;
    let registry = GameRegistry::new(Arc::clone(&store), game_options(&config));
    let (cluster, notices) = cluster(&config, &registry, &store, cache.as_ref()).await?;
    let limits = cache.as_ref().map(RedisBus::limits);
    let shared = Shared { limits: limits.clone(), notify: notices.is_some().then(|| notify(cluster.clone())) };
    let hosts = Hosts::new(Arc::clone(&store), &config.identity, sample_quiz, shared).await?;
    let health = Health::new(config.cluster.ready_without_cache);
    health.start(Arc::clone(&store), cache).await;
    let metrics = Metrics::start();
    requests_expected(expected_requests());
    let app = App {
        retention: Retention::of_service(Arc::clone(&store), config.retention, registry.clone(), config.is_cluster()),
        cluster,
        registry,
        hosts,
        provider: config.oidc.clone().map(|oidc| Provider::new(oidc, Arc::clone(&store))),
        webhooks: Webhooks::new(Arc::clone(&store), config.webhooks.clone(), limits.clone()),
        joins: JoinLimits::new(&config.identity, limits.clone()),
        media: Media::new(limits),
        health,
        sockets: Sockets::start(config.sockets.clone(), capacity.sockets, capacity.outbound_budget),
        metrics,
        store,
        config,
    };
    Ok((app, notices, lock))
}

async fn cache(config: &Config) -> anyhow::Result<Option<RedisBus>> {
    let Some(url) = &config.storage.redis_url else { return Ok(None) };
    let cache = RedisBus::open(url.expose_secret()).context("the cache store cannot be used")?;
    health::wait_for_cache(&cache, config.telemetry.environment, config.storage.time_limit).await?;
    Ok(Some(cache))
}

async fn cluster(
    config: &Config,
    registry: &GameRegistry,
    store: &Arc<Store>,
    cache: Option<&RedisBus>,
) -> anyhow::Result<(Cluster, Option<mpsc::Receiver<Notice>>)> {
    let Some(bus) = cache.filter(|_| config.is_cluster()) else { return Ok((Cluster::solo(registry.clone()), None)) };
    let entered = Cluster::enter(registry.clone(), Arc::clone(store), bus.clone(), config.cluster.clone()).await;
    let (cluster, notices) = entered.context("the list of nodes cannot be entered")?;
    Ok((cluster, Some(notices)))
}

fn notify(cluster: Cluster) -> Notify {
    Arc::new(move |notice| cluster.notify(&notice))
}

fn game_options(config: &Config) -> GameOptions {
    GameOptions {
        waiting_room: usize::try_from(config.game.waiting_room).unwrap_or(usize::MAX),
        command_timeout: config.game.command_timeout,
        lobby_grace: config.game.lobby_grace,
        linger: config.game.game_over_linger,
        player_limit: config.game.max_players,
        most_spectators: config.game.max_spectators,
        log_per_seat: config.game.log_bytes_per_seat,
        liveness: config.liveness(),
        place_by_load: config.cluster.place_by_load,
        ..GameOptions::default()
    }
}
