//! The log of a game, which is also its lock: a row is inserted only after the row that its writer saw last.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use quizhall_rules::GameId;
use sqlx::{AssertSqlSafe, SqliteConnection, SqlitePool};
use uuid::Uuid;

use super::row::{Append, Head, LogRow, Outcome, PAGE_BYTES, PAGE_ROWS, PhaseChange, of_different_games};
use super::sql;
use super::stored::{RawText, StoredHead, StoredLogRow};
use crate::clock;
use crate::store::error::StoreError;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::checkpoint::PAGE;
use futures_util::FutureExt as _;

/// Most rows that one statement appends; more rows need several. Each statement costs two thread switches, whatever it
/// does.
const MOST_ROWS: usize = 1 << (SIZES - 1);

/// Statements for 1, 2, 4, … rows; empty rows fill the remaining places.
const SIZES: usize = 8;

/// Numbers before each body in the result of [`READ`].
const NUMBERS: usize = 7;

/// A page of a log as one text: for each row four numbers, the checksum and the time (-1: none), the length of its body and
/// the body. Reading a single row costs two thread switches, and a small game's log is a hundred small rows.
macro_rules! read {
    ($at:literal) => {
        concat!(
            "
    SELECT COALESCE(group_concat(
        seq || ' ' || n || ' ' || epoch || ' ' || batch || ' ' || COALESCE(checksum, -1) || ' ' || COALESCE(at_ms, -1)
            || ' ' || octet_length(body) || ' ' || body, ''), '')
    FROM (",
            sql::page!($at),
            ")"
        )
    };
}
const READ: &str = read!("at_ms");
/// The same of a file of a version without times, such as an old backup that is verified before it is restored.
const READ_WITHOUT_TIMES: &str = read!("NULL AS at_ms");

/// The chained append of many games. A stale writer finds its number taken; a pipelined or rewound writer finds no
/// predecessor. In both cases its row is not added. A plain unique (game, seq) would not be a fence: two writers with
/// different histories could take turns. It returns only the number of rows added, because each returned row costs
/// another thread switch, before the sync.
static APPEND: LazyLock<[Arc<str>; SIZES]> = LazyLock::new(|| std::array::from_fn(|size| append_of(1 << size).into()));

/// Values of one row of a statement.
const PLACES: usize = 9;

/// Whether a log has this row.
const NAMED: &str = "SELECT EXISTS (SELECT 1 FROM game_log WHERE game_id = $1 AND seq = $2 AND batch = $3)";

const PROJECT: &str = "
    UPDATE game
    SET phase = $2, ended_at_ms = COALESCE(ended_at_ms, $3), closed = MAX(closed, $4),
        closed_at_ms = COALESCE(closed_at_ms, $5)
    WHERE id = $1";

/// Records that a game is in use.
const TOUCH: &str = "UPDATE game SET active_at_ms = $2 WHERE id = $1 AND active_at_ms < $2";

fn append_of(rows: usize) -> String {
    let mut sql = "
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body, checksum, at_ms)
    SELECT g.column1, g.column2, g.column3, g.column4, g.column5, g.column6, g.column9, ? FROM (VALUES "
        .to_owned();
    // Parameters without numbers: the driver looks up the name of each parameter, and a number is one.
    let row = format!("({})", ["?"; PLACES].join(", "));
    sql.push_str(&vec![row; rows].join(", "));
    sql.push_str(
        ") g
    WHERE EXISTS (
        SELECT 1 FROM game_log p
        WHERE p.game_id = g.column1 AND p.seq = g.column7 AND p.batch = g.column8 AND p.seq + p.n = g.column2)
    ON CONFLICT (game_id, seq) DO NOTHING",
    );
    sql
}

/// The log on this engine; see [`Store`](crate::store::Store).
impl SqliteStore {
    pub(in crate::store) async fn append(&self, rows: Vec<Append>) -> Result<Vec<Outcome>, StoreError> {
        let (touch, pages) = (self.touched.due(rows.iter().map(|row| row.game)), pages(&rows));
        let appended = if is_one_statement(&rows, &touch) {
            self.log.with(&self.gate, move |connection| append(connection, rows, Vec::new()).boxed()).await
        } else {
            let touch = touch.clone();
            self.log.write(&self.gate, move |connection| append(connection, rows, touch).boxed()).await
        };
        self.proof.note(appended.is_ok());
        let outcomes = appended?;
        self.touched.done(touch);
        self.checkpoints.written(pages);
        Ok(outcomes)
    }

    pub(in crate::store) async fn read_log_page(&self, game: GameId, from_seq: u64) -> Result<Vec<LogRow>, StoreError> {
        read_page(&self.readers, game, from_seq).await
    }

    pub(in crate::store) async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        self.log.with(&self.gate, move |connection| head(connection, game).boxed()).await
    }
}

/// Roughly how many pages of the file these rows write: two for each row, because games are apart from each other and a
/// full page is divided (2.1 were seen with a thousand small games), and the pages for bodies that do not fit.
fn pages(rows: &[Append]) -> u64 {
    rows.iter().map(|row| 2 + (row.body.len() / PAGE) as u64).sum()
}

/// Appends or refuses each row, and records that the games in `touch` are in use. The caller holds a transaction,
/// unless all of it is a single statement ([`is_one_statement`]).
async fn append(
    connection: &mut SqliteConnection,
    rows: Vec<Append>,
    touch: Vec<GameId>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = vec![Outcome::Refused; rows.len()];
    for statement in of_different_games(rows, MOST_ROWS) {
        let rows: Vec<_> = statement.iter().map(|(place, row)| (*place, row.game, row.phase)).collect();
        let added = append_at_once(connection, statement).await?;
        for (place, game, phase) in rows.into_iter().filter(|(_, game, _)| added.contains(&game.uuid())) {
            outcomes[place] = Outcome::Committed;
            if touch.contains(&game) {
                sqlx::query(TOUCH).bind(game.uuid()).bind(clock::unix_ms()).execute(&mut *connection).await?;
            }
            if let Some(change) = phase {
                project(connection, game, change).await?;
            }
        }
    }
    Ok(outcomes)
}

