//! The scenarios of many small games: `many-games` (all of them busy, compared with a single one) and `restart` (the
//! service is killed and comes back with all of them live).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use quizhall_client::Api;
use quizhall_protocol::FromHost;
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::http::games::Game;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::game::exact;
use super::host::{Host, Seen};
use super::ledger::{self, Ledger};
use super::outcome::{Outcome, millis};
use super::process::Beside;
use super::quiz;
use super::server::Server;
use super::trial::{AT_ONCE, TIMEOUT, Venue, table};
use crate::monotonic;
use crate::users::{Counts, Key, Order, VirtualUsers};

/// The name of the outcome of `many-games` with one process and `SQLite`, which those of several nodes are compared with.
pub(super) const ON_SQLITE: &str = "many-games on SQLite";

/// Hosts who connect or open games at once.
const HOSTS_AT_ONCE: usize = 32;

/// The games that are filled at once for a restart: the sockets of their players are open while they answer, and closed
/// afterwards.
const BATCH: usize = 200;

/// The number of games and their activity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) games: usize,
    pub(super) players: usize,
    pub(super) questions: usize,
    /// A question every so often in each game.
    pub(super) every: Duration,
}

impl Load {
    /// The least and the most microseconds that a player thinks: from a moment to most of the time until the next question.
    pub(super) fn thinking(&self) -> (u64, u64) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        (micros(self.every / 50), micros(self.every * 4 / 5))
    }

    /// Answers of all players to all questions.
    pub(super) fn answers(&self) -> u64 {
        (self.games * self.players * self.questions) as u64
    }
}

/// Games that are played in parallel.
struct Tables {
    api: Api,
    users: VirtualUsers,
    games: Vec<Game>,
    hosts: Vec<Host>,
    keys: Vec<Key>,
    players: usize,
}

/// A single game, then all of them: the time to an acknowledgement must stay similar.
pub(super) async fn many_games(venue: &Venue, load: Load) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::of("many-games", load.games, load.players);
    let begun = monotonic::now();
    // The single game lasts nearly as long as the many games. A slow write of the disk delays many answers to a question, so
    // the p99 of twenty questions is that of the slowest one.
    let alone = Load { games: 1, questions: load.questions * 20, every: load.every / 25, ..load };
    let mut tables = Tables::open(venue, alone).await?;
    let idle = tables.play(alone).await?;
    tables.check(alone, &idle, &mut outcome).await?;
    drop(tables);
    let mut tables = Tables::open(venue, load).await?;
    let (cpu, written) = (venue.processes.cpu(), venue.processes.written());
    let beside: Vec<u64> = venue.beside.iter().map(Beside::cpu).collect();
    let since = monotonic::now();
    let busy = tables.play(load).await?;
    let took = monotonic::now() - since;
    let (cpu, written) = (venue.processes.cpu() - cpu, venue.processes.written() - written);
    let beside: Vec<u64> = venue.beside.iter().zip(beside).map(|(each, before)| each.cpu() - before).collect();
    tables.check(load, &busy, &mut outcome).await?;
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    let p99 = |counts: &Counts| exact(counts.acknowledgement.at(0.99)) / 1e3;
    outcome.figure("acknowledgement p99 of one game alone", p99(&idle), "ms");
    outcome.figure("acknowledgement p99 of all games", p99(&busy), "ms");
    outcome.figure("acknowledgement p99, ratio", p99(&busy) / p99(&idle).max(1e-3), "×");
    outcome.figure("answers per second", exact(busy.answers) / (millis(took) / 1e3), "");
    if venue.processes.known() {
        outcome.figure("share of one core", millis(cpu) / millis(took), "");
        outcome.figure("CPU per answer, everything included", millis(cpu) * 1e3 / exact(busy.answers), "µs");
        outcome.figure("bytes written to disk per answer", exact(written) / exact(busy.answers), "");
    }
    for (each, cpu) in venue.beside.iter().zip(beside) {
        outcome.figure(&format!("CPU per answer, {}", each.name), millis(cpu) * 1e3 / exact(busy.answers), "µs");
    }
    outcome.latency("acknowledgement, one game alone", &idle.acknowledgement);
    outcome.latency("acknowledgement, all games", &busy.acknowledgement);
    Ok(outcome)
}

/// Games are filled, a batch at a time; then the server is killed and started again, and the host of each comes back.
pub(super) async fn restart(venue: &Venue, server: &mut Server, load: Load) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::of("restart", load.games, load.players);
    let mut games = Vec::new();
    let mut left = load.games;
    while left > 0 {
        let batch = Load { games: left.min(BATCH), ..load };
        let mut tables = Tables::open(venue, batch).await?;
        let counts = tables.play(batch).await?;
        Tables::count(batch, &counts, &mut outcome);
        games.extend(tables.games);
        left -= batch.games;
    }
    sleep(Duration::from_millis(200)).await;
    let since = monotonic::now();
    server.crash_and_start().await?;
    let ready = monotonic::now();
    // One host per game, because hosts need no join: the whole state is sent to each.
    let mut returning: JoinSet<anyhow::Result<Host>> = JoinSet::new();
    let (mut waiting, mut shown) = (games.into_iter(), 0_u64);
    loop {
        while returning.len() < HOSTS_AT_ONCE
            && let Some(game) = waiting.next()
        {
            let (endpoint, token) = (server.endpoint.clone(), server.token.clone());
            returning.spawn(async move {
                let mut host = Host::connect(&endpoint, &token, &game.game_code).await?;
                let restored = |seen: &Seen| {
                    let counts = seen.counts.values().filter(|count| **count as usize == load.players);
                    seen.released == load.questions && counts.count() == load.questions
                };
                host.until("the sync messages", TIMEOUT, restored).await?;
                Ok(host)
            });
        }
        let Some(back) = returning.join_next().await else { break };
        back??;
        shown += 1;
    }
    let took = monotonic::now() - since;
    outcome.seconds = millis(took) / 1e3;
    outcome.check("games that stand as they stood", shown, load.games as u64);
    outcome.figure("the service is ready", millis(ready - since), "ms");
    outcome.figure("every game is replayed and shown", millis(took), "ms");
    Ok(outcome)
}

