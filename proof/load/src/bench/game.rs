//! The scenarios of one big game: `lobby`, `question`, `burst`, `release`, `stalled`, `reconnect`. They are played one after
//! the other in the same game, each with a round of its own; the game is then ended and its ledger checked.

use std::time::Duration;

use super::outcome::{Outcome, median, micros_per, millis};
use super::trial::Trial;
use crate::monotonic;
use crate::users::{self, Kind, Order};

/// The descriptors that the service requires at its start: a number without clients, and a number for each socket.
const BASE: u64 = 96 << 20;
const PER_SOCKET: u64 = 4 << 10;
/// Long questions that are more than the kernel holds for a phone that does not read.
const FILLED: usize = 70;

/// All players join, and the service is measured when it has come to rest. `warm` players have played before: memory that came
/// with the first group of users (caches, room for requests in flight) stays for the next, and counts for no player.
pub(super) async fn lobby(trial: &mut Trial, warm: usize) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let mut outcome = Outcome::of("lobby", 1, players);
    let processes = trial.venue.processes.clone();
    let (cpu, memory) = (processes.cpu(), processes.memory());
    let (since, last, spread) = trial.join(0).await?;
    outcome.seconds = millis(last - since) / 1e3;
    let time_limit = super::trial::TIMEOUT;
    let seen = trial.host.until("all players in the lobby", time_limit, |seen| seen.players == players).await?;
    outcome.check("players in the host's lobby", seen.players as u64, players as u64);
    let listed = trial.api.players(trial.game.id).await?;
    outcome.check("players in the list of the game", listed.players.len() as u64, players as u64);
    outcome.figure("everybody is in", millis(last - since), "ms");
    outcome.latency("from the request to the lobby", &spread);
    if processes.known() {
        outcome.figure("CPU per join", micros_per(processes.cpu() - cpu, players), "µs");
        // Lobbies are paced, HTTP connections linger for a moment, and the allocator gives free pages back within 3 s
        // (.cargo/config.toml): what the storm of joins took and no player needs is not counted.
        tokio::time::sleep(Duration::from_secs(5)).await;
        // Earlier players may have left space for the same number.
        let after = processes.memory();
        outcome.figure("memory per idle player", per_player(after, memory, players.saturating_sub(warm)), "KiB");
        outcome.figure("memory in use", exact(after) / f64::from(1 << 20), "MiB");
        let nodes = trial.venue.endpoints.len() as u64;
        // The game of the earlier players is still in memory.
        let formula = BASE * nodes + PER_SOCKET * (players + warm) as u64;
        outcome.check("bytes over the formula printed at the start", after.saturating_sub(formula), 0);
    }
    let counts = trial.users.counts().await?;
    outcome.figure("refused and asked again", exact(counts.refused), "");
    outcome.check("lost connections", counts.lost, 0);
    Ok(outcome)
}

/// Questions are released one after the other, and no player answers.
pub(super) async fn question(trial: &mut Trial) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let mut outcome = Outcome::of("question", 1, players);
    let begun = monotonic::now();
    let (mut cpu, mut last, mut fairness) = (Vec::new(), Vec::new(), Vec::new());
    for key in trial.begin_round().await? {
        trial.rest().await;
        let before = trial.venue.processes.cpu();
        let (since, received) = trial.release(&key).await?;
        trial.rest().await;
        cpu.push(micros_per(trial.venue.processes.cpu() - before, players));
        last.push(millis(received.last.saturating_sub(since)));
        fairness.push(millis(received.last - received.first));
        outcome.latency("from the host's command to the player", &received.spread);
        check_received(&mut outcome, "the question", &received, players);
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    if trial.venue.processes.known() {
        outcome.figure("CPU per recipient", median(cpu), "µs");
    }
    outcome.figure("the last has the question", median(last), "ms");
    outcome.figure("between the first and the last", median(fairness), "ms");
    trial.end_round(&mut outcome).await?;
    Ok(outcome)
}

