//! Becoming the owner of a game: records this node as the owner, appends `Claimed` to the log as the edge here knows it, or after
//! reading it (rule 1 of "The log is the lock").
//!
//! Called by the supervisor. Returns the result; starts nothing.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::claim::{Claim, Start};
use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, OwnerOptions, Record, SNAPSHOT_EVERY, Time};
use quizhall_rules::GameId;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::games::error::GameError;
use crate::games::live::Live;
use crate::games::log::appender::Job;
use crate::games::log::row::{head_of, row_of};
use crate::games::node::Node;
use crate::games::options::GameOptions;
use crate::games::reading;
use crate::telemetry::metrics;

/// How often the log is read again after an append of another writer.
const TRIES: usize = 5;
/// The delay before reading the head to find out whether an append without an answer succeeded.
const AMBIGUOUS: Duration = Duration::from_millis(100);

/// How an attempt ended.
pub(in crate::games) enum Attempt {
    /// This node owns the game; its row was given to the store at this moment.
    Won(Box<OwnerOptions>, Time),
    /// The game is on record for a node that suits better.
    Given(EdgeId),
    /// Another node was faster.
    Lost,
    /// The database did not answer.
    Unknown,
    /// The game cannot be owned: it has no log, or one that cannot be read.
    Impossible,
}

/// Reads the recorded owner. `None`: the database did not answer.
pub(in crate::games) async fn read_record(node: Arc<Node>, game: GameId) -> Option<(Record, Option<Uuid>)> {
    if node.is_alone() {
        // No other node can be reached, so a recorded owner is an earlier process.
        return Some((Record { owner: None, listed: false }, None));
    }
    let row = node.with_timeout(node.records.owner(game)).await.ok()??;
    Some((Record { owner: row.owner.map(EdgeId::of_node), listed: row.listed }, row.owner))
}

/// Claims the game from the recorded owner.
pub(in crate::games) async fn claim(node: Arc<Node>, live: Arc<Live>, from: Option<Uuid>) -> Attempt {
    let attempt = match try_claim(&node, &live, from).await {
        Ok(attempt) => attempt,
        Err(error) => {
            // The call of the store has logged the reason, once for all games.
            tracing::debug!(game = %live.id, %error, "a game could not be claimed now");
            Attempt::Unknown
        }
    };
    // The first owner of a loaded game is no change.
    if matches!(attempt, Attempt::Won(..)) && from.is_some_and(|owner| owner != node.incarnation()) {
        tracing::info!(game = %live.id, "this node owns a game of another node now");
    }
    metrics::claim(match &attempt {
        Attempt::Won(..) => "won",
        Attempt::Given(_) => "given",
        Attempt::Lost => "lost",
        Attempt::Unknown => "unknown",
        Attempt::Impossible => "impossible",
    });
    attempt
}

async fn try_claim(node: &Arc<Node>, live: &Live, from: Option<Uuid>) -> Result<Attempt, GameError> {
    let (game, me) = (live.id, node.incarnation());
    // This is done even when this node is recorded: that information may be old, and another node may own the game by
    // now.
    if !node.is_alone() {
        if let Some(attempt) = give(node, game, from).await? {
            return Ok(attempt);
        }
        let moved = node.with_timeout(node.records.change(me, game, from, Some(me))).await?;
        if !moved {
            return Ok(Attempt::Lost);
        }
    }
    let mut log = live.claim_of_edge().await;
    for _ in 0..TRIES {
        let claim = match log.take() {
            Some(claim) => claim,
            None => match reading::load_live(node, live).await {
                Ok(claim) => claim,
                Err(GameError::Damaged) => return Ok(Attempt::Impossible),
                Err(error) => return Err(error),
            },
        };
        let row = claim.row(me, rand::random());
        let since = node.clockwork.now();
        if append(node, game, &row).await? {
            return Ok(Attempt::Won(Box::new(start(node, claim, row)), since));
        }
        if !still_mine(node, game, me).await? {
            return Ok(Attempt::Lost);
        }
    }
    Ok(Attempt::Lost)
}

/// Puts another node on record when that suits clearly better. A game that is on record for this node was given to it, and stays.
async fn give(node: &Arc<Node>, game: GameId, from: Option<Uuid>) -> Result<Option<Attempt>, GameError> {
    let me = node.incarnation();
    let now = node.clockwork.now();
    let by_load = node.options.place_by_load;
    let better = (from != Some(me)).then(|| node.placement.better(now, node.router.me(), by_load)).flatten();
    let Some((to, owner)) = better.and_then(|to| Some((to, node.incarnation_of(to)?))) else { return Ok(None) };
    let given = node.with_timeout(node.records.change(me, game, from, Some(owner))).await?;
    Ok(Some(if given { Attempt::Given(to) } else { Attempt::Lost }))
}

fn start(node: &Node, claim: Claim, row: Append) -> OwnerOptions {
    let home = node.router.me();
    let GameOptions { lobby_grace, liveness, log_per_seat, .. } = node.options;
    let (nonce, snapshot_every) = (rand::random(), SNAPSHOT_EVERY);
    claim.won(node.clockwork.now(), row, Start { home, nonce, lobby_grace, liveness, snapshot_every, log_per_seat })
}

async fn still_mine(node: &Arc<Node>, game: GameId, me: Uuid) -> Result<bool, GameError> {
    if node.is_alone() {
        return Ok(true);
    }
    let row = node.with_timeout(node.records.owner(game)).await?;
    Ok(row.is_some_and(|row| row.owner == Some(me)))
}

/// Appends the row; returns whether it is in the log now.
async fn append(node: &Node, game: GameId, row: &Append) -> Result<bool, GameError> {
    let (reply, mut outcome) = mpsc::channel(1);
    node.appender.append(Job { row: row_of(game, row), reply }).await;
    let outcome = timeout(node.options.command_timeout, outcome.recv()).await;
    match outcome.map_err(|_| GameError::Unavailable)? {
        Some(AppendOutcome::Committed) => Ok(true),
        Some(AppendOutcome::Refused) => Ok(false),
        Some(AppendOutcome::Unknown) | None => {
            sleep(AMBIGUOUS).await;
            let head = node.with_timeout(node.store.head(game)).await?.map(head_of);
            Ok(head == Some(Head { seq: row.seq, batch: row.batch }))
        }
    }
}
