//! Becoming the owner of a game: put this node on record, read the log, append `Claimed` behind it (rule 1 of "The log is
//! the lock").
//!
//! Called by `ownership`. Says who has won; starts nothing.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::claim::{Claim, Start};
use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, OwnerOptions, Record, SNAPSHOT_EVERY};
use quizhall_rules::GameId;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::appender::Job;
use super::registry::{Inner, Live};
use super::row::row_of;
use super::{GameError, GameOptions, reading};
use crate::telemetry::metrics;

/// How often the log is read again because somebody else wrote meanwhile.
const TRIES: usize = 5;
/// Before the head is read to see whether an append without an answer had worked.
const AMBIGUOUS: Duration = Duration::from_millis(100);

/// How an attempt ended.
pub(super) enum Attempt {
    /// This node owns the game.
    Won(Box<OwnerOptions>),
    /// Somebody else was faster.
    Lost,
    /// The database did not answer.
    Unknown,
    /// There is nothing that could be owned: no log, or one that cannot be read.
    Impossible,
}

/// Who is on record as the owner. `None`: the database did not answer.
pub(super) async fn read_record(inner: Arc<Inner>, game: GameId) -> Option<(Record, Option<Uuid>)> {
    if inner.is_alone() {
        // Nobody else could be reached: whoever is on record is of the past.
        return Some((Record { owner: None, listed: false }, None));
    }
    let row = inner.with_timeout(inner.store.game_owner(game)).await.ok()??;
    Some((Record { owner: row.owner.map(EdgeId::of_node), listed: row.listed }, row.owner))
}

/// Claims the game from whoever is on record.
pub(super) async fn claim(inner: Arc<Inner>, live: Arc<Live>, from: Option<Uuid>) -> Attempt {
    let attempt = match try_claim(&inner, &live, from).await {
        Ok(attempt) => attempt,
        Err(error) => {
            // Why is told by whoever asked the store, and not for each game.
            tracing::debug!(game = %live.id, %error, "a game could not be claimed now");
            Attempt::Unknown
        }
    };
    // The first owner of a game that was loaded is no change.
    if matches!(attempt, Attempt::Won(_)) && from.is_some_and(|owner| owner != inner.node()) {
        tracing::info!(game = %live.id, "this node owns a game of another node now");
    }
    metrics::claim(match &attempt {
        Attempt::Won(_) => "won",
        Attempt::Lost => "lost",
        Attempt::Unknown => "unknown",
        Attempt::Impossible => "impossible",
    });
    attempt
}

async fn try_claim(inner: &Arc<Inner>, live: &Live, from: Option<Uuid>) -> Result<Attempt, GameError> {
    let (game, me) = (live.id, inner.node());
    // Also when this node is on record: what was read of that may be old, and somebody else own the game by now.
    if !inner.is_alone() {
        let moved = inner.with_timeout(inner.store.move_game(game, me, from, Some(me))).await?;
        if !moved {
            return Ok(Attempt::Lost);
        }
    }
    let mut log = live.take_reading();
    for _ in 0..TRIES {
        let claim = match log.take() {
            Some(claim) => claim,
            None => match reading::load_live(inner, live).await {
                Ok(claim) => claim,
                Err(GameError::Damaged) => return Ok(Attempt::Impossible),
                Err(error) => return Err(error),
            },
        };
        let row = claim.row(me, rand::random());
        if append(inner, game, &row).await? {
            return Ok(Attempt::Won(Box::new(start(inner, claim, row))));
        }
        if !still_mine(inner, game, me).await? {
            return Ok(Attempt::Lost);
        }
    }
    Ok(Attempt::Lost)
}

fn start(inner: &Inner, claim: Claim, row: Append) -> OwnerOptions {
    let home = inner.router.me();
    let GameOptions { lobby_grace, liveness, .. } = inner.options;
    let (nonce, snapshot_every) = (rand::random(), SNAPSHOT_EVERY);
    claim.won(row, Start { home, nonce, lobby_grace, liveness, snapshot_every })
}

async fn still_mine(inner: &Arc<Inner>, game: GameId, me: Uuid) -> Result<bool, GameError> {
    if inner.is_alone() {
        return Ok(true);
    }
    let row = inner.with_timeout(inner.store.game_owner(game)).await?;
    Ok(row.is_some_and(|row| row.owner == Some(me)))
}

/// Whether the row is in the log now.
async fn append(inner: &Inner, game: GameId, row: &Append) -> Result<bool, GameError> {
    let (reply, mut outcome) = mpsc::channel(1);
    inner.appender.append(Job { row: row_of(game, row), reply }).await;
    let outcome = timeout(inner.options.command_timeout, outcome.recv()).await;
    match outcome.map_err(|_| GameError::Unavailable)? {
        Some(AppendOutcome::Committed) => Ok(true),
        Some(AppendOutcome::Refused) => Ok(false),
        Some(AppendOutcome::Unknown) | None => {
            sleep(AMBIGUOUS).await;
            let head = inner.with_timeout(inner.store.head(game)).await?.map(reading::head_of);
            Ok(head == Some(Head { seq: row.seq, batch: row.batch }))
        }
    }
}
