//! The stage of a ghost run: stores, a game whose players are in its log, an owner, a real edge, and the ghosts' places in the list
//! of nodes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::store::{NewNode, NodeReport, Store, StoreOptions, connect};
use quizhall_engine::EdgeId;
use quizhall_rules::LOG_VERSION;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::interval;
use uuid::Uuid;

use super::roster::Roster;
use super::{Size, meter};
use crate::faults::company::{Company, address};
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::services::redis::Redis;
use crate::ws_wire::{Handshake, Wire};

/// All players come from one address, this machine plays them all, and no player of the log joins a second time.
const SETTINGS: [(&str, &str); 12] = [
    ("BIND_ADDR", "0.0.0.0:0"),
    ("UPGRADES_PER_SECOND", "1000000"),
    ("UPGRADES_PER_SECOND_PER_GAME", "1000000"),
    ("RECONNECTS_PER_SEAT", "1000000"),
    ("FAILED_JOINS_PER_MINUTE", "1000000"),
    ("WAITING_ROOM", "200000"),
    ("LOBBY_GRACE", "1h"),
    ("COMMAND_TIMEOUT", "60s"),
    ("NODE_LEASE", "20s"),
    ("PLACE_GAMES_BY_LOAD", "false"),
    ("DRAIN_LAME_DUCK", "0s"),
    ("DRAIN_SPREAD", "1s"),
];
/// A fifth of the lease, as nodes do.
const RENEWAL: Duration = Duration::from_secs(4);
/// How long the owner may take to read the log of the game.
const LOADING: Duration = Duration::from_secs(180);

pub struct Stage {
    pub owner: Server,
    pub edge: Server,
    pub database: Postgres,
    pub cache: Redis,
    pub store: Arc<Store>,
    pub company: Company,
    pub roster: Roster,
    /// The ids of the ghosts in the list of nodes.
    pub ghosts: Vec<Uuid>,
    /// Number of the first event after the roster.
    pub begin: u64,
    renewing: JoinHandle<()>,
    _folder: TempDir,
}

impl Stage {
    pub async fn set(size: &Size) -> Self {
        let (folder, cache) = (TempDir::new().unwrap(), Redis::start());
        let database = Postgres::start(Durability::Kept);
        let url = database.fresh_database().await;
        let options = StoreOptions { time_limit: Duration::from_secs(60), ..database.options() };
        let store = connect(&url, options).await.unwrap();
        let redis = cache.url();
        let launch = |name: &str| {
            let own = [("NODE_NAME", name), ("DATABASE_URL", url.as_str()), ("REDIS_URL", redis.as_str())];
            let environment: Vec<_> = own.into_iter().chain(SETTINGS).collect();
            Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) })
        };
        let mut first = launch("first");
        let company = Company::open(&first, &[1], &[]).await;
        first.terminate(Duration::from_secs(30));
        let roster = Roster { game: company.game.into(), players: size.players, texts: size.texts };
        let writing = Instant::now();
        let begin = roster.write(&store).await;
        println!("{} players are in the log after {:.1?}", size.players, writing.elapsed());
        let (owner, edge) = (launch("owner"), launch("edge"));
        let ghosts = enter(&store, size.ghosts).await;
        let renewing = tokio::spawn(renew(Arc::clone(&store), ghosts.clone()));
        Self { owner, edge, database, cache, store, company, roster, ghosts, begin, renewing, _folder: folder }
    }

    /// Opens the host's socket at the owner, and waits until that has read the log and owns the game.
    pub async fn wake(&self) {
        let begun = Instant::now();
        let mut host = Vec::new();
        while self.store.head(self.roster.game).await.unwrap().unwrap().seq < self.begin {
            assert!(begun.elapsed() < LOADING, "the owner does not read the log");
            if host.is_empty() {
                host.extend(self.try_host().await);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let memory = meter::peak_memory(self.owner.id());
        println!("the game has an owner after {:.1?}, whose peak memory is {memory} MiB", begun.elapsed());
    }

    /// Opens the host's socket.
    pub async fn host(&self) -> Wire {
        self.try_host().await.expect("a place for the host")
    }

    async fn try_host(&self) -> Option<Wire> {
        let handshake = Handshake::bearer(HOST_TOKEN);
        Wire::open(address(&self.owner), &format!("/ws/{}", self.company.code), &handshake).await.ok()
    }

    /// The owner of the game on record, once there is one.
    pub async fn owner_id(&self) -> EdgeId {
        loop {
            let row = self.store.game_owner(self.roster.game).await.unwrap().unwrap();
            if let Some(owner) = row.owner.filter(|_| row.listed) {
                return EdgeId::of_node(owner);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Stage {
    /// Prints the end of each node's log when the test has failed.
    fn drop(&mut self) {
        self.renewing.abort();
        for server in [&self.owner, &self.edge] {
            let lines = server.log();
            if std::thread::panicking() {
                println!("{}", lines[lines.len().saturating_sub(30)..].join("\n"));
            }
        }
    }
}

async fn enter(store: &Store, count: u32) -> Vec<Uuid> {
    let mut ids = Vec::new();
    for number in 0..count {
        let (id, name, version) = (Uuid::now_v7(), format!("ghost{number}"), env!("CARGO_PKG_VERSION").to_owned());
        // No game is given to it.
        let node = NewNode { id, name, version, log_version: LOG_VERSION, zone: String::new(), drain: true };
        store.enter_node(node).await.unwrap();
        ids.push(id);
    }
    ids
}

async fn renew(store: Arc<Store>, ids: Vec<Uuid>) {
    let report = NodeReport { draining: true, ..NodeReport::default() };
    let mut ticks = interval(RENEWAL);
    loop {
        ticks.tick().await;
        for id in &ids {
            // A renewal that fails is followed by the next.
            let _ = store.renew_node(*id, report).await;
        }
    }
}
