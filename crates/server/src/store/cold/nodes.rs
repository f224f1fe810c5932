//! Nodes as the store keeps them: the list, the time since each node renewed its entry by the database's clock, and the
//! owner of each game.
//!
//! All of this is a hint for liveness. Only the log of a game decides who may write to it.

use std::time::Duration;

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::store::columns::from_row;
use crate::store::connection::work::reading;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;
use crate::store::options::StoreOptions;
use crate::store::postgres;

/// A process that enters the list. It holds no secrets: operators see all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// Its incarnation: new at every start, and whenever the node was taken for dead.
    pub id: Uuid,
    /// A name for people: the host's name, or `NODE_NAME`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the log that it reads and writes.
    pub log_version: u32,
    /// The place that it shares with other nodes, `NODE_ZONE`; empty when there is none.
    pub zone: String,
    /// Whether an operator wants it to own no games; an earlier incarnation was ordered so.
    pub drain: bool,
}

/// The report that a node sends with every renewal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeReport {
    /// Games it owns.
    pub games: u32,
    /// Sockets attached to it.
    pub sockets: u32,
    /// How long a frame to itself took over the bus; `None` while the bus does not work.
    pub bus_lag: Option<Duration>,
    /// Whether it must not be given games: it is stopping, or an operator drains it.
    pub draining: bool,
    /// Thousandths of a core that the process used lately; `None` of a version that does not report them.
    pub busy_millicores: Option<u32>,
}

/// A node of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    /// Its incarnation.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the log that it reads and writes; 1 of one that does not say it.
    pub log_version: u32,
    /// Time since its last renewal, by the database's clock.
    pub age: Duration,
    /// Time since it entered the list, by the database's clock.
    pub up: Duration,
    /// Its last report.
    pub report: NodeReport,
    /// The place that it shares with other nodes; empty when there is none.
    pub zone: String,
    /// Whether an operator wants it to own no games.
    pub drain: bool,
    /// Orders to move games away from it that it has not read.
    pub moves: u32,
}

/// A renewal that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// How many renewals of this node the database has counted, this one included. A number that does not grow by one
    /// each time shows that the database was set back.
    pub beat: u64,
    /// All nodes, this one included.
    pub nodes: Vec<NodeRow>,
}

/// The recorded owner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerRow {
    /// The owner's incarnation; `None` when no node owns the game.
    pub owner: Option<Uuid>,
    /// Whether that node is in the list.
    pub listed: bool,
}
from_row!(PgRow, SqliteRow => OwnerRow { owner, listed });

/// The list of nodes, and the owners of games.
impl Store {
    /// Enters this process in the list of nodes, with its first renewal.
    pub async fn enter_node(&self, node: NewNode) -> Result<(), StoreError> {
        self.lease(move |connection| enter(connection, node).boxed()).await
    }

    /// Renews this node's lease and reads the list. `None` when the node is no longer in the list, because another node
    /// has evicted it: then it has to enter again under another id.
    pub async fn renew_node(&self, node: Uuid, report: NodeReport) -> Result<Option<Renewal>, StoreError> {
        self.lease(move |connection| renew(connection, node, report).boxed()).await
    }

    /// Removes a node from the list if its last renewal is at least `lease` old by the database's clock; resolves to
    /// whether this call removed it.
    pub async fn evict_node(&self, node: Uuid, lease: Duration) -> Result<bool, StoreError> {
        self.lease(move |connection| evict(connection, node, lease).boxed()).await
    }

    /// Removes a node from the list because it stops, and frees the games that it still owns.
    pub async fn leave_node(&self, node: Uuid) -> Result<(), StoreError> {
        self.write(move |connection| leave(connection, node).boxed()).await
    }

    /// All nodes in the list, oldest first; renews nothing.
    pub async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.read(|connection| {
            async {
                let now = connection.now_ms().await?;
                list(connection, now).await
            }
            .boxed()
        })
        .await
    }

    /// The recorded owner of the game; `None` when there is no such game.
    pub async fn game_owner(&self, game: GameId) -> Result<Option<OwnerRow>, StoreError> {
        let select = sql("
            SELECT owner, EXISTS (SELECT 1 FROM node WHERE node.id = game.owner) AS listed FROM game WHERE id = $1");
        self.row(select.bind(game)).await
    }
}