impl Tables {
    /// Opens the games, fills them and starts them.
    async fn open(venue: &Venue, load: Load) -> anyhow::Result<Self> {
        // All sockets of a game are on one node, as a balancer distributes them that hashes the game's code.
        let of_game = |number: usize| &venue.endpoints[number % venue.endpoints.len()];
        let api = Api::new(of_game(0).clone()).with_token(venue.token.clone());
        let stored = api.create_quiz(&quiz::of(&[quiz::round(load.questions)])).await?;
        let (mut opening, mut opened) = (JoinSet::new(), Vec::with_capacity(load.games));
        let mut left = load.games;
        loop {
            while left > 0 && opening.len() < HOSTS_AT_ONCE {
                left -= 1;
                let (endpoint, token) = (of_game(left).clone(), venue.token.clone());
                opening.spawn(async move {
                    let api = Api::new(endpoint.clone()).with_token(token.clone());
                    let game = api.create_game(stored.id).await?;
                    let host = Host::connect(&endpoint, &token, &game.game_code).await?;
                    anyhow::Ok((game, host, endpoint))
                });
            }
            let Some(ready) = opening.join_next().await else { break };
            opened.push(ready??);
        }
        let places: Vec<_> =
            opened.iter().map(|(game, _, endpoint)| (game.game_code.clone(), endpoint.clone())).collect();
        let (games, hosts): (Vec<Game>, Vec<Host>) = opened.into_iter().map(|(game, host, _)| (game, host)).unzip();
        let keys = quiz::keys(games.first().context("no games")?)?.concat();
        let mut users = VirtualUsers::here()?;
        users.ask(Order::Learn(keys.clone())).await?;
        let at_tables = places.iter().map(|(code, endpoint)| table(endpoint, code, (0, load.players)));
        let tables = at_tables.collect::<anyhow::Result<_>>()?;
        users.ask(Order::Join { tables, at_once: AT_ONCE, small: 0 }).await?;
        for host in &hosts {
            host.send(FromHost::StartGame).await?;
        }
        Ok(Self { api, users, games, hosts, keys, players: load.players })
    }

    /// Plays all questions in all games, each at its own time.
    async fn play(&mut self, load: Load) -> anyhow::Result<Counts> {
        self.users.counts().await?;
        self.users.ask(Order::Think(Some(load.thinking()))).await?;
        let begun = Instant::now();
        let keys = Arc::new(self.keys.clone());
        let mut hosts = JoinSet::new();
        let count = u32::try_from(self.hosts.len()).unwrap_or(u32::MAX).max(1);
        for (turn, host) in (0..).zip(self.hosts.drain(..)) {
            let keys = Arc::clone(&keys);
            let first = begun + load.every * turn / count;
            hosts.spawn(async move {
                for (turn, key) in (0..).zip(keys.iter()) {
                    sleep_until(first + load.every * turn).await;
                    host.send(FromHost::ReleaseQuestion(ReleaseQuestion { question_id: key.question })).await?;
                }
                anyhow::Ok(host)
            });
        }
        while let Some(host) = hosts.join_next().await {
            self.hosts.push(host??);
        }
        // The answers to the last question.
        let wanted = load.answers();
        let end = Instant::now() + load.every + TIMEOUT;
        let mut counts = Counts::default();
        while counts.acknowledged < wanted && Instant::now() < end {
            sleep(Duration::from_millis(20)).await;
            counts.add(self.users.counts().await?);
        }
        self.users.ask(Order::Think(None)).await?;
        Ok(counts)
    }

    fn count(load: Load, counts: &Counts, outcome: &mut Outcome) {
        let wanted = load.answers();
        outcome.check("answers sent", counts.answers, wanted);
        outcome.check("answers acknowledged", counts.acknowledged, wanted);
        outcome.check("lost connections", counts.lost, 0);
    }

    /// Checks the results of every game.
    async fn check(&self, load: Load, counts: &Counts, outcome: &mut Outcome) -> anyhow::Result<()> {
        Self::count(load, counts, outcome);
        let answered: Vec<_> = self.keys.iter().map(|key| key.question).collect();
        // Points count when the scores are released.
        for host in &self.hosts {
            host.send(FromHost::EndRound).await?;
            host.send(FromHost::ReleaseScores).await?;
        }
        for game in &self.games {
            let end = Instant::now() + TIMEOUT;
            let results = loop {
                let results = self.api.results(game.id).await?;
                if results.phase == "leaderboard" {
                    break results;
                }
                if Instant::now() > end {
                    bail!("a game does not come to its board");
                }
                sleep(Duration::from_millis(10)).await;
            };
            let ledger = Ledger { players: self.players, keys: &self.keys, answered: &answered };
            ledger::check(&results, &ledger, outcome);
        }
        Ok(())
    }
}
