//! Snapshots of games, part by part: between two parts the commits of answers have their turn.

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::{SqliteConnection, SqlitePool};

use super::super::retention::SNAPSHOTS_REFUSED_MS;
use super::super::snapshots::{Part, StoredEnd, readable};
use super::super::sql::snapshots as sql;
use super::super::stored::StoredHead;
use super::super::{Head, Snapshot, StoreError};
use super::SqliteStore;
use super::checkpoint::PAGE;
use crate::clock;

/// See [`super::super::Store::put_snapshot`].
pub(super) async fn put(store: &SqliteStore, game: GameId, snapshot: Snapshot) -> Result<(), StoreError> {
    let name: i64 = rand::random();
    for part in snapshot.parts(game) {
        let pages = 2 + (part.body.len() / PAGE) as u64;
        store.cold.write(&store.gate, move |connection| add(connection, game, (name, part)).boxed()).await?;
        store.checkpoints.written(pages);
    }
    let superseded: Vec<(i64, i64)> =
        sqlx::query_as(sql::SUPERSEDED).bind(game.uuid()).bind(name).fetch_all(&store.readers).await?;
    for part in superseded {
        store.cold.write(&store.gate, move |connection| delete(connection, game, part).boxed()).await?;
    }
    Ok(())
}

async fn add(connection: &mut SqliteConnection, game: GameId, (name, part): (i64, Part)) -> Result<(), StoreError> {
    sqlx::query(sql::ADD)
        .bind(game.uuid())
        .bind(name)
        .bind(part.number)
        .bind(part.head.seq.cast_signed())
        .bind(part.head.batch.cast_signed())
        .bind(part.next_seq.cast_signed())
        .bind(i64::from(part.format))
        .bind(part.end.map(|end| end.parts))
        .bind(part.end.map(|end| i64::from(end.checksum)))
        .bind(part.body)
        .bind(clock::unix_ms() - SNAPSHOTS_REFUSED_MS)
        .execute(connection)
        .await?;
    Ok(())
}

async fn delete(connection: &mut SqliteConnection, game: GameId, (name, part): (i64, i64)) -> Result<(), StoreError> {
    sqlx::query(sql::DELETE_PART).bind(game.uuid()).bind(name).bind(part).execute(connection).await?;
    Ok(())
}

pub(super) async fn heads(readers: &SqlitePool, game: GameId) -> Result<Vec<Head>, StoreError> {
    let heads: Vec<StoredHead> = sqlx::query_as(sql::HEADS).bind(game.uuid()).fetch_all(readers).await?;
    Ok(heads.into_iter().map(StoredHead::read).collect())
}

pub(super) async fn read(readers: &SqlitePool, game: GameId, head: Head) -> Result<Option<Snapshot>, StoreError> {
    let ends: Vec<StoredEnd> = sqlx::query_as(sql::COMPLETE)
        .bind(game.uuid())
        .bind(head.seq.cast_signed())
        .bind(head.batch.cast_signed())
        .fetch_all(readers)
        .await?;
    for end in ends {
        let body = readable(body(readers, game, &end).await)?.flatten();
        if let Some(snapshot) = body.and_then(|body| end.read(game, head, body)) {
            return Ok(Some(snapshot));
        }
    }
    Ok(None)
}

/// The joined parts; `None` when one is missing.
async fn body(readers: &SqlitePool, game: GameId, end: &StoredEnd) -> Result<Option<Vec<u8>>, StoreError> {
    let mut body = Vec::new();
    for number in 0..end.parts {
        let query = sqlx::query_scalar(sql::PART).bind(game.uuid()).bind(end.name).bind(number);
        let part: Option<Vec<u8>> = query.fetch_optional(readers).await?;
        let Some(part) = part else { return Ok(None) };
        body.extend(part);
    }
    Ok(Some(body))
}
