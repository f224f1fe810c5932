//! `quizhall nodes drain` while many games are played: all move within 10 s, none pauses for more than a second, and no acknowledged
//! answer is lost. `QUIZHALL_GAMES` sets the number of games, 300 in `make chaos`.

use std::ops::Range;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use quizhall_protocol::Role;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::Instant;

use super::hall;
use super::harness::{Cluster, NODES, TIMEOUT};
use super::party::owner;
use super::player::{Chair, Diary, Playing, acknowledged, credentials};
use super::shell::{all_listed, done, owned};
use crate::faults::company::Company;
use crate::process::{Server, raise_descriptors};
use crate::time_limits::promised;

/// The node that is drained.
const DRAINED: usize = 0;
/// The promise for all games together.
const ALL_MOVED: Duration = Duration::from_secs(10);
/// The promise to each player.
const PAUSE: Duration = Duration::from_secs(1);
const QUESTIONS: usize = 2;
/// Answers a second of all players together.
const RATE: usize = 400;
/// Games that are opened or ended at once.
const AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drained_node_hands_over_all_games_without_a_lost_answer() {
    raise_descriptors();
    let settings = [("GAMES_PER_HOST", "100000"), ("UPGRADES_PER_SECOND", "100000"), ("PLACE_GAMES_BY_LOAD", "false")];
    let cluster = Cluster::start(&settings).await;
    all_listed(&cluster, NODES).await;
    let games = games();
    let hall = Hall::open(&cluster, games).await;
    assert_eq!(owned(&cluster).await.get("node0"), Some(&games), "the node that is asked owns the games");
    acknowledged(hall.players.iter(), 1, TIMEOUT).await;

    let begun = Instant::now();
    let said = done(&cluster, &["nodes", "drain", "node0"]);
    let drained = begun.elapsed();
    assert!(said.starts_with("node node0 owns no game after ") && said.contains("Stop it, or end this"), "{said}");
    let spread = owned(&cluster).await;
    assert_eq!((spread.get("node0"), spread.values().sum::<usize>()), (None, games), "{spread:?}");
    assert!(spread.values().all(|owned| *owned >= games / 4), "both others take their share: {spread:?}");
    acknowledged(hall.players.iter(), 1, TIMEOUT).await;

    // It stays in the list and serves its sockets, but the balancer leads new clients elsewhere, and it owns no new game.
    let (_, body) = cluster.nodes[DRAINED].says("/readyz", TIMEOUT, |status, _| status == 503).await;
    assert_eq!(body["reason"], json!("draining: an operator has ordered it"));
    assert_eq!(cluster.nodes[DRAINED].ask("/healthz").await.map(|(status, _)| status), Some(200));
    let new = Company::open(&cluster.nodes[DRAINED].server, &[1], &["Ann"]).await;
    assert!(matches!(owner(&cluster, new.game).await, Some(1 | 2)), "a drained node gives a new game away");
    assert!(done(&cluster, &["nodes", "list"]).contains("drained"));

    assert_eq!(done(&cluster, &["nodes", "drain", "node0", "--undo"]), "node node0 may own games again.\n");
    cluster.nodes[DRAINED].says("/readyz", TIMEOUT, |status, _| status == 200).await;
    let new = Company::open(&cluster.nodes[DRAINED].server, &[1], &["Ann"]).await;
    assert_eq!(owner(&cluster, new.game).await, Some(DRAINED));

    let diaries = hall.end(&cluster.nodes[1].server).await;
    let mut waits: Vec<_> = diaries
        .iter()
        .flat_map(|diary| &diary.waits)
        .filter(|wait| wait.given >= begun - PAUSE && wait.given <= begun + drained)
        .map(|wait| wait.took)
        .collect();
    waits.sort_unstable();
    let longest = waits.last().copied().unwrap_or_default();
    println!(
        "{games} games drained in {drained:.2?}; {} answers meanwhile, median {:.0?}, p99 {:.0?}, longest wait {longest:.0?}; {} \
         acknowledged, none lost",
        waits.len(),
        waits.get(waits.len() / 2).copied().unwrap_or_default(),
        waits.get(waits.len() * 99 / 100).copied().unwrap_or_default(),
        diaries.iter().map(|diary| diary.waits.len()).sum::<usize>(),
    );
    assert!(!waits.is_empty());
    assert!(drained <= promised(ALL_MOVED), "drained after {drained:?}");
    assert!(longest <= promised(PAUSE), "a player waited {longest:?}");
    assert!(diaries.iter().all(|diary| diary.lost.is_empty()), "a socket was closed by the drain");
}

/// How many games are played.
fn games() -> usize {
    std::env::var("QUIZHALL_GAMES").ok().map_or(60, |text| text.parse().expect("a number"))
}

/// Games with one player each, in turn on every node.
struct Hall {
    games: Vec<Company>,
    players: Vec<Playing>,
    stop: watch::Sender<bool>,
}

impl Hall {
    async fn open(cluster: &Cluster, games: usize) -> Self {
        let (stop, stopped) = watch::channel(false);
        let server = &cluster.nodes[DRAINED].server;
        // Not played: its quiz is that of all games.
        let model = &Company::open(server, &[QUESTIONS], &[]).await;
        let quiz = server.api().game(model.game).await.unwrap().quiz_id.unwrap();
        let opened = stream::iter(0..games).map(|_| hall::open(server, quiz, model, 1));
        let games: Vec<Company> = opened.buffer_unordered(AT_ONCE).collect().await;
        let think = pauses(games.len());
        let players = games.iter().enumerate().map(|(number, company)| {
            let node = number % NODES;
            let chair = Chair {
                node,
                entry: cluster.nodes[node].server.endpoint(),
                credentials: credentials(&company.code, &company.players[0].token, Role::Player),
                player: Some(company.players[0].id),
                questions: company.rounds[0].clone(),
                think: think.clone(),
                seed: rand::random(),
            };
            Playing::begin(chair, &stopped)
        });
        Self { players: players.collect(), games, stop }
    }

    /// Lets all players finish, ends every game, and compares the results with the diaries.
    async fn end(self, server: &Server) -> Vec<Diary> {
        self.stop.send_replace(true);
        let mut diaries = Vec::new();
        for player in self.players {
            diaries.push(player.task.await.unwrap());
        }
        let ended = stream::iter(self.games.iter().zip(&diaries));
        let ended = ended.map(|(company, diary)| hall::end(server, company, &diary.ledger));
        ended.buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
        diaries
    }
}

/// The pauses, in ms, with which this many players give [`RATE`] answers a second, or fewer.
fn pauses(players: usize) -> Range<u64> {
    let mean = u64::try_from(players * 1_000 / RATE).unwrap().max(250);
    mean / 2..mean * 3 / 2
}