/// All players answer at once, question after question.
pub(super) async fn burst(trial: &mut Trial) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let mut outcome = Outcome::of("burst", 1, players);
    let begun = monotonic::now();
    let (mut cpu, mut all, mut per_commit, mut per_second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for key in trial.begin_round().await? {
        let (_, received) = trial.release(&key).await?;
        check_received(&mut outcome, "the question", &received, players);
        trial.rest().await;
        let counters = trial.counters().await?;
        trial.rest().await;
        let before = trial.venue.processes.cpu();
        let received = trial.answer(&key, Duration::ZERO).await?;
        trial.rest().await;
        cpu.push(micros_per(trial.venue.processes.cpu() - before, players));
        let took = received.last.saturating_sub(received.first_sent);
        all.push(millis(took));
        let stored = trial.counters().await?.since(&counters);
        per_commit.push(stored.answers / stored.commits.max(1.0));
        per_second.push(stored.commits / (millis(took) / 1e3));
        outcome.latency("from the answer to its acknowledgement", &received.spread);
        check_received(&mut outcome, "the acknowledgement", &received, players);
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    if trial.venue.processes.known() {
        outcome.figure("CPU per answer", median(cpu), "µs");
    }
    outcome.figure("all acknowledgements are out", median(all), "ms");
    outcome.figure("answers per commit", median(per_commit), "");
    outcome.figure("commits per second", median(per_second), "");
    trial.end_round(&mut outcome).await?;
    Ok(outcome)
}

/// A round that all players have answered is released: results and boards for all.
pub(super) async fn release(trial: &mut Trial) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let mut outcome = Outcome::of("release", 1, players);
    let keys = trial.begin_round().await?;
    for key in &keys {
        trial.release(key).await?;
        let received = trial.answer(key, Duration::ZERO).await?;
        check_received(&mut outcome, "the acknowledgement", &received, players);
    }
    trial.rest().await;
    let release = trial.end_round(&mut outcome).await?;
    let last = [&release.scores, &release.board, &release.running].into_iter().map(|received| received.last).max();
    let took = last.unwrap_or(0).saturating_sub(release.since);
    outcome.seconds = millis(took) / 1e3;
    outcome.figure("the host has the whole review", millis(release.review), "ms");
    outcome.figure("everybody has scores and boards", millis(took), "ms");
    if trial.venue.processes.known() {
        outcome.figure("CPU per player", micros_per(release.cpu, players), "µs");
    }
    outcome.latency("from the release to the own results", &release.scores.spread);
    outcome.latency("from the release to the board", &release.board.spread);
    Ok(outcome)
}

/// A tenth of the phones stops reading; the others must not notice. The first half of the round is played before, then
/// long questions fill what the kernel holds for the silent ones, and the rest is played after.
pub(super) async fn stalled(trial: &mut Trial, (measured, every): (usize, usize)) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let silent = players.div_ceil(every);
    let mut outcome = Outcome::of("stalled", 1, players);
    let begun = monotonic::now();
    let keys = trial.begin_round().await?;
    let (before, rest) = keys.split_at(measured);
    let (filling, after) = rest.split_at(rest.len() - measured);
    let mut times = [users::Spread::default(), users::Spread::default()];
    let mut acks = [users::Spread::default(), users::Spread::default()];
    for (half, keys) in [before, after].into_iter().enumerate() {
        if half == 1 {
            trial.users.ask(Order::Stall { every }).await?;
            for key in filling {
                let (_, received) = trial.release(key).await?;
                outcome.check(
                    "heard the question beside silent phones",
                    received.count as u64,
                    (players - silent) as u64,
                );
            }
            let waiting = trial.counters().await?.waiting;
            outcome.figure("waiting in the service for each silent phone", waiting / exact(silent as u64), "bytes");
            // With fewer, the kernel may hold them all, and no limit of the service is reached.
            if filling.len() >= FILLED {
                outcome.check("nothing waits for the silent phones", u64::from(waiting == 0.0), 0);
            }
        }
        let reading = players - if half == 1 { silent } else { 0 };
        for key in keys {
            trial.rest().await;
            let (_, received) = trial.release(key).await?;
            times[half].add(&received.spread);
            outcome.check("heard the question", received.count as u64, reading as u64);
            trial.rest().await;
            let received = trial.answer(key, Duration::from_millis(500)).await?;
            acks[half].add(&received.spread);
            outcome.check("heard the acknowledgement", received.count as u64, reading as u64);
        }
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    let p99 = |spread: &users::Spread| exact(spread.at(0.99)) / 1e3;
    outcome.figure("question p99 with all reading", p99(&times[0]), "ms");
    outcome.figure("question p99 beside silent phones", p99(&times[1]), "ms");
    outcome.figure("question p99, ratio", p99(&times[1]) / p99(&times[0]).max(1e-3), "×");
    outcome.figure("acknowledgement p99, ratio", p99(&acks[1]) / p99(&acks[0]).max(1e-3), "×");
    outcome.figure("silent phones", exact(silent as u64), "");
    outcome.latency("question, all reading", &times[0]);
    outcome.latency("question, beside silent phones", &times[1]);
    outcome.latency("acknowledgement, all reading", &acks[0]);
    outcome.latency("acknowledgement, beside silent phones", &acks[1]);
    let counts = trial.users.counts().await?;
    outcome.check("lost connections of those who read", counts.lost, 0);
    let results = trial.api.results(trial.game.id).await?;
    let stored = results.rounds.iter().flat_map(|round| &round.questions).map(|question| question.answers.len());
    let given = before.len() * players + after.len() * (players - silent);
    outcome.check("acknowledged answers in the results", stored.sum::<usize>() as u64, given as u64);
    Ok(outcome)
}

