//! Reading logs: from the store's snapshots and rows to the engine's states and events, outside the threads that run
//! the games.
//!
//! Called by `ownership` and `registry` (a whole log), `edge` (the events that the replica lacks) and `owner` (heads).
//! Drives the engine's `Reading`, which decides what is read and whether it fits together. Appends nothing to a log.

mod events;
pub(in crate::games) mod films;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::future::OptionFuture;
use quizhall_engine::claim::{Claim, ClaimError};
use quizhall_engine::{EdgeInput, Head, Reading, SNAPSHOT_EVERY, Snapshot, Wanted};
use quizhall_rules::{Event, GameId};
use tokio::task::spawn_blocking;

use crate::games::error::GameError;
use crate::games::live::Live;
use crate::games::log::row::head_of;
use crate::games::node::Node;
use crate::store::{self, LogRow, StoreError};

/// Memory that a load takes in addition to the resulting state: two pages of the log, one of them being parsed.
pub const LOAD_BYTES: usize = 4 << 20;
/// The most pages, each of about 1 MiB, that an edge reads to catch up: some 500,000 answers of bundles. Above that the newest snapshot
/// is probably nearer.
const PAGES: usize = 8;
/// Rows that are parsed faster than they are handed to another thread.
const FEW: usize = 16;

impl quizhall_engine::LogRow for LogRow {
    fn head(&self) -> Head {
        Head { seq: self.seq, batch: self.batch }
    }

    fn count(&self) -> u64 {
        u64::from(self.count)
    }

    fn replay(&self, apply: &mut dyn FnMut(&Event)) -> bool {
        events::replay(&self.body, apply)
    }
}

/// The log of a live game; a damaged log ends the game. See [`load`].
pub(in crate::games) async fn load_live(node: &Node, live: &Live) -> Result<Claim, GameError> {
    let read = load(node, live.id).await;
    match read {
        Ok(_) if live.was_damaged.swap(false, Ordering::Relaxed) => node.found_readable(live.id),
        Err(GameError::Damaged) => live.end_damaged(),
        _ => {}
    }
    read
}

/// A log read to its end, from its newest valid snapshot or from the beginning. After a long replay a snapshot is
/// stored for the next load. Damage is reported.
pub(in crate::games) async fn load(node: &Node, game: GameId) -> Result<Claim, GameError> {
    // The semaphore is never closed.
    let _turn = node.loads.acquire().await;
    let mut reading = Reading::new();
    while reading.wanted() != Wanted::Nothing {
        reading = step(node, game, reading).await.map_err(|error| unread(node, game, &error))?;
    }
    let skipped = reading.skipped();
    if skipped > 0 {
        tracing::warn!(%game, skipped, "snapshots of a game are of no use; older ones or the log were read");
    }
    let finished = spawn_blocking(|| finish(reading)).await.map_err(|_| GameError::Unavailable)?;
    match finished {
        Ok((claim, snapshot)) => {
            if let Some(snapshot) = snapshot {
                node.snapshots.offer(game, snapshot);
            }
            Ok(claim)
        }
        // The log was set back or replaced during the read; the next attempt may succeed.
        Err(ClaimError::Moved) => Err(GameError::Unavailable),
        Err(error) => {
            node.found_damaged(game, &error);
            Err(GameError::Damaged)
        }
    }
}

fn finish(reading: Reading) -> Result<(Claim, Option<Snapshot>), ClaimError> {
    let mut claim = reading.finish()?;
    let snapshot = claim.take_snapshot(SNAPSHOT_EVERY);
    Ok((claim, snapshot))
}

fn unread(node: &Node, game: GameId, error: &StoreError) -> GameError {
    if error.is_damage() {
        node.found_damaged(game, error);
        return GameError::Damaged;
    }
    GameError::Unavailable
}

/// Gives a reading the data that it needs next.
async fn step(node: &Node, game: GameId, mut reading: Reading) -> Result<Reading, StoreError> {
    match reading.wanted() {
        Wanted::Heads => {
            let heads = node.in_time(node.store.snapshot_heads(game)).await?;
            reading.heads(heads.into_iter().map(head_of).collect());
            Ok(reading)
        }
        Wanted::Snapshot(head) => {
            let place = store::Head { seq: head.seq, batch: head.batch };
            let stored = node.in_time(node.store.snapshot(game, place)).await?;
            beside(move || {
                let decoded = stored.and_then(|it| Snapshot::decode((head, it.next_seq), it.format, &it.body));
                reading.snapshot(decoded);
                reading
            })
            .await
        }
        Wanted::Page { from } => pages(node, game, from, reading).await,
        Wanted::Nothing => Ok(reading),
    }
}

