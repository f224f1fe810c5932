//! `takeover`: the node that owns a big game is killed in the middle of a question of the first round. It has the host's socket and no player's, so every player
//! waits only for the next owner.

use std::time::Duration;

use anyhow::ensure;
use quizhall_client::Api;

use super::game::{check_received, exact};
use super::host::Host;
use super::outcome::{Outcome, millis};
use super::trial::Trial;
use crate::monotonic;

/// The time over which the answers come in, and how much of it has passed when the node is killed.
const OVER: Duration = Duration::from_secs(10);
const KILLED_AFTER: Duration = Duration::from_secs(4);

/// All players answer one question, and the owner is killed meanwhile. Every answer is acknowledged by the next owner, once.
pub(super) async fn takeover(trial: &mut Trial) -> anyhow::Result<Outcome> {
    ensure!(trial.venue.endpoints.len() > 1, "a take-over needs several nodes");
    let players = trial.players;
    let mut outcome = Outcome::of("takeover", 1, players);
    let keys = trial.begin_round().await?;
    let Some(key) = keys.first() else { return Ok(outcome) };
    trial.release(key).await?;
    trial.rest().await;
    let since = trial.begin_answers(key, OVER).await?;
    tokio::time::sleep(KILLED_AFTER).await;
    let killed = monotonic::now();
    trial.venue.processes.kill_first()?;
    trial.venue.endpoints.remove(0);
    trial.venue.is_first_spare = false;
    let received = trial.acknowledged(key, since).await?;
    outcome.seconds = millis(received.last.saturating_sub(killed)) / 1e3;
    outcome.figure("the longest wait for an acknowledgement", exact(received.spread.max()) / 1e3, "ms");
    outcome.figure("all acknowledgements are out after the death", millis(received.last.saturating_sub(killed)), "ms");
    outcome.latency("from the answer to its acknowledgement", &received.spread);
    check_received(&mut outcome, "the acknowledgement", &received, players);
    let endpoint = &trial.venue.endpoints[0];
    trial.api = Api::new(endpoint.clone()).with_token(trial.venue.token.clone());
    trial.host = Host::connect(endpoint, &trial.venue.token, &trial.game.game_code).await?;
    trial.end_round(&mut outcome).await?;
    Ok(outcome)
}