async fn enter(connection: &mut Connection<'_>, node: NewNode) -> Result<(), StoreError> {
    let now = connection.now_ms().await?;
    let insert = sql("
        INSERT INTO node
            (id, name, version, log_version, entered_at_ms, seen_at_ms, beat, games, sockets, bus_lag_us, draining, zone, drain)
        VALUES ($1, $2, $3, $4, $5, $5, 1, 0, 0, NULL, 0, $6, $7)
        ON CONFLICT (id) DO NOTHING");
    let insert = insert.bind(node.id).bind(node.name).bind(node.version).bind(node.log_version);
    insert.bind(now).bind(node.zone).bind(node.drain).execute(connection).await?;
    Ok(())
}

async fn renew(connection: &mut Connection<'_>, node: Uuid, report: NodeReport) -> Result<Option<Renewal>, StoreError> {
    let now = connection.now_ms().await?;
    let renew = sql("
        UPDATE node SET seen_at_ms = $2, beat = beat + 1, games = $3, sockets = $4, bus_lag_us = $5, draining = $6,
            busy_millicores = $7
        WHERE id = $1 RETURNING beat");
    let renew = renew.bind(node).bind(now).bind(report.games).bind(report.sockets);
    let renew =
        renew.bind(report.bus_lag.map(micros)).bind(report.draining).bind(report.busy_millicores.map(i64::from));
    let Some((beat,)): Option<(i64,)> = renew.optional(connection).await? else { return Ok(None) };
    Ok(Some(Renewal { beat: beat.unsigned_abs(), nodes: list(connection, now).await? }))
}

async fn evict(connection: &mut Connection<'_>, node: Uuid, lease: Duration) -> Result<bool, StoreError> {
    let latest = connection.now_ms().await?.saturating_sub(millis(lease));
    let evict = sql("DELETE FROM node WHERE id = $1 AND seen_at_ms <= $2");
    Ok(evict.bind(node).bind(latest).execute(connection).await? > 0)
}

async fn leave(connection: &mut Connection<'_>, node: Uuid) -> Result<(), StoreError> {
    sql("DELETE FROM node WHERE id = $1").bind(node).execute(connection).await?;
    sql("DELETE FROM game_move WHERE node = $1 AND outcome IS NULL").bind(node).execute(connection).await?;
    sql("UPDATE game SET owner = NULL WHERE owner = $1").bind(node).execute(connection).await?;
    Ok(())
}

/// The list as of `now`, milliseconds since 1970 by the database's clock.
async fn list(connection: &mut Connection<'_>, now: i64) -> Result<Vec<NodeRow>, StoreError> {
    let select = sql("
        SELECT id, name, version, log_version, $1 - seen_at_ms AS age_ms, $1 - entered_at_ms AS up_ms, games, sockets, bus_lag_us,
            draining, zone, busy_millicores, drain,
            (SELECT count(*) FROM game_move WHERE game_move.node = node.id AND outcome IS NULL) AS moves
        FROM node ORDER BY entered_at_ms, id");
    Ok(select.bind(now).all(connection).await?.into_iter().map(StoredNode::read).collect())
}

/// Whether this kind of database keeps a list of nodes.
pub fn keeps_nodes(url: &str) -> bool {
    postgres::is_url(url)
}

/// The list of nodes, for commands: creates and changes nothing. `None` when this kind of database keeps no list.
///
/// # Errors
/// As [`connect`](crate::store::connect).
pub async fn look_at_nodes(url: &str, options: StoreOptions) -> Result<Option<Vec<NodeRow>>, StoreError> {
    if !keeps_nodes(url) {
        return Ok(None);
    }
    let listing = reading(|connection| list_if_prepared(connection).boxed());
    postgres::read_once(url, options, listing).await?.value().map(Some)
}

/// The list; empty in a PostgreSQL database that no node has prepared yet.
async fn list_if_prepared(connection: &mut Connection<'_>) -> Result<Vec<NodeRow>, StoreError> {
    if !sql("SELECT to_regclass('node') IS NOT NULL").value(connection).await? {
        return Ok(Vec::new());
    }
    let now = connection.now_ms().await?;
    if sql("SELECT to_regclass('game_move') IS NOT NULL").value(connection).await? {
        return list(connection, now).await;
    }
    // Only nodes of a version before placement have served it.
    let select = sql("
        SELECT id, name, version, log_version, $1 - seen_at_ms AS age_ms, $1 - entered_at_ms AS up_ms, games, sockets, bus_lag_us,
            draining, '' AS zone, NULL::bigint AS busy_millicores, 0 AS drain, 0::bigint AS moves
        FROM node ORDER BY entered_at_ms, id");
    Ok(select.bind(now).all(connection).await?.into_iter().map(StoredNode::read).collect())
}

struct StoredNode {
    id: Uuid,
    name: String,
    version: String,
    log_version: i64,
    age_ms: i64,
    up_ms: i64,
    games: i64,
    sockets: i64,
    bus_lag_us: Option<i64>,
    draining: i32,
    zone: String,
    busy_millicores: Option<i64>,
    drain: i32,
    moves: i64,
}
from_row!(PgRow, SqliteRow => StoredNode {
    id, name, version, log_version, age_ms, up_ms, games, sockets, bus_lag_us, draining, zone,
    busy_millicores, drain, moves
});

impl StoredNode {
    fn read(self) -> NodeRow {
        NodeRow {
            id: self.id,
            name: self.name,
            version: self.version,
            log_version: u32::try_from(self.log_version).unwrap_or(u32::MAX),
            age: Duration::from_millis(natural(self.age_ms)),
            up: Duration::from_millis(natural(self.up_ms)),
            report: NodeReport {
                games: u32::try_from(self.games).unwrap_or(u32::MAX),
                sockets: u32::try_from(self.sockets).unwrap_or(u32::MAX),
                bus_lag: self.bus_lag_us.map(|lag| Duration::from_micros(natural(lag))),
                draining: self.draining != 0,
                busy_millicores: self.busy_millicores.map(|busy| u32::try_from(busy).unwrap_or(0)),
            },
            zone: self.zone,
            drain: self.drain != 0,
            moves: u32::try_from(self.moves).unwrap_or(u32::MAX),
        }
    }
}

/// A clock that was set back gives no negative age.
fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Microseconds of a lag, as they are stored.
fn micros(lag: Duration) -> i64 {
    i64::try_from(lag.as_micros()).unwrap_or(i64::MAX)
}

/// Milliseconds of a lease, as they are counted.
fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}
