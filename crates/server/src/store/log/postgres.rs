//! The log of a game, which is also its lock: a row is inserted only after the row that its writer saw last.

use std::collections::HashSet;

use quizhall_rules::GameId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::row::{Append, Head, LogRow, Outcome, PAGE_BYTES, PAGE_ROWS, of_different_games};
use super::sql;
use super::stored::{StoredHead, StoredLogRow};
use crate::clock;
use crate::store::error::StoreError;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::durability::Durability;
use futures_util::FutureExt as _;

/// The chained append of many games, with the changes of their lines, as one statement that commits by itself.
///
/// A stale writer finds its number taken (perhaps after waiting for the writer that is taking it); a pipelined or
/// rewound writer finds no predecessor. In both cases its game is missing in the result. A plain unique (game, seq)
/// would not be a fence: two writers with different histories could take turns. Rows are added in the order of the
/// games, so that two nodes that write to the same games (one of them wrongly) wait for each other and never in a
/// circle. The predecessor is read by a subquery with a value, which is looked up row by row: the planner turns an
/// `EXISTS` into a join, and reads all of a log that was empty when it made its plan. Nothing is added while the server
/// would not keep it, unless `$14`: this session syncs its own commit, by the very settings that it sees here.
const APPEND: &str = "
    WITH given AS (
        SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            AS g (game_id, seq, n, epoch, batch, body, checksum, previous_seq, previous_batch, phase, ended_at_ms,
                closed)
    ), added AS (
        INSERT INTO game_log (game_id, seq, n, epoch, batch, body, checksum, at_ms)
        SELECT g.game_id, g.seq, g.n, g.epoch, g.batch, g.body, g.checksum, $13 FROM given g
        WHERE ($14 OR (current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on')) AND g.seq = (
            SELECT p.seq + p.n FROM game_log p
            WHERE p.game_id = g.game_id AND p.seq = g.previous_seq AND p.batch = g.previous_batch)
        ORDER BY g.game_id
        ON CONFLICT (game_id, seq) DO NOTHING
        RETURNING game_id
    ), projected AS (
        UPDATE game SET
            phase = COALESCE(g.phase, game.phase),
            ended_at_ms = COALESCE(game.ended_at_ms, g.ended_at_ms),
            closed = GREATEST(game.closed, g.closed),
            closed_at_ms = CASE WHEN g.closed = 1 THEN COALESCE(game.closed_at_ms, $13) ELSE game.closed_at_ms END,
            active_at_ms = CASE WHEN active_at_ms < $13 - 60000 THEN $13 ELSE active_at_ms END
        FROM added JOIN given g USING (game_id)
        WHERE game.id = added.game_id AND (g.phase IS NOT NULL OR active_at_ms < $13 - 60000)
    )
    SELECT game_id FROM added";

/// The log on this engine; see [`Store`](crate::store::Store).
impl PostgresStore {
    pub(in crate::store) async fn append(&self, rows: Vec<Append>) -> Result<Vec<Outcome>, StoreError> {
        let unsafe_durability = self.unsafe_durability;
        let appended = self.log.with(move |connection| append(connection, rows, unsafe_durability).boxed()).await;
        self.proof.note(appended.is_ok());
        appended
    }

    pub(in crate::store) async fn read_log_page(&self, game: GameId, from_seq: u64) -> Result<Vec<LogRow>, StoreError> {
        self.cold.read(move |connection| read_page(connection, game, from_seq).boxed()).await
    }

    pub(in crate::store) async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        self.cold.read(move |connection| head(connection, game).boxed()).await
    }
}

