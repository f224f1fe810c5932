//! A cluster of the real binary: nodes as child processes, a PostgreSQL and a Redis that no other cluster uses meanwhile, and a
//! proxy between each node and each store. Dropping it ends the nodes.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use super::balancer::Balancer;
use super::plain::connection;
use super::proxy::{Proxy, Way};
use crate::faults::company::address;
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::services::redis::Redis;

/// Number of nodes in a cluster.
pub const NODES: usize = 3;

/// For conditions that have no promise of their own; a test that waits longer has failed.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// Number of log lines of each node that are shown when a test fails.
const LINES: usize = 60;

/// Only one cluster runs at a time: two would slow each other down. The next one gets the stores of the one before.
static ONE_AT_A_TIME: Mutex<Option<Stores>> = Mutex::const_new(None);

/// Waits until no cluster runs, and lets none start.
pub async fn alone() -> MutexGuard<'static, Option<Stores>> {
    ONE_AT_A_TIME.lock().await
}

/// The stores of a cluster. Making a PostgreSQL takes longer than starting three nodes, so one serves all clusters.
pub struct Stores {
    pub database: Postgres,
    pub cache: Redis,
    /// A database of this cluster alone.
    pub database_url: String,
    /// Whether the cluster has ended well, so that another one can have the stores.
    pub are_whole: bool,
}

impl Stores {
    /// The same as [`alone`], with a new database and an empty cache.
    pub async fn of_one_cluster() -> MappedMutexGuard<'static, Self> {
        let mut kept = alone().await;
        let stores = if let Some(stores) = kept.take().filter(|stores| stores.are_whole) {
            stores.database.drop_database(&stores.database_url).await;
            stores.cache.flush_all();
            Self { database_url: stores.database.fresh_database().await, are_whole: false, ..stores }
        } else {
            let (database, cache) = (Postgres::start(Durability::Kept), Redis::start());
            Self { database_url: database.fresh_database().await, database, cache, are_whole: false }
        };
        MutexGuard::map(kept, |kept| kept.insert(stores))
    }
}

/// The nodes, the stores, and the proxies between them.
pub struct Cluster {
    pub nodes: Vec<Node>,
    pub balancer: Balancer,
    /// The address of the database without a proxy.
    pub database_url: String,
    folder: TempDir,
    /// The last field: the nodes end before another cluster begins.
    pub stores: MappedMutexGuard<'static, Stores>,
}

/// One node and its proxies to the stores.
pub struct Node {
    pub server: Server,
    pub database: Proxy,
    pub cache: Proxy,
    environment: Vec<(String, String)>,
    /// The log of earlier processes of this node.
    said: Vec<String>,
}

impl Cluster {
    /// Starts the cluster with the default settings, except for these settings of the nodes.
    pub async fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_each(settings, |_| None).await
    }

    /// The same with one more setting for each node.
    pub async fn start_each<'a>(
        settings: &[(&'a str, &'a str)],
        own: impl Fn(usize) -> Option<(&'a str, &'a str)>,
    ) -> Self {
        let stores = Stores::of_one_cluster().await;
        let folder = tempfile::tempdir().unwrap();
        let (database_url, cache_url) = (stores.database_url.clone(), stores.cache.url());
        let mut nodes = Vec::new();
        for number in 0..NODES {
            let own = settings.iter().copied().chain(own(number));
            nodes.push(Node::start(number, &folder, [database_url.as_str(), &cache_url], own).await);
        }
        let addresses: Vec<SocketAddr> = nodes.iter().map(|node| address(&node.server)).collect();
        let balancer = Balancer::before(&addresses).await;
        let cluster = Self { nodes, balancer, database_url, folder, stores };
        cluster.all_ready(TIMEOUT).await;
        cluster
    }

    /// Adds a node, which no entry of the balancer leads to; returns its number.
    pub async fn add(&mut self, settings: &[(&str, &str)]) -> usize {
        let number = self.nodes.len();
        let urls = [self.database_url.as_str(), &self.stores.cache.url()];
        let node = Node::start(number, &self.folder, urls, settings.iter().copied()).await;
        self.nodes.push(node);
        number
    }

    /// Starts a node again, on the same address; its process has ended before.
    pub fn start_again(&mut self, number: usize) {
        self.start_again_as(number, &[]);
    }

    /// The same with further settings, also for later starts.
    pub fn start_again_as(&mut self, number: usize, settings: &[(&str, &str)]) {
        let node = &mut self.nodes[number];
        node.said.extend(node.server.log());
        node.environment.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        node.server = launch(&self.folder, &node.environment, Some(address(&node.server)));
    }

    /// How many games are in this phase.
    pub async fn games_in(&self, phase: &str) -> i64 {
        let mut database = connection(&self.database_url).await;
        let count = sqlx::query_scalar("SELECT count(*) FROM game WHERE phase = $1").bind(phase);
        count.fetch_one(&mut database).await.unwrap()
    }

    /// Waits until every node reports that it is ready; how long the last one took.
    pub async fn all_ready(&self, within: Duration) -> Duration {
        let mut slowest = Duration::ZERO;
        for node in &self.nodes {
            slowest = slowest.max(node.says("/readyz", within, |status, _| status == 200).await.0);
        }
        slowest
    }
}

