//! One measured game: its server, its quiz, its host and its virtual users, and the steps that scenarios are made of.

use std::time::Duration;

use anyhow::{Context as _, bail};
use quizhall_client::{Api, Endpoint, Token};
use quizhall_protocol::FromHost;
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::quizzes::QuizBody;
use uuid::Uuid;

use super::host::{Host, Seen};
use super::ledger::{self, Ledger};
use super::metrics::Counters;
use super::outcome::Outcome;
use super::process::{Beside, Processes};
use super::quiz;
use crate::monotonic;
use crate::users::{self, Delivery, Key, Kind, Order, Table, VirtualUsers};

/// How long a step may take before it counts as failed.
pub(super) const TIMEOUT: Duration = Duration::from_secs(60);
/// The joins and returns that run at once.
pub(super) const AT_ONCE: usize = 256;

/// The place of a server, and the processes that may be measured.
#[derive(Debug, Clone)]
pub(super) struct Venue {
    /// The addresses to which hosts and players connect; players are spread over all of them.
    pub(super) endpoints: Vec<Endpoint>,
    /// Whether only the host connects to the first of them.
    pub(super) is_first_spare: bool,
    pub(super) token: Token,
    pub(super) processes: Processes,
    /// Processes beside the service.
    pub(super) beside: Vec<Beside>,
}

/// A game under measurement.
pub(super) struct Trial {
    pub(super) venue: Venue,
    pub(super) api: Api,
    pub(super) host: Host,
    pub(super) users: VirtualUsers,
    pub(super) players: usize,
    pub(super) game: Game,
    /// The questions of each round.
    pub(super) rounds: Vec<Vec<Key>>,
    /// Rounds begun so far.
    begun: usize,
    /// Questions of the present round that all players have answered.
    answered: usize,
    /// Questions of all rounds that all players have answered.
    pub(super) ledger: Vec<Uuid>,
}

impl Trial {
    /// Opens a game of this quiz (see [`quiz::of`]) for this many players. They join later.
    pub(super) async fn open(
        venue: &Venue,
        users: VirtualUsers,
        players: usize,
        quiz: &QuizBody,
    ) -> anyhow::Result<Self> {
        let endpoint = venue.endpoints.first().context("no server")?;
        let api = Api::new(endpoint.clone()).with_token(venue.token.clone());
        let stored = api.create_quiz(quiz).await.context("the quiz could not be stored")?;
        let game = api.create_game(stored.id).await.context("the game could not be opened")?;
        let rounds = quiz::keys(&game)?;
        let mut host = Host::connect(endpoint, &venue.token, &game.game_code).await?;
        host.until("its first message", TIMEOUT, |_| true).await?;
        let mut trial = Self {
            venue: venue.clone(),
            api,
            host,
            users,
            players,
            game,
            rounds,
            begun: 0,
            answered: 0,
            ledger: Vec::new(),
        };
        let keys = trial.rounds.concat();
        trial.users.ask(Order::Learn(keys)).await?;
        Ok(trial)
    }

    /// All players join. Returns the moments of the first request and the last entry, and how long each took. Every
    /// `small`-th phone (0: none) has hardly any buffer.
    pub(super) async fn join(&mut self, small: usize) -> anyhow::Result<(u64, u64, users::Spread)> {
        let tables = self.tables()?;
        let parts = self.users.parts();
        let at_once = (AT_ONCE / parts).max(16);
        let mut orders: Vec<Vec<Table>> = vec![Vec::new(); parts];
        for (turn, table) in tables.into_iter().enumerate() {
            orders[turn % parts].push(table);
        }
        let orders = orders.into_iter().map(|tables| Order::Join { tables, at_once, small }).collect();
        match self.users.ask_each(orders).await? {
            users::Outcome::Done { since, last, spread } => Ok((since, last, spread)),
            other => bail!("the virtual users answered something else: {other:?}"),
        }
    }

    /// The players' endpoints: one table per endpoint, or several of each when the virtual users have more parts.
    fn tables(&self) -> anyhow::Result<Vec<Table>> {
        let endpoints = &self.venue.endpoints[usize::from(self.venue.is_first_spare)..];
        let count = endpoints.len() * self.users.parts().div_ceil(endpoints.len());
        let (share, rest) = (self.players / count, self.players % count);
        let mut first = 0;
        let mut tables = Vec::with_capacity(count);
        for turn in 0..count {
            let players = share + usize::from(turn < rest);
            let table = table(&endpoints[turn % endpoints.len()], &self.game.game_code, (first, players))?;
            first += players;
            tables.push(table);
        }
        Ok(tables)
    }

    /// Opens the next round; its questions.
    pub(super) async fn begin_round(&mut self) -> anyhow::Result<Vec<Key>> {
        let keys = self.rounds.get(self.begun).context("the quiz has no more rounds")?.clone();
        if self.begun == 0 {
            self.host.send(FromHost::StartGame).await?;
            self.wait_for(Kind::Started, Uuid::nil(), monotonic::now()).await?;
        } else {
            self.host.send(FromHost::StartNextRound).await?;
        }
        (self.begun, self.answered) = (self.begun + 1, 0);
        Ok(keys)
    }

    /// Releases a question and waits until all players have received it.
    pub(super) async fn release(&mut self, key: &Key) -> anyhow::Result<(u64, Delivery)> {
        let since = monotonic::now();
        self.host.send(FromHost::ReleaseQuestion(ReleaseQuestion { question_id: key.question })).await?;
        let received = self.wait_for(Kind::Question, key.question, since).await?;
        Ok((since, received))
    }

