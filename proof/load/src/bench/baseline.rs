//! The baseline with the same work: the same number of connections, messages of the same length, the same client, the same disk.

use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;
use tokio::time::{Instant, sleep, sleep_until};

use super::game::{check_received, exact};
use super::many::Load;
use super::outcome::{Outcome, median, micros_per, millis};
use super::process::Processes;
use super::quiz;
use super::server::disk_folder;
use super::trial::{AT_ONCE, TIMEOUT};
use crate::baseline::Baseline;
use crate::monotonic;
use crate::users::{self, Counts, Key, Kind, Order, VirtualUsers};

/// The outcome of [`big_game`].
pub(super) const BIG_GAME: &str = "baseline";
/// The outcome of [`many_games`].
pub(super) const MANY_GAMES: &str = "baseline, many games";

/// A baseline and the virtual users that are connected to it.
struct Trial {
    baseline: Baseline,
    processes: Processes,
    users: VirtualUsers,
    players: usize,
    /// The questions and the messages that release them.
    questions: Vec<(Key, String)>,
    /// The place of its database.
    _folder: TempDir,
}

/// Measures `questions` broadcasts, and the same number of answers with acknowledgements of each player, with all players in
/// one game.
pub(super) async fn big_game(players: usize, questions: usize) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::of(BIG_GAME, 1, players);
    let mut trial = Trial::open(players, 2 * questions).await?;
    let begun = monotonic::now();
    let (mut broadcast, mut last, mut answer, mut all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 0..questions {
        rest().await;
        let before = trial.processes.cpu();
        let (since, received) = trial.release(number, &mut outcome).await?;
        rest().await;
        broadcast.push(micros_per(trial.processes.cpu() - before, players));
        last.push(millis(received.last.saturating_sub(since)));
        outcome.latency("from the command to the player", &received.spread);
    }
    for number in questions..2 * questions {
        // As in the service, the question comes first; it is not measured here.
        trial.release(number, &mut outcome).await?;
        rest().await;
        rest().await;
        let before = trial.processes.cpu();
        let received = trial.answer(number, &mut outcome).await?;
        rest().await;
        answer.push(micros_per(trial.processes.cpu() - before, players));
        all.push(millis(received.last.saturating_sub(received.first_sent)));
        outcome.latency("from the answer to its acknowledgement", &received.spread);
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    outcome.figure("CPU per recipient", median(broadcast), "µs");
    outcome.figure("the last has the question", median(last), "ms");
    outcome.figure("CPU per answer", median(answer), "µs");
    outcome.figure("all acknowledgements are out", median(all), "ms");
    Ok(outcome)
}

/// Measures many games, each with questions at its own times and players who think, as [`super::many::many_games`] does.
pub(super) async fn many_games(load: Load) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::of(MANY_GAMES, load.games, load.players);
    let mut trial = Trial::open(load.games * load.players, load.questions).await?;
    trial.baseline.games(load.games).await?;
    trial.users.ask(Order::Think(Some(load.thinking()))).await?;
    trial.users.counts().await?;
    let (cpu, written, since) = (trial.processes.cpu(), trial.processes.written(), monotonic::now());
    let begun = Instant::now();
    let games = u32::try_from(load.games).unwrap_or(u32::MAX).max(1);
    for (turn, (_, message)) in (0..).zip(&trial.questions) {
        for (place, game) in (0..).zip(0..load.games) {
            sleep_until(begun + load.every * turn + load.every * place / games).await;
            trial.baseline.send(game, message).await?;
        }
    }
    let wanted = load.answers();
    let end = Instant::now() + load.every + TIMEOUT;
    let mut counts = Counts::default();
    while counts.acknowledged < wanted && Instant::now() < end {
        sleep(Duration::from_millis(20)).await;
        counts.add(trial.users.counts().await?);
    }
    outcome.seconds = millis(monotonic::now() - since) / 1e3;
    outcome.check("answers sent", counts.answers, wanted);
    outcome.check("answers acknowledged", counts.acknowledged, wanted);
    outcome.check("lost connections", counts.lost, 0);
    outcome.figure("acknowledgement p99 of all games", exact(counts.acknowledgement.at(0.99)) / 1e3, "ms");
    let cpu = millis(trial.processes.cpu() - cpu) * 1e3;
    outcome.figure("CPU per answer, everything included", cpu / exact(counts.answers), "µs");
    let written = trial.processes.written() - written;
    outcome.figure("bytes written to disk per answer", exact(written) / exact(counts.answers), "");
    outcome.latency("acknowledgement, all games", &counts.acknowledgement);
    Ok(outcome)
}

impl Trial {
    async fn open(players: usize, questions: usize) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir_in(disk_folder()).context("a folder for the baseline's database")?;
        let baseline = Baseline::start(&folder.path().join("answers.db")).await?;
        let processes = Processes::new(baseline.pid());
        let questions = quiz::invented(questions);
        let mut users = VirtualUsers::here()?;
        users.ask(Order::Plain { address: baseline.address, players, at_once: AT_ONCE }).await?;
        users.ask(Order::Learn(questions.iter().map(|(key, _)| key.clone()).collect())).await?;
        Ok(Self { baseline, processes, users, players, questions, _folder: folder })
    }

    /// Writes a question to all players and waits until they have received it.
    async fn release(&mut self, number: usize, outcome: &mut Outcome) -> anyhow::Result<(u64, users::Delivery)> {
        let since = monotonic::now();
        self.baseline.say(&self.questions[number].1).await?;
        let received = self.wait_for(Kind::Question, number, since).await?;
        check_received(outcome, "the question", &received, self.players);
        Ok((since, received))
    }

    /// All players answer at once, and receive the acknowledgement.
    async fn answer(&mut self, number: usize, outcome: &mut Outcome) -> anyhow::Result<users::Delivery> {
        let since = monotonic::now();
        self.users.ask(Order::Answer { question: self.questions[number].0.question, over: 0 }).await?;
        let received = self.wait_for(Kind::Accepted, number, since).await?;
        check_received(outcome, "the acknowledgement", &received, self.players);
        Ok(received)
    }

    async fn wait_for(&mut self, kind: Kind, number: usize, since: u64) -> anyhow::Result<users::Delivery> {
        let question = self.questions[number].0.question;
        let time_limit = u64::try_from(TIMEOUT.as_micros()).unwrap_or(u64::MAX);
        self.users.wait_for(Order::Await { kind, question, since, time_limit }).await
    }
}

async fn rest() {
    sleep(Duration::from_millis(60)).await;
}