/// Reads pages as long as the reading continues with the next one, which is fetched while the previous one is parsed.
async fn pages(node: &Node, game: GameId, from: u64, mut reading: Reading) -> Result<Reading, StoreError> {
    let mut rows = node.in_time(node.store.read_log_page(game, from)).await?;
    loop {
        let ends = store::is_last_page(&rows);
        let next = rows.last().filter(|_| !ends).map(|row| row.seq);
        let fetch = next.map(|from| node.in_time(node.store.read_log_page(game, from)));
        let parse = async {
            if rows.len() <= FEW {
                reading.page(&rows, ends);
                return Ok(reading);
            }
            beside(move || {
                reading.page(&rows, ends);
                reading
            })
            .await
        };
        let (parsed, fetched) = tokio::join!(parse, OptionFuture::from(fetch));
        reading = parsed?;
        match (reading.wanted(), fetched) {
            (Wanted::Page { from }, Some(fetched)) if Some(from) == next => rows = fetched?,
            _ => return Ok(reading),
        }
    }
}

/// Runs work that would delay a game's task for too long.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    spawn_blocking(work).await.map_err(|_| StoreError::Unavailable("reading a log was cut short".to_owned()))
}

/// The input for an edge whose replica has `next` events (0: none), up to this last row when it is known. This is the rest of the
/// log; or the whole state when there is no replica, when the rest is long, or when the log does not continue from there (the
/// database was set back). There is always an answer.
pub(in crate::games) async fn behind(node: Arc<Node>, live: Arc<Live>, (next, head): (u64, Option<Head>)) -> EdgeInput {
    match rest(&node, live.id, next, head).await {
        Ok(Some(rest)) => return rest,
        Err(error) if !error.is_damage() => return EdgeInput::StateRead(None),
        _ => {}
    }
    EdgeInput::StateRead(load_live(&node, &live).await.ok().map(|claim| Box::new(claim.into_stored())))
}

/// The rest of the log; `None` when it is long, or does not continue from there.
async fn rest(node: &Node, game: GameId, next: u64, head: Option<Head>) -> Result<Option<EdgeInput>, StoreError> {
    if next == 0 {
        return Ok(None);
    }
    if let Some(head) = head {
        let after = store::Head { seq: head.seq, batch: head.batch };
        let rows = node.in_time(node.records.log_end(store::LogEnd { game, after, next })).await?;
        if let Some(rows) = rows {
            return Ok(tail(next, true, rows).await);
        }
    }
    // With the last row, which shows whether the log continues from there.
    let from = head.map_or(next, |head| head.seq);
    let rows = rows_from(from, |from| node.in_time(node.store.read_log_page(game, from))).await?;
    let Some(rows) = rows else { return Ok(None) };
    let mut rows = rows.into_iter().peekable();
    let is_known = head.is_some_and(|head| rows.next_if(|row| is_row(row, head, next)).is_some());
    let follows = head.is_some() == is_known && rows.peek().is_none_or(|row| row.seq == next);
    Ok(if follows { tail(next, is_known, rows.collect()).await } else { None })
}

/// All rows from this one on, read page by page; `None` when they fill more than eight pages, or when the log was set back meanwhile.
///
/// # Errors
/// The error of the page that could not be read.
pub async fn rows_from<F: Future<Output = Result<Vec<LogRow>, StoreError>>>(
    from: u64,
    read_page: impl Fn(u64) -> F,
) -> Result<Option<Vec<LogRow>>, StoreError> {
    let mut rows = read_page(from).await?;
    let mut is_last = store::is_last_page(&rows);
    for _ in 1..PAGES {
        let Some(last) = rows.last().filter(|_| !is_last) else { break };
        let page = read_page(last.seq).await?;
        is_last = store::is_last_page(&page);
        // A page begins with the last row of the one before it.
        let mut page = page.into_iter();
        if page.next().as_ref() != Some(last) {
            return Ok(None);
        }
        rows.extend(page);
    }
    Ok(is_last.then_some(rows))
}

/// Whether this is the row, and ends before event `next`.
fn is_row(row: &LogRow, head: Head, next: u64) -> bool {
    let found: Head = quizhall_engine::LogRow::head(row);
    found == head && found.seq.checked_add(row.count.into()) == Some(next)
}

async fn tail(first: u64, is_known: bool, rows: Vec<LogRow>) -> Option<EdgeInput> {
    let heads = if is_known { rows.iter().map(quizhall_engine::LogRow::head).collect() } else { Vec::new() };
    Some(EdgeInput::TailRead { first, rows: heads, events: events_of(rows).await? })
}

async fn events_of(rows: Vec<LogRow>) -> Option<Vec<Event>> {
    if rows.len() <= FEW {
        return parse(&rows);
    }
    spawn_blocking(move || parse(&rows)).await.ok().flatten()
}

fn parse(rows: &[LogRow]) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    let all = rows.iter().all(|row| events::replay(&row.body, &mut |event| events.push(event.clone())));
    all.then_some(events)
}
