//! Snapshots of games, part by part, on the connections that share everything but the log.

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::PgConnection;

use super::super::retention::SNAPSHOTS_REFUSED_MS;
use super::super::snapshots::{Part, StoredEnd, readable};
use super::super::sql::snapshots as sql;
use super::super::stored::StoredHead;
use super::super::{Head, Snapshot, StoreError};
use super::link::Link;
use crate::clock;

/// See [`super::super::Store::put_snapshot`].
pub(super) async fn put(link: &Link, game: GameId, snapshot: Snapshot) -> Result<(), StoreError> {
    let name: i64 = rand::random();
    for part in snapshot.parts(game) {
        link.write(move |connection| add(connection, game, (name, part)).boxed()).await?;
    }
    let superseded = link.read(move |connection| superseded(connection, game, name).boxed()).await?;
    for part in superseded {
        link.write(move |connection| delete(connection, game, part).boxed()).await?;
    }
    Ok(())
}

async fn add(connection: &mut PgConnection, game: GameId, (name, part): (i64, Part)) -> Result<(), StoreError> {
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

async fn superseded(connection: &mut PgConnection, game: GameId, name: i64) -> Result<Vec<(i64, i64)>, StoreError> {
    Ok(sqlx::query_as(sql::SUPERSEDED).bind(game.uuid()).bind(name).fetch_all(connection).await?)
}

async fn delete(connection: &mut PgConnection, game: GameId, (name, part): (i64, i64)) -> Result<(), StoreError> {
    sqlx::query(sql::DELETE_PART).bind(game.uuid()).bind(name).bind(part).execute(connection).await?;
    Ok(())
}

pub(super) async fn heads(connection: &mut PgConnection, game: GameId) -> Result<Vec<Head>, StoreError> {
    let heads: Vec<StoredHead> = sqlx::query_as(sql::HEADS).bind(game.uuid()).fetch_all(connection).await?;
    Ok(heads.into_iter().map(StoredHead::read).collect())
}

pub(super) async fn read(link: &Link, game: GameId, head: Head) -> Result<Option<Snapshot>, StoreError> {
    for end in link.read(move |connection| ends(connection, game, head).boxed()).await? {
        let body = readable(body(link, game, &end).await)?.flatten();
        if let Some(snapshot) = body.and_then(|body| end.read(game, head, body)) {
            return Ok(Some(snapshot));
        }
    }
    Ok(None)
}

async fn ends(connection: &mut PgConnection, game: GameId, head: Head) -> Result<Vec<StoredEnd>, StoreError> {
    let query = sqlx::query_as(sql::COMPLETE).bind(game.uuid());
    Ok(query.bind(head.seq.cast_signed()).bind(head.batch.cast_signed()).fetch_all(connection).await?)
}

/// The joined parts; `None` when one is missing. A statement for each: a large one takes longer than one may.
async fn body(link: &Link, game: GameId, end: &StoredEnd) -> Result<Option<Vec<u8>>, StoreError> {
    let (name, mut body) = (end.name, Vec::new());
    for number in 0..end.parts {
        let Some(part) = link.read(move |connection| part(connection, game, (name, number)).boxed()).await? else {
            return Ok(None);
        };
        body.extend(part);
    }
    Ok(Some(body))
}

async fn part(
    connection: &mut PgConnection,
    game: GameId,
    (name, number): (i64, i64),
) -> Result<Option<Vec<u8>>, StoreError> {
    let query = sqlx::query_scalar(sql::PART).bind(game.uuid()).bind(name).bind(number);
    Ok(query.fetch_optional(connection).await?)
}
