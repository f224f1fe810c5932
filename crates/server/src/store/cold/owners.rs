//! The recorded owners of many games at once: when a node dies, its games need them at the same moment.
//!
//! Each call is one statement on PostgreSQL, whatever the number of games. Like `nodes`, all of this is a hint for liveness.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::nodes::OwnerRow;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// The owner of one game; `SQLite` has no arrays.
const OWNER: &str = "
    SELECT owner, EXISTS (SELECT 1 FROM node WHERE node.id = game.owner) AS listed FROM game WHERE id = $1";

/// The owners of many games, with their places.
const OWNERS: &str = "
    SELECT given.place, game.owner, EXISTS (SELECT 1 FROM node WHERE node.id = game.owner) AS listed
    FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place) JOIN game ON game.id = given.id";

const SET_ONE: &str = "
    UPDATE game SET owner = $4
    WHERE id = $1 AND owner IS NOT DISTINCT FROM $3
        AND ($3 IS NULL OR $3 = $2 OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = $3))";

/// A change of the recorded owner of a game: exactly from one to another, unless the one is another node in the list than the
/// node that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerChange {
    /// The game.
    pub game: GameId,
    /// The node that asks.
    pub by: Uuid,
    /// The owner that must be the recorded one; `None` when no node owns the game.
    pub from: Option<Uuid>,
    /// The node that owns it afterwards; `None` frees the game.
    pub to: Option<Uuid>,
}

/// The owners of many games.
impl Store {
    /// The recorded owner of each game, in their order; `None` when there is no such game.
    pub async fn game_owners(&self, games: Arc<[GameId]>) -> Result<Vec<Option<OwnerRow>>, StoreError> {
        self.read(move |connection| owners(connection, Arc::clone(&games)).boxed()).await
    }

    /// Carries out each change that its condition allows; resolves to whether each was, in their order. A game whose line is being
    /// changed by another transaction at that moment is not waited for: it counts as not changed.
    pub async fn change_owners(&self, changes: Vec<OwnerChange>) -> Result<Vec<bool>, StoreError> {
        self.alone(move |connection| change_each(connection, changes).boxed()).await
    }

    /// Carries out one change, after another transaction that changes the line of the game. The loser of a race finds another
    /// owner than it expected.
    pub async fn change_owner(&self, change: OwnerChange) -> Result<bool, StoreError> {
        let OwnerChange { game, by, from, to } = change;
        let set = sql(SET_ONE).bind(game).bind(by).bind(from).bind(to);
        Ok(self.change_alone(set).await? > 0)
    }
}

async fn owners(connection: &mut Connection<'_>, games: Arc<[GameId]>) -> Result<Vec<Option<OwnerRow>>, StoreError> {
    let Connection::Postgres(server) = connection else {
        let mut all = Vec::with_capacity(games.len());
        for game in games.iter() {
            all.push(sql(OWNER).bind(*game).optional(connection).await?);
        }
        return Ok(all);
    };
    let ids: Vec<Uuid> = games.iter().map(|game| game.uuid()).collect();
    let rows: Vec<(i64, Option<Uuid>, bool)> = sqlx::query_as(OWNERS).bind(ids).fetch_all(&mut **server).await?;
    let rows = rows.into_iter().map(|(place, owner, listed)| (place, OwnerRow { owner, listed }));
    let found: HashMap<i64, OwnerRow> = rows.collect();
    Ok((1..).take(games.len()).map(|place| found.get(&place).copied()).collect())
}

async fn change_each(connection: &mut Connection<'_>, changes: Vec<OwnerChange>) -> Result<Vec<bool>, StoreError> {
    let Connection::Postgres(server) = connection else {
        let mut all = Vec::with_capacity(changes.len());
        for OwnerChange { game, by, from, to } in changes {
            all.push(sql(SET_ONE).bind(game).bind(by).bind(from).bind(to).execute(connection).await? > 0);
        }
        return Ok(all);
    };
    let count = changes.len();
    let done = change(server, changes).await?;
    Ok((1..).take(count).map(|place| done.contains(&place)).collect())
}

/// The places of the changes that were carried out. Two nodes that change the same games in different orders would wait for each
/// other in a circle, so a line that is locked is left out. The lock is the one that the update takes anyway.
async fn change(server: &mut PgConnection, changes: Vec<OwnerChange>) -> Result<HashSet<i64>, StoreError> {
    const SET: &str = "
        WITH given AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) WITH ORDINALITY
                AS g (id, asker, former, next, place)
        ), free AS (
            SELECT game.id, given.next, given.place FROM given JOIN game ON game.id = given.id
            WHERE game.owner IS NOT DISTINCT FROM given.former AND (given.former IS NULL OR given.former = given.asker
                OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = given.former))
            FOR NO KEY UPDATE OF game SKIP LOCKED
        )
        UPDATE game SET owner = free.next FROM free WHERE game.id = free.id RETURNING free.place";
    let column = |of: fn(&OwnerChange) -> Option<Uuid>| changes.iter().map(of).collect::<Vec<_>>();
    let done = sqlx::query_scalar(SET)
        .bind(column(|change| Some(change.game.uuid())))
        .bind(column(|change| Some(change.by)))
        .bind(column(|change| change.from))
        .bind(column(|change| change.to))
        .fetch_all(server)
        .await?;
    Ok(done.into_iter().collect())
}
