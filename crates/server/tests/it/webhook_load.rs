//! How much webhooks with receivers that hang slow the games of others: acknowledgements while attempts run and while none do,
//! alternately in one run.
//!
//! Short in an ordinary run, which only checks with `SQLite` that players get acknowledgements. `make webhook-load` measures
//! `QUIZHALL_WEBHOOK_LOAD` turns of each kind, with `PostgreSQL` as well, and compares the 99th percentile with its promise.

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::store::{Store, StoreOptions, connect};
use quizhall_rules::{GameId, HostId};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::backup::play::Play;
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::store_stage::{RawSql, host};
use crate::store_webhook_turns::multiply;
use crate::webhook_attempts::{create, ended};
use crate::webhooks::ALLOWED;

/// Names the number of turns of each kind that are measured.
const TURNS: &str = "QUIZHALL_WEBHOOK_LOAD";
const HOOKS: usize = 10;
/// The pause between two turns, in which attempts that are under way end.
const SETTLED: Duration = Duration::from_secs(11);

const HOLD: &str = "UPDATE webhook SET disabled_at_ms = 1 WHERE $1 IS NOT NULL";
const GO: &str = "UPDATE webhook SET disabled_at_ms = NULL WHERE $1 IS NOT NULL";

struct Size {
    turns: usize,
    turn: Duration,
    players: usize,
    settled: Duration,
    is_measured: bool,
}

fn size() -> Size {
    match env::var(TURNS) {
        Ok(turns) => Size {
            turns: turns.parse().unwrap(),
            turn: Duration::from_secs(20),
            players: 100,
            settled: SETTLED,
            is_measured: true,
        },
        Err(_) => Size {
            turns: 1,
            turn: Duration::from_secs(2),
            players: 20,
            settled: Duration::from_millis(100),
            is_measured: false,
        },
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_that_hang_slow_no_game_down() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("quizhall.db");
    let store = connect(&format!("sqlite://{}", file.display()), StoreOptions::default()).await.unwrap();
    let (raw_sql, receiver) = (RawSql::sqlite(&file).await, TcpListener::bind("127.0.0.1:0").await.unwrap());
    let mut load = Load::prepare(&store, raw_sql, &receiver).await;
    store.close().await;
    load.measure(&Server::start(&Launch { environment: &ALLOWED, ..Launch::new(folder.path()) }), "sqlite").await;
    if size().is_measured {
        on_postgresql().await;
    }
}

async fn on_postgresql() {
    let folder = TempDir::new().unwrap();
    let postgres = Postgres::start(Durability::Kept);
    let url = postgres.fresh_database().await;
    let store = connect(&url, postgres.options()).await.unwrap();
    let (raw_sql, receiver) = (RawSql::postgres(&url).await, TcpListener::bind("127.0.0.1:0").await.unwrap());
    let mut load = Load::prepare(&store, raw_sql, &receiver).await;
    store.close().await;
    let environment = [ALLOWED[0], ALLOWED[1], ("DATABASE_URL", url.as_str())];
    load.measure(&Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) }), "postgresql")
        .await;
}

struct Load {
    raw_sql: RawSql,
    game: GameId,
}

impl Load {
    /// Ten webhooks of one account whose receivers accept connections and never answer, and a thousand due deliveries for each.
    async fn prepare(store: &Arc<Store>, mut raw_sql: RawSql, receiver: &TcpListener) -> Self {
        let url = format!("http://{}/", receiver.local_addr().unwrap());
        let ann: HostId = host(store).await;
        for _ in 0..HOOKS {
            create(store, ann, &url).await;
        }
        let game = ended(store, ann, "AAAAAA").await;
        multiply(&mut raw_sql, game).await;
        raw_sql.execute(HOLD, game).await;
        Self { raw_sql, game }
    }

    async fn measure(&mut self, server: &Server, engine: &str) {
        let size = size();
        let mut play = Play::begin(server, size.players).await;
        let (mut quiet, mut busy) = (Vec::new(), Vec::new());
        for _ in 0..size.turns {
            quiet.push(turn(&play, &size).await);
            self.raw_sql.execute(GO, self.game).await;
            busy.push(turn(&play, &size).await);
            self.raw_sql.execute(HOLD, self.game).await;
            tokio::time::sleep(size.settled).await;
        }
        play.stop().await;
        let (quiet, busy) = (median(quiet), median(busy));
        let ratio = busy.as_secs_f64() / quiet.as_secs_f64();
        println!("{engine}: 99 % of acknowledgements {quiet:?} without attempts, {busy:?} with them: {ratio:.2} times");
        assert!(!size.is_measured || ratio <= 1.2, "{ratio}");
    }
}

/// The time within which 99 % of the acknowledgements of a turn came.
async fn turn(play: &Play, size: &Size) -> Duration {
    let begun = Instant::now();
    tokio::time::sleep(size.turn).await;
    let (slowest, answers) = play.slowest(begun, Instant::now());
    assert!(answers > size.players, "{answers}");
    slowest
}

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all[all.len() / 2]
}