    /// All players answer within this time. Waits until all have received their acknowledgement.
    pub(super) async fn answer(&mut self, key: &Key, over: Duration) -> anyhow::Result<Delivery> {
        let since = self.begin_answers(key, over).await?;
        self.acknowledged(key, since).await
    }

    /// All players begin to answer, within this time; returns the moment.
    pub(super) async fn begin_answers(&mut self, key: &Key, over: Duration) -> anyhow::Result<u64> {
        let since = monotonic::now();
        let over = u64::try_from(over.as_micros()).unwrap_or(u64::MAX);
        self.users.ask(Order::Answer { question: key.question, over }).await?;
        Ok(since)
    }

    /// Waits until all players have received the acknowledgement of an answer that they began at this moment.
    pub(super) async fn acknowledged(&mut self, key: &Key, since: u64) -> anyhow::Result<Delivery> {
        let received = self.wait_for(Kind::Accepted, key.question, since).await?;
        self.answered += 1;
        self.ledger.push(key.question);
        Ok(received)
    }

    /// Waits until all players have received something; an error when time limit ends before.
    pub(super) async fn wait_for(&mut self, kind: Kind, question: Uuid, since: u64) -> anyhow::Result<Delivery> {
        let time_limit = u64::try_from(TIMEOUT.as_micros()).unwrap_or(u64::MAX);
        self.users.wait_for(Order::Await { kind, question, since, time_limit }).await
    }

    /// Ends the round, waits for the host's review, and releases the scores. Returns the messages that all players received,
    /// and the moment of the release.
    pub(super) async fn end_round(&mut self, outcome: &mut Outcome) -> anyhow::Result<Release> {
        let rounds_ended = self.begun;
        let answers = self.answered * self.players;
        let ended = monotonic::now();
        self.host.send(FromHost::EndRound).await?;
        let received = self.wait_for(Kind::RoundEnded, Uuid::nil(), ended).await?;
        outcome.check("heard the end of the round", received.count as u64, self.players as u64);
        let reviewed = |seen: &Seen| seen.rounds_ended == rounds_ended && seen.review_whole;
        let seen = self.host.until("the review", TIMEOUT, reviewed).await?;
        let review_at = monotonic::now();
        outcome.check("answers in the host's review", seen.reviewed as u64, answers as u64);
        for key in &self.rounds[rounds_ended - 1] {
            if let (true, Some(count)) = (self.ledger.contains(&key.question), seen.counts.get(&key.question)) {
                outcome.check("the host's last count", u64::from(*count), self.players as u64);
            }
        }
        outcome.check("counts that fell", u64::from(seen.counts_fell), 0);
        let since = monotonic::now();
        let cpu = self.venue.processes.cpu();
        self.host.send(FromHost::ReleaseScores).await?;
        let scores = self.wait_for(Kind::Scores, Uuid::nil(), since).await?;
        let board = self.wait_for(Kind::Board, Uuid::nil(), since).await?;
        let running = self.wait_for(Kind::Running, Uuid::nil(), since).await?;
        let cpu = self.venue.processes.cpu() - cpu;
        outcome.check("heard their scores", scores.count as u64, self.players as u64);
        outcome.check("scores that are wrong", scores.wrong, 0);
        outcome.check("heard the board", board.count as u64, self.players as u64);
        outcome.check("heard the running board", running.count as u64, self.players as u64);
        Ok(Release { review: review_at - ended, since, scores, board, running, cpu })
    }

    /// Ends the game, and checks that the server's results match the answers of the virtual users.
    pub(super) async fn end_game(&mut self, outcome: &mut Outcome) -> anyhow::Result<()> {
        let since = monotonic::now();
        self.host.send(FromHost::EndGame).await?;
        let received = self.wait_for(Kind::Over, Uuid::nil(), since).await?;
        outcome.check("heard the end of the game", received.count as u64, self.players as u64);
        self.check_results(outcome).await
    }

    /// Checks that the server's results match the answers of the virtual users: every acknowledged answer once, marked right.
    pub(super) async fn check_results(&mut self, outcome: &mut Outcome) -> anyhow::Result<()> {
        let results = self.api.results(self.game.id).await.context("the results")?;
        let ledger = Ledger { players: self.players, keys: &self.rounds.concat(), answered: &self.ledger };
        ledger::check(&results, &ledger, outcome);
        let counts = self.users.counts().await?;
        outcome.check("lost connections", counts.lost, 0);
        Ok(())
    }

    /// Counters of the service.
    pub(super) async fn counters(&self) -> anyhow::Result<Counters> {
        let mut sum = Counters::default();
        for endpoint in &self.venue.endpoints {
            sum = sum.and(&Counters::read(endpoint).await?);
        }
        Ok(sum)
    }

    /// Waits until the server is idle, so that its later work is not counted here.
    pub(super) async fn rest(&self) {
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
}

/// The result of a release of scores.
pub(super) struct Release {
    /// From the end of the round to the host's whole review, in nanoseconds.
    pub(super) review: u64,
    pub(super) since: u64,
    pub(super) scores: Delivery,
    pub(super) board: Delivery,
    pub(super) running: Delivery,
    /// The resources that the server used for it.
    pub(super) cpu: u64,
}

/// A table of these players of a game at this address.
pub(super) fn table(endpoint: &Endpoint, code: &str, (first, players): (usize, usize)) -> anyhow::Result<Table> {
    let (host, port) = endpoint.address();
    let address = std::net::ToSocketAddrs::to_socket_addrs(&(host.as_str(), port))?;
    let address = address.into_iter().next().with_context(|| format!("{host} has no address"))?;
    Ok(Table { endpoint: endpoint.clone(), address, code: code.to_owned(), first, players })
}
