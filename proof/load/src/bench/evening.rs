//! The scenarios of whole games: `evening` (one game from the lobby to the last board, at a human pace) and `soak` (game
//! after game, looking at what the process keeps).

use std::time::Duration;

use anyhow::Context as _;
use tokio::time::Instant;

use super::game::{check_received, exact};
use super::outcome::{Outcome, millis};
use super::quiz;
use super::trial::{Trial, Venue};
use crate::monotonic;
use crate::users::VirtualUsers;

/// How a full game is played.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) players: usize,
    pub(super) rounds: usize,
    pub(super) questions: usize,
    /// Over how long the answers to a question come in.
    pub(super) think: Duration,
}

/// One whole game.
pub(super) async fn full_game(venue: &Venue, users: VirtualUsers, course: Course) -> anyhow::Result<Outcome> {
    let players = course.players;
    let rounds = vec![quiz::round(course.questions); course.rounds];
    let mut trial = Trial::open(venue, users, players, &quiz::of(&rounds)).await?;
    let mut outcome = Outcome::of("evening", 1, players);
    let (begun, cpu) = (monotonic::now(), venue.processes.cpu());
    let (.., spread) = trial.join(0).await?;
    outcome.latency("from the request to the lobby", &spread);
    for _ in 0..course.rounds {
        for key in trial.begin_round().await? {
            let (_, received) = trial.release(&key).await?;
            outcome.latency("from the host's command to the player", &received.spread);
            check_received(&mut outcome, "the question", &received, players);
            let received = trial.answer(&key, course.think).await?;
            outcome.latency("from the answer to its acknowledgement", &received.spread);
            check_received(&mut outcome, "the acknowledgement", &received, players);
        }
        let release = trial.end_round(&mut outcome).await?;
        outcome.latency("from the release to the own results", &release.scores.spread);
    }
    trial.end_game(&mut outcome).await?;
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    if venue.processes.known() {
        let used = venue.processes.cpu() - cpu;
        outcome.figure("CPU of the whole evening", millis(used) / 1e3, "s");
        outcome.figure("share of one core", millis(used) / 1e3 / outcome.seconds, "");
    }
    Ok(outcome)
}

/// Full games for so long; what the process holds after the first must be what it holds after the last, or nearly.
pub(super) async fn soak(venue: &Venue, course: Course, length: Duration) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::of("soak", 1, course.players);
    let begun = Instant::now();
    let mut kept = Vec::new();
    while begun.elapsed() < length || kept.len() < 2 {
        let one = full_game(venue, VirtualUsers::here()?, course).await?;
        for latency in &one.latencies {
            outcome.latency(&latency.name, &latency.spread);
        }
        for check in &one.checks {
            outcome.check(&check.name, check.seen, check.expected);
        }
        // Sockets are closed by then, and their tasks ended.
        tokio::time::sleep(Duration::from_millis(500)).await;
        kept.push((venue.processes.memory(), venue.processes.descriptors()));
    }
    outcome.seconds = begun.elapsed().as_secs_f64();
    let (first, last) = (kept.first().context("no full game")?, kept.last().context("no full game")?);
    let mib = |bytes: u64| exact(bytes) / f64::from(1 << 20);
    outcome.figure("evenings", exact(kept.len() as u64), "");
    if venue.processes.known() {
        outcome.figure("memory after the first evening", mib(first.0), "MiB");
        outcome.figure("memory after the last evening", mib(last.0), "MiB");
        outcome.figure("descriptors after the first evening", exact(first.1 as u64), "");
        outcome.figure("descriptors after the last evening", exact(last.1 as u64), "");
        // Connections of the host's API may linger on either side.
        outcome.check("descriptors kept for nothing", u64::from(last.1 > first.1 + 16), 0);
    }
    Ok(outcome)
}