impl Drop for Cluster {
    /// Prints the end of each node's log when the test has failed.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stores.are_whole = true;
            return;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let said = node.said.iter().cloned().chain(node.server.log());
            let lines: Vec<String> = said.map(|line| format!("node {number}: {line}")).collect();
            println!("{}", lines[lines.len().saturating_sub(LINES)..].join("\n"));
        }
    }
}

impl Node {
    async fn start<'a>(
        number: usize,
        folder: &TempDir,
        urls: [&str; 2],
        settings: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let (database, database_there) = through(urls[0]).await;
        let (cache, cache_there) = through(urls[1]).await;
        let own = [
            ("NODE_NAME", format!("node{number}")),
            ("DATABASE_URL", database_there),
            ("REDIS_URL", cache_there),
            ("DRAIN_LAME_DUCK", "1s".to_owned()),
            ("DRAIN_SPREAD", "3s".to_owned()),
        ];
        let given = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let environment: Vec<_> = own.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(given).collect();
        let server = launch(folder, &environment, None);
        Self { server, database, cache, environment, said: Vec::new() }
    }

    /// Asks until the answer is the wanted one; how long it took, and the body.
    pub async fn says(&self, path: &str, within: Duration, wanted: impl Fn(u16, &Value) -> bool) -> (Duration, Value) {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < within {
            match self.ask(path).await {
                Some((status, body)) if wanted(status, &body) => return (begun.elapsed(), body),
                other => last = other,
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{path} of {} does not say so within {within:?} but {last:?}", self.server.url());
    }

    /// Status and body now; `None` when there is no answer within a second.
    pub async fn ask(&self, path: &str) -> Option<(u16, Value)> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(1)).build().unwrap();
        let response = client.get(self.server.url() + path).send().await.ok()?;
        let status = response.status().as_u16();
        Some((status, serde_json::from_str(&response.text().await.ok()?).unwrap_or_default()))
    }

    /// Sets the proxies to both stores.
    pub fn set_all(&self, way: Way) {
        self.database.set(way);
        self.cache.set(way);
    }
}

fn launch(folder: &TempDir, environment: &[(String, String)], at: Option<SocketAddr>) -> Server {
    let at = at.map(|address| address.to_string());
    let mut pairs: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    pairs.extend(at.as_deref().map(|address| ("BIND_ADDR", address)));
    Server::start(&Launch { environment: &pairs, ..Launch::new(folder.path()) })
}

/// A proxy to the host of a URL, and the URL through it.
async fn through(url: &str) -> (Proxy, String) {
    let rest = url.split_once("://").unwrap().1;
    let authority = rest.split('/').next().unwrap();
    let host = authority.rsplit('@').next().unwrap();
    let proxy = Proxy::to(host.parse().unwrap()).await;
    let url = url.replacen(host, &proxy.address().to_string(), 1);
    (proxy, url)
}

/// Waits for a condition that no message announces; how long it took.
pub async fn until(what: &str, within: Duration, mut holds: impl AsyncFnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < within, "{what}: not within {within:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    begun.elapsed()
}