/// All connections break in the middle of a round, and all players come back to their place.
pub(super) async fn reconnect(trial: &mut Trial) -> anyhow::Result<Outcome> {
    let players = trial.players;
    let mut outcome = Outcome::of("reconnect", 1, players);
    let keys = trial.begin_round().await?;
    let (open, later) = keys.split_at(keys.len() - 1);
    for key in open {
        trial.release(key).await?;
        trial.answer(key, Duration::ZERO).await?;
    }
    trial.users.counts().await?;
    let cpu = trial.venue.processes.cpu();
    let since = monotonic::now();
    trial.users.ask(Order::Drop).await?;
    let at_once = super::trial::AT_ONCE / trial.users.parts();
    let back = trial.users.ask(Order::Return { messages: 2 * open.len(), at_once: at_once.max(16) }).await?;
    let users::Outcome::Done { last, spread, .. } = back else { anyhow::bail!("the virtual users did not come back") };
    outcome.seconds = millis(last - since) / 1e3;
    outcome.figure("everybody is back in place", millis(last - since), "ms");
    if trial.venue.processes.known() {
        outcome.figure("CPU per return", micros_per(trial.venue.processes.cpu() - cpu, players), "µs");
    }
    outcome.latency("from the return to the own place", &spread);
    for key in open {
        for kind in [Kind::Question, Kind::Accepted] {
            let received = trial.wait_for(kind, key.question, since).await?;
            check_received(&mut outcome, "the sync messages, again", &received, players);
        }
    }
    for key in later {
        trial.release(key).await?;
        let received = trial.answer(key, Duration::ZERO).await?;
        check_received(&mut outcome, "the acknowledgement", &received, players);
    }
    trial.end_round(&mut outcome).await?;
    Ok(outcome)
}

/// All players have received it, once, and identically.
pub(super) fn check_received(outcome: &mut Outcome, what: &str, received: &users::Delivery, players: usize) {
    outcome.check(&format!("heard {what}"), received.count as u64, players as u64);
    outcome.check(&format!("heard {what} again"), received.repeats, 0);
    outcome.check(&format!("{what} with other bytes"), received.differing, 0);
}

#[allow(clippy::cast_precision_loss)]
pub(super) fn exact(number: u64) -> f64 {
    number as f64
}

#[allow(clippy::cast_precision_loss)]
fn per_player(after: u64, before: u64, players: usize) -> f64 {
    after.saturating_sub(before) as f64 / 1_024.0 / players.max(1) as f64
}