/// Whether these rows need no transaction around them: a statement is one by itself.
fn is_one_statement(rows: &[Append], touch: &[GameId]) -> bool {
    let mut games = HashSet::new();
    let alike = rows.iter().all(|row| row.phase.is_none() && games.insert(row.game));
    alike && touch.is_empty() && rows.len() <= MOST_ROWS
}

/// Appends rows of different games, at most [`MOST_ROWS`]; returns the games whose rows were added.
async fn append_at_once(
    connection: &mut SqliteConnection,
    rows: Vec<(usize, Append)>,
) -> Result<HashSet<Uuid>, StoreError> {
    let named: Vec<_> = rows.iter().map(|(_, row)| (row.game.uuid(), row.seq, row.batch)).collect();
    let size = rows.len().next_power_of_two();
    let empty = size - rows.len();
    let statement = &APPEND[size.trailing_zeros() as usize];
    let mut query = sqlx::query(AssertSqlSafe(Arc::clone(statement))).bind(clock::unix_ms());
    for (_, row) in rows {
        let checksum = i64::from(row.checksum());
        query = query
            .bind(row.game.uuid())
            .bind(row.seq.cast_signed())
            .bind(i64::from(row.count))
            .bind(row.epoch.cast_signed())
            .bind(row.batch.cast_signed())
            .bind(row.body)
            .bind(row.previous.seq.cast_signed())
            .bind(row.previous.batch.cast_signed())
            .bind(checksum);
    }
    for _ in 0..empty * PLACES {
        query = query.bind(None::<i64>);
    }
    let added = query.execute(&mut *connection).await?.rows_affected();
    if added == named.len() as u64 {
        return Ok(named.into_iter().map(|(game, ..)| game).collect());
    }
    if added == 0 {
        return Ok(HashSet::new());
    }
    // Rows are never removed from a log, and the name of a row is unique. So a row that is there now was added by this
    // statement or, when a writer repeats itself, by an earlier one.
    let mut there = HashSet::new();
    for (game, seq, batch) in named {
        let named = sqlx::query_scalar(NAMED).bind(game).bind(seq.cast_signed()).bind(batch.cast_signed());
        if named.fetch_one(&mut *connection).await? {
            there.insert(game);
        }
    }
    Ok(there)
}

async fn project(connection: &mut SqliteConnection, game: GameId, change: PhaseChange) -> Result<(), StoreError> {
    let closed_at_ms = change.closed.then(clock::unix_ms);
    let ended_at_ms = change.ended_at_ms.or(closed_at_ms);
    sqlx::query(PROJECT)
        .bind(game.uuid())
        .bind(change.phase.as_str())
        .bind(ended_at_ms)
        .bind(i64::from(change.closed))
        .bind(closed_at_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// See [`crate::store::Store::read_log_page`].
pub(in crate::store) async fn read_page(
    readers: &SqlitePool,
    game: GameId,
    from_seq: u64,
) -> Result<Vec<LogRow>, StoreError> {
    // There are no rows beyond the largest number of the file.
    let Ok(from) = i64::try_from(from_seq) else { return Ok(Vec::new()) };
    let read = |statement| sqlx::query_scalar(statement).bind(game.uuid()).bind(from).bind(PAGE_ROWS).bind(PAGE_BYTES);
    let page: Vec<u8> = match read(READ).fetch_one(readers).await {
        Err(error) if lacks_times(&error) => read(READ_WITHOUT_TIMES).fetch_one(readers).await?,
        page => page?,
    };
    split(&page, game)
}

/// Whether the file has no times.
fn lacks_times(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message() == "no such column: at_ms")
}

/// The rows of a page from the text that [`READ`] makes, in order.
fn split(mut page: &[u8], game: GameId) -> Result<Vec<LogRow>, StoreError> {
    let corrupt = || StoreError::Corrupt("a page of the log");
    let mut stored = Vec::new();
    while !page.is_empty() {
        let mut numbers = [0_i64; NUMBERS];
        for number in &mut numbers {
            let end = page.iter().position(|byte| *byte == b' ').ok_or_else(corrupt)?;
            let text = std::str::from_utf8(&page[..end]).map_err(|_| corrupt())?;
            *number = text.parse().map_err(|_| corrupt())?;
            page = &page[end + 1..];
        }
        let [seq, n, epoch, batch, checksum, at_ms, length] = numbers;
        let (body, rest) = usize::try_from(length).ok().and_then(|at| page.split_at_checked(at)).ok_or_else(corrupt)?;
        page = rest;
        let [checksum, at_ms] = [checksum, at_ms].map(|number| (number != -1).then_some(number));
        stored.push(StoredLogRow { seq, n, epoch, batch, checksum, at_ms, body: RawText(body.to_vec()) });
    }
    // The rows were selected in order, but the order in which they are joined is not guaranteed.
    stored.sort_unstable_by_key(|row| row.seq);
    stored.into_iter().map(|row| row.read(game)).collect()
}

pub(in crate::store) async fn head(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<Option<Head>, StoreError> {
    let row = sqlx::query_as(sql::HEAD).bind(game.uuid()).fetch_optional(connection).await?;
    Ok(row.map(StoredHead::read))
}
