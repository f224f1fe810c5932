//! The baseline on the same work: as many connections, the very bytes that the service has just sent, the same client.

use std::time::Duration;

use anyhow::Context as _;
use uuid::Uuid;

use super::game::{Wire, check_received};
use super::outcome::{Outcome, median, micros_per, millis};
use super::process::Processes;
use super::trial::{AT_ONCE, TIMEOUT};
use crate::baseline::Baseline;
use crate::monotonic;
use crate::users::{self, Key, Kind, Order, VirtualUsers};

/// Answers that the baseline acknowledges together in its second series: what one commit must hold at least.
const TOGETHER: usize = 500;

/// How much is question of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) players: usize,
    pub(super) questions: usize,
    pub(super) bursts: usize,
}

/// Measures broadcasts and answers with acknowledgements on a baseline.
pub(super) async fn measure(wire: &Wire, extent: Extent) -> anyhow::Result<Outcome> {
    let Extent { players, questions, bursts } = extent;
    let mut baseline = Baseline::start().await?;
    let processes = Processes::new(baseline.pid());
    let mut users = VirtualUsers::here()?;
    let mut outcome = Outcome::of("baseline", 1, players);
    users.ask(Order::Plain { address: baseline.address, players, at_once: AT_ONCE }).await?;
    baseline.frames(wire.answer, &wire.ack).await?;
    let question = id_in(&wire.question).context("a question to repeat")?;
    let answered = id_in(&wire.ack).context("an acknowledgement to repeat")?;
    users.ask(Order::Learn(vec![Key { question: answered, number: 0, right: "string-000000".to_owned() }])).await?;
    let begun = monotonic::now();
    let (mut broadcast, mut last) = (Vec::new(), Vec::new());
    let (mut answer, mut all, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..questions {
        rest().await;
        let before = processes.cpu();
        let since = monotonic::now();
        baseline.say(&wire.question).await?;
        let received = wait_for(&mut users, (Kind::Question, question), since).await?;
        rest().await;
        broadcast.push(micros_per(processes.cpu() - before, players));
        last.push(millis(received.last.saturating_sub(since)));
        outcome.latency("from the command to the player", &received.spread);
        check_received(&mut outcome, "the question", &received, players);
    }
    for _ in 0..bursts {
        let (cost, received) = burst((&mut baseline, &mut users, &mut outcome), wire, players).await?;
        answer.push(cost);
        all.push(millis(received.last.saturating_sub(received.first_sent)));
        outcome.latency("from the answer to its acknowledgement", &received.spread);
    }
    // Behind as many as one commit is to hold: what waiting for it costs when there is nothing to wait for.
    baseline.hold(TOGETHER).await?;
    for _ in 0..bursts {
        held.push(burst((&mut baseline, &mut users, &mut outcome), wire, players).await?.0);
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    outcome.figure("CPU per recipient", median(broadcast), "µs");
    outcome.figure("the last has the question", median(last), "ms");
    outcome.figure("CPU per answer", median(answer), "µs");
    outcome.figure("CPU per answer, 500 acknowledged together", median(held), "µs");
    outcome.figure("all acknowledgements are out", median(all), "ms");
    outcome.figure("bytes of a question", super::game::exact(wire.question.len() as u64), "");
    outcome.figure("bytes of an answer", super::game::exact(wire.answer as u64), "");
    Ok(outcome)
}

/// All answer at once, and receive the acknowledgement: CPU per answer, and what was received.
async fn burst(
    (baseline, users, outcome): (&mut Baseline, &mut VirtualUsers, &mut Outcome),
    wire: &Wire,
    players: usize,
) -> anyhow::Result<(f64, users::Delivery)> {
    let question = id_in(&wire.question).context("a question to repeat")?;
    let answered = id_in(&wire.ack).context("an acknowledgement to repeat")?;
    let processes = Processes::new(baseline.pid());
    // As in the service: the question first, which is not measured here.
    let since = monotonic::now();
    baseline.say(&wire.question).await?;
    let received = wait_for(users, (Kind::Question, question), since).await?;
    check_received(outcome, "the question", &received, players);
    rest().await;
    rest().await;
    let before = processes.cpu();
    let since = monotonic::now();
    users.ask(Order::Answer { question: answered, over: 0 }).await?;
    let received = wait_for(users, (Kind::Accepted, answered), since).await?;
    rest().await;
    check_received(outcome, "the acknowledgement", &received, players);
    Ok((micros_per(processes.cpu() - before, players), received))
}

async fn wait_for(
    users: &mut VirtualUsers,
    (kind, question): (Kind, Uuid),
    since: u64,
) -> anyhow::Result<users::Delivery> {
    let time_limit = u64::try_from(TIMEOUT.as_micros()).unwrap_or(u64::MAX);
    users.wait_for(Order::Await { kind, question, since, time_limit }).await
}

async fn rest() {
    tokio::time::sleep(Duration::from_millis(60)).await;
}

/// The first id in a message.
fn id_in(message: &str) -> Option<Uuid> {
    let at = message.find("d\":\"")? + 4;
    message.get(at..at + 36)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_questions_and_acknowledgements() {
        let id = Uuid::from_u128(9);
        let ack = format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{id}"}}}}"#);
        let question = format!(r#"{{"type":"question_released","payload":{{"question":{{"id":"{id}"}}}}}}"#);
        assert_eq!((id_in(&ack), id_in(&question), id_in("{}")), (Some(id), Some(id), None));
    }
}