/// Appends or refuses each row. Without `unsafe_durability`, a server that would not keep the rows is an error.
async fn append(
    connection: &mut PgConnection,
    rows: Vec<Append>,
    unsafe_durability: bool,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = vec![Outcome::Refused; rows.len()];
    for statement in of_different_games(rows, usize::MAX) {
        let places: Vec<(usize, Uuid)> = statement.iter().map(|(place, row)| (*place, row.game.uuid())).collect();
        let added = append_of_different_games(connection, statement, unsafe_durability).await?;
        for (place, game) in places {
            if added.contains(&game) {
                outcomes[place] = Outcome::Committed;
            }
        }
    }
    // The log refused it, or the server would not have kept it.
    if !unsafe_durability && outcomes.contains(&Outcome::Refused) {
        Durability::read(connection).await?.check()?;
    }
    Ok(outcomes)
}

async fn append_of_different_games(
    connection: &mut PgConnection,
    rows: Vec<(usize, Append)>,
    unsafe_durability: bool,
) -> Result<HashSet<Uuid>, StoreError> {
    let now = clock::unix_ms();
    let mut columns = Columns::default();
    for (_, row) in rows {
        columns.push(row, now);
    }
    let added: Vec<Uuid> = sqlx::query_scalar(APPEND)
        .bind(columns.game)
        .bind(columns.seq)
        .bind(columns.count)
        .bind(columns.epoch)
        .bind(columns.batch)
        .bind(columns.body)
        .bind(columns.checksum)
        .bind(columns.previous_seq)
        .bind(columns.previous_batch)
        .bind(columns.phase)
        .bind(columns.ended_at_ms)
        .bind(columns.closed)
        .bind(now)
        .bind(unsafe_durability)
        .fetch_all(connection)
        .await?;
    Ok(added.into_iter().collect())
}

/// Rows turned into arrays, one per column.
#[derive(Default)]
struct Columns {
    game: Vec<Uuid>,
    seq: Vec<i64>,
    count: Vec<i64>,
    epoch: Vec<i64>,
    batch: Vec<i64>,
    body: Vec<String>,
    checksum: Vec<i64>,
    previous_seq: Vec<i64>,
    previous_batch: Vec<i64>,
    phase: Vec<Option<&'static str>>,
    ended_at_ms: Vec<Option<i64>>,
    closed: Vec<i32>,
}

impl Columns {
    fn push(&mut self, row: Append, now: i64) {
        self.checksum.push(i64::from(row.checksum()));
        self.game.push(row.game.uuid());
        self.seq.push(row.seq.cast_signed());
        self.count.push(i64::from(row.count));
        self.epoch.push(row.epoch.cast_signed());
        self.batch.push(row.batch.cast_signed());
        self.body.push(row.body);
        self.previous_seq.push(row.previous.seq.cast_signed());
        self.previous_batch.push(row.previous.batch.cast_signed());
        let ended = |closed: bool| closed.then_some(now);
        self.phase.push(row.phase.map(|change| change.phase.as_str()));
        self.ended_at_ms.push(row.phase.and_then(|change| change.ended_at_ms.or_else(|| ended(change.closed))));
        self.closed.push(row.phase.map_or(0, |change| i32::from(change.closed)));
    }
}

/// See [`crate::store::Store::read_log_page`].
async fn read_page(connection: &mut PgConnection, game: GameId, from_seq: u64) -> Result<Vec<LogRow>, StoreError> {
    // There are no rows beyond the largest number of the table.
    let Ok(from) = i64::try_from(from_seq) else { return Ok(Vec::new()) };
    let rows: Vec<StoredLogRow> = sqlx::query_as(sql::PAGE)
        .bind(game.uuid())
        .bind(from)
        .bind(i64::from(PAGE_ROWS))
        .bind(i64::from(PAGE_BYTES))
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(|row| row.read(game)).collect()
}

/// Reads on another connection than the one that appends, because that one may wait for the very row that is requested.
/// This read sees what was committed before: it uses the same primary and a new snapshot.
async fn head(connection: &mut PgConnection, game: GameId) -> Result<Option<Head>, StoreError> {
    let row = sqlx::query_as(sql::HEAD).bind(game.uuid()).fetch_optional(connection).await?;
    Ok(row.map(StoredHead::read))
}
