//! The list of nodes and the owners of games. One file has one machine, whose clock stands for the database's.

use std::time::Duration;

use quizhall_rules::GameId;
use sqlx::{SqliteConnection, SqlitePool};
use uuid::Uuid;

use super::super::sql::nodes as sql;
use super::super::stored::{StoredNode, StoredOwner, micros, millis};
use super::super::{NewNode, NodeReport, NodeRow, OwnerRow, Renewal, StoreError};
use crate::clock;

pub(super) async fn enter(connection: &mut SqliteConnection, node: NewNode) -> Result<(), StoreError> {
    sqlx::query(sql::ENTER)
        .bind(node.id)
        .bind(node.name)
        .bind(node.version)
        .bind(clock::unix_ms())
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn renew(
    connection: &mut SqliteConnection,
    node: Uuid,
    report: NodeReport,
) -> Result<Option<Renewal>, StoreError> {
    let now = clock::unix_ms();
    let beat: Option<i64> = sqlx::query_scalar(sql::RENEW)
        .bind(node)
        .bind(now)
        .bind(i64::from(report.games))
        .bind(i64::from(report.sockets))
        .bind(report.bus_lag.map(micros))
        .bind(i32::from(report.draining))
        .fetch_optional(&mut *connection)
        .await?;
    let Some(beat) = beat else { return Ok(None) };
    let nodes: Vec<StoredNode> = sqlx::query_as(sql::LIST).bind(now).fetch_all(connection).await?;
    Ok(Some(Renewal { beat: beat.unsigned_abs(), nodes: nodes.into_iter().map(StoredNode::read).collect() }))
}

pub(super) async fn evict(connection: &mut SqliteConnection, node: Uuid, lease: Duration) -> Result<bool, StoreError> {
    let latest = clock::unix_ms().saturating_sub(millis(lease));
    let evicted = sqlx::query(sql::EVICT).bind(node).bind(latest).execute(connection).await?;
    Ok(evicted.rows_affected() > 0)
}

pub(super) async fn leave(connection: &mut SqliteConnection, node: Uuid) -> Result<(), StoreError> {
    sqlx::query(sql::LEAVE).bind(node).execute(&mut *connection).await?;
    sqlx::query(sql::FREE_GAMES).bind(node).execute(connection).await?;
    Ok(())
}

pub(super) async fn list(readers: &SqlitePool) -> Result<Vec<NodeRow>, StoreError> {
    let nodes: Vec<StoredNode> = sqlx::query_as(sql::LIST).bind(clock::unix_ms()).fetch_all(readers).await?;
    Ok(nodes.into_iter().map(StoredNode::read).collect())
}

pub(super) async fn owner(readers: &SqlitePool, game: GameId) -> Result<Option<OwnerRow>, StoreError> {
    let row = sqlx::query_as(sql::OWNER).bind(game.uuid()).fetch_optional(readers).await?;
    Ok(row.map(StoredOwner::read))
}

pub(super) async fn move_game(
    connection: &mut SqliteConnection,
    game: GameId,
    by: Uuid,
    from: Option<Uuid>,
    to: Option<Uuid>,
) -> Result<bool, StoreError> {
    let moved = sqlx::query(sql::MOVE_GAME).bind(game.uuid()).bind(by).bind(from).bind(to).execute(connection).await?;
    Ok(moved.rows_affected() > 0)
}
