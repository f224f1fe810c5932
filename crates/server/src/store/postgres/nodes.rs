//! The list of nodes and the owners of games. All times are the server's: nodes may disagree about the time of day.

use std::time::Duration;

use quizhall_rules::GameId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::super::sql::nodes as sql;
use super::super::stored::{StoredNode, StoredOwner, micros, millis};
use super::super::{NewNode, NodeReport, NodeRow, OwnerRow, Renewal, StoreError};

/// The server's clock now, not at the transaction's begin: a statement may have waited for a lock.
const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

pub(super) async fn enter(connection: &mut PgConnection, node: NewNode) -> Result<(), StoreError> {
    let now = clock(connection).await?;
    sqlx::query(sql::ENTER).bind(node.id).bind(node.name).bind(node.version).bind(now).execute(connection).await?;
    Ok(())
}

pub(super) async fn renew(
    connection: &mut PgConnection,
    node: Uuid,
    report: NodeReport,
) -> Result<Option<Renewal>, StoreError> {
    let now = clock(connection).await?;
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

pub(super) async fn evict(connection: &mut PgConnection, node: Uuid, lease: Duration) -> Result<bool, StoreError> {
    let latest = clock(connection).await?.saturating_sub(millis(lease));
    let evicted = sqlx::query(sql::EVICT).bind(node).bind(latest).execute(connection).await?;
    Ok(evicted.rows_affected() > 0)
}

pub(super) async fn leave(connection: &mut PgConnection, node: Uuid) -> Result<(), StoreError> {
    sqlx::query(sql::LEAVE).bind(node).execute(&mut *connection).await?;
    sqlx::query(sql::FREE_GAMES).bind(node).execute(connection).await?;
    Ok(())
}

pub(super) async fn list(connection: &mut PgConnection) -> Result<Vec<NodeRow>, StoreError> {
    let now = clock(connection).await?;
    let nodes: Vec<StoredNode> = sqlx::query_as(sql::LIST).bind(now).fetch_all(connection).await?;
    Ok(nodes.into_iter().map(StoredNode::read).collect())
}

/// The list; empty in a database that no node has prepared yet.
pub(super) async fn look(connection: &mut PgConnection) -> Result<Vec<NodeRow>, StoreError> {
    let prepared: bool =
        sqlx::query_scalar("SELECT to_regclass('node') IS NOT NULL").fetch_one(&mut *connection).await?;
    if prepared { list(connection).await } else { Ok(Vec::new()) }
}

pub(super) async fn owner(connection: &mut PgConnection, game: GameId) -> Result<Option<OwnerRow>, StoreError> {
    let row = sqlx::query_as(sql::OWNER).bind(game.uuid()).fetch_optional(connection).await?;
    Ok(row.map(StoredOwner::read))
}

pub(super) async fn move_game(
    connection: &mut PgConnection,
    game: GameId,
    by: Uuid,
    from: Option<Uuid>,
    to: Option<Uuid>,
) -> Result<bool, StoreError> {
    let moved = sqlx::query(sql::MOVE_GAME).bind(game.uuid()).bind(by).bind(from).bind(to).execute(connection).await?;
    Ok(moved.rows_affected() > 0)
}

async fn clock(connection: &mut PgConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(CLOCK).fetch_one(connection).await?)
}
