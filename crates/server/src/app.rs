//! The parts of the running service in one struct: there are no globals.
//!
//! Made by `serve`, passed as `Arc<App>` to every route and socket. Never holds the state of a game: `games` does.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::auth::{Hosts, Provider};
use crate::cluster::members::Cluster;
use crate::config::Config;
use crate::games::GameRegistry;
use crate::health::Health;
use crate::limits::JoinLimits;
use crate::media::Media;
use crate::retention::Retention;
use crate::store::Store;
use crate::telemetry::Metrics;
use crate::webhooks::Webhooks;
use crate::ws::Sockets;

/// The phases in the interface's order, as `GameStats` counts them.
const PHASES: [&str; 5] = ["lobby", "question", "round_review", "leaderboard", "ended"];

/// How long a scrape waits for the size of the database.
const USAGE_TIMEOUT: Duration = Duration::from_millis(250);

/// The parts of the running service.
pub struct App {
    /// The settings it was started with.
    pub config: Config,
    /// The relational database.
    pub store: Arc<Store>,
    /// The live games.
    pub registry: GameRegistry,
    /// Accounts and sessions of hosts, and the set-up token.
    pub hosts: Hosts,
    /// The provider with which hosts may sign in, if the settings name one.
    pub provider: Option<Provider>,
    /// Webhooks of accounts.
    pub webhooks: Webhooks,
    /// Purges games and erases players.
    pub retention: Retention,
    /// Limits of joining and signing in.
    pub joins: JoinLimits,
    /// Limits of uploads and downloads, and parts of files that were read lately.
    pub media: Media,
    /// This process as one of several.
    pub cluster: Cluster,
    /// The latest health check, and whether the service is stopping.
    pub health: Health,
    /// Every open socket.
    pub sockets: Sockets,
    /// The metrics of this process.
    pub metrics: Metrics,
}

impl App {
    /// The body of `GET /metrics`: the text exposition format, with the gauges read at this moment. When the database
    /// does not report its size in time, the last known values are shown.
    pub async fn metrics_text(&self) -> String {
        let usage = timeout(USAGE_TIMEOUT, self.store.usage()).await.ok().and_then(Result::ok);
        self.metrics.render(|metrics| {
            if let Some(usage) = &usage {
                metrics.usage(usage);
            }
            let stats = self.registry.stats();
            for (phase, count) in PHASES.into_iter().zip(stats.games) {
                metrics.games(phase, count);
            }
            metrics.pending(stats.waiting);
            metrics.joins_waiting(self.joins.waiting());
            metrics.sockets(self.sockets.stats());
            metrics.database_up(self.health.is_database_ok());
            metrics.cache_up(self.health.is_cache_ok());
        })
    }
}
