//! Reading logs: from the store's rows to the engine's events and states, off the threads that carry the games.
//!
//! Called by `claiming` (a whole log), `edge_task` (what the replica lacks) and `owner_task` (heads). Writes nothing.

use std::sync::Arc;

use quizhall_engine::claim::{Claim, Row};
use quizhall_engine::{EdgeInput, Head};
use quizhall_rules::Event;

use super::registry::{Inner, Live};
use crate::store::{self, LogRow};

/// The engine's word for a row's place.
pub(super) fn head_of(head: store::Head) -> Head {
    Head { seq: head.seq, batch: head.batch }
}

/// A log that was read to its end; `None` when it is empty or cannot be read.
pub(super) async fn claim_of(rows: Vec<LogRow>) -> Option<Claim> {
    let read = tokio::task::spawn_blocking(move || replay(&rows));
    let claim = read.await.ok().flatten();
    if claim.is_none() {
        tracing::error!("the log of a game cannot be read");
    }
    claim
}

fn replay(rows: &[LogRow]) -> Option<Claim> {
    let rows = rows.iter().map(row_of).collect::<Option<Vec<_>>>()?;
    Claim::read(&rows).ok()
}

fn row_of(row: &LogRow) -> Option<Row> {
    let events: Vec<Event> = serde_json::from_str(&row.body).ok()?;
    Some(Row { head: Head { seq: row.seq, batch: row.batch }, events })
}

/// What an edge whose replica has `next` events (0: none) has to know: the rest of the log, or the whole state when it
/// has none or the log does not go on from there (the database was set back). Always an answer. A whole log that was read
/// is left with the game, for whoever becomes its owner here next.
pub(super) async fn behind(inner: Arc<Inner>, live: Arc<Live>, next: u64) -> EdgeInput {
    let game = live.id;
    if let Some(after) = next.checked_sub(1) {
        match inner.patiently(inner.store.read_log(game, Some(after))).await {
            Ok(rows) if rows.first().is_none_or(|row| row.seq == next) => {
                if let Some(events) = events_of(rows).await {
                    return EdgeInput::TailRead { first: next, events };
                }
            }
            Ok(_) => {}
            Err(_) => return EdgeInput::StateRead(None),
        }
    }
    let Ok(rows) = inner.patiently(inner.store.read_log(game, None)).await else {
        return EdgeInput::StateRead(None);
    };
    let read = tokio::task::spawn_blocking(move || {
        let claim = replay(&rows)?;
        let stored = Box::new(claim.to_stored());
        live.leave_reading(claim);
        Some(stored)
    });
    EdgeInput::StateRead(read.await.ok().flatten())
}

async fn events_of(rows: Vec<LogRow>) -> Option<Vec<Event>> {
    // A handful of rows is parsed faster than handed over.
    if rows.len() <= 16 {
        return parse(&rows);
    }
    tokio::task::spawn_blocking(move || parse(&rows)).await.ok().flatten()
}

fn parse(rows: &[LogRow]) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    for row in rows {
        events.extend(serde_json::from_str::<Vec<Event>>(&row.body).ok()?);
    }
    Some(events)
}
