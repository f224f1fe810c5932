//! Nodes with nothing between them and their stores, for tests of many games: a proxy in this process would take the time that is
//! measured.

use std::net::SocketAddr;
use std::str::FromStr as _;

use quizhall_client::Endpoint;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection};
use tempfile::TempDir;

use super::balancer::Balancer;
use super::harness::{NODES, TIMEOUT};
use crate::faults::company::address;
use crate::faults::probes::becomes;
use crate::process::{Launch, Server};
use crate::services::redis::Redis;

/// Number of log lines of each node that are shown when a test fails.
const LINES: usize = 60;

/// Three nodes on one database and a cache of their own. The name of a node is also the name of its connections to the database.
pub struct Nodes {
    pub servers: Vec<Server>,
    balancer: Balancer,
    _cache: Redis,
    _folder: TempDir,
}

impl Nodes {
    /// Starts the nodes on this database, with settings for many games and many sockets.
    pub async fn start(database_url: &str) -> Self {
        let (folder, cache) = (TempDir::new().unwrap(), Redis::start());
        let redis = cache.url();
        let start = |number: usize| {
            let name = name_of(number);
            let url = format!("{database_url}?application_name={name}");
            let environment = [
                ("NODE_NAME", name.as_str()),
                ("DATABASE_URL", &url),
                ("REDIS_URL", &redis),
                ("GAMES_PER_HOST", "100000"),
                ("UPGRADES_PER_SECOND", "100000"),
                // The first node keeps the games that are opened on it.
                ("PLACE_GAMES_BY_LOAD", if number == 0 { "false" } else { "true" }),
            ];
            Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) })
        };
        let servers: Vec<Server> = (0..NODES).map(start).collect();
        let addresses: Vec<SocketAddr> = servers.iter().map(address).collect();
        let balancer = Balancer::before(&addresses).await;
        for server in &servers {
            becomes(server, ("/readyz", 200), TIMEOUT).await;
        }
        Self { servers, balancer, _cache: cache, _folder: folder }
    }

    /// The way to a node. Only players of a node that will die need the balancer, which leads them to another one.
    pub fn entry(&self, node: usize, through_balancer: bool) -> Endpoint {
        if through_balancer { self.balancer.entry(node) } else { self.servers[node].endpoint() }
    }
}

impl Drop for Nodes {
    /// Prints the end of each node's log when the test has failed.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        for (number, server) in self.servers.iter().enumerate() {
            let lines: Vec<String> =
                server.log().into_iter().map(|line| format!("{}: {line}", name_of(number))).collect();
            println!("{}", lines[lines.len().saturating_sub(LINES)..].join("\n"));
        }
    }
}

/// The name of a node.
pub fn name_of(number: usize) -> String {
    format!("node{number}")
}

/// A connection to the database, for a test that looks into it.
pub async fn connection(database_url: &str) -> PgConnection {
    PgConnectOptions::from_str(database_url).unwrap().connect().await.unwrap()
}
