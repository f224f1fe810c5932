//! Heads and ends of many logs at once: when a node dies, all its games are read at the same moment.
//!
//! Each call is one statement on PostgreSQL, whatever the number of logs. Called by `games` through [`Store`].

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::{FromRow as _, PgConnection, Row as _};
use uuid::Uuid;

use super::row::{Head, LogRow, is_last_page};
use super::stored::{StoredHead, StoredLogRow};
use crate::store::engine::{Engine, Store};
use crate::store::error::StoreError;

/// Most rows of one end. More of them, or one that is larger than [`BODY`], are read page by page instead.
const ROWS: usize = 16;
/// Most bytes of the body of a row.
const BODY: i32 = 4_096;

const HEADS: &str = "
    SELECT given.place, log.seq, log.batch FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place)
    CROSS JOIN LATERAL (
        SELECT seq, batch FROM game_log WHERE game_id = given.id ORDER BY seq DESC LIMIT 1
    ) AS log";

/// The rows of each log from a known one on, which comes without its body.
const ENDS: &str = "
    SELECT given.place, log.seq, log.n, log.epoch, log.batch, log.checksum, log.at_ms,
        octet_length(log.body) > $3 AS is_large,
        CASE WHEN log.seq = given.seq OR octet_length(log.body) > $3 THEN '' ELSE log.body END AS body
    FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS given (id, seq, place)
    CROSS JOIN LATERAL (
        SELECT * FROM game_log WHERE game_id = given.id AND seq >= given.seq ORDER BY seq LIMIT $4
    ) AS log
    ORDER BY given.place, log.seq";

/// The end of a log that is wanted: all rows after a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogEnd {
    /// The game.
    pub game: GameId,
    /// The known row.
    pub after: Head,
    /// Number of the first event after it.
    pub next: u64,
}

/// Logs of many games.
impl Store {
    /// The last row of each log, in the order of the games, read after everything committed so far; `None` for a log without
    /// rows.
    pub async fn heads(&self, games: Arc<[GameId]>) -> Result<Vec<Option<Head>>, StoreError> {
        match &self.engine {
            Engine::Sqlite(_) => {
                let mut heads = Vec::with_capacity(games.len());
                for game in games.iter() {
                    heads.push(self.head(*game).await?);
                }
                Ok(heads)
            }
            Engine::Postgres(server) => {
                server.cold.read(move |connection| heads(connection, Arc::clone(&games)).boxed()).await
            }
        }
    }

    /// The rows after the known one of each log, in the order of the requests. `None` when the log does not have that row,
    /// when a row after it is damaged, and when they are too many or too large for this: then
    /// [`read_log_page`](Store::read_log_page) shows what is the matter.
    pub async fn log_ends(&self, wanted: Arc<[LogEnd]>) -> Result<Vec<Option<Vec<LogRow>>>, StoreError> {
        match &self.engine {
            Engine::Sqlite(_) => {
                let mut ends = Vec::with_capacity(wanted.len());
                for end in wanted.iter() {
                    let page = match self.read_log_page(end.game, end.after.seq).await {
                        Ok(page) => page,
                        Err(error) if error.is_damage() => Vec::new(),
                        Err(error) => return Err(error),
                    };
                    ends.push(is_last_page(&page).then(|| end.of(page)).flatten());
                }
                Ok(ends)
            }
            Engine::Postgres(server) => {
                server.cold.read(move |connection| ends(connection, Arc::clone(&wanted)).boxed()).await
            }
        }
    }
}

impl LogEnd {
    /// The rows after the known one, if that is the first of these.
    fn of(&self, mut rows: Vec<LogRow>) -> Option<Vec<LogRow>> {
        let known = rows.first()?;
        let is_known = Head { seq: known.seq, batch: known.batch } == self.after
            && known.seq.checked_add(known.count.into()) == Some(self.next);
        is_known.then(|| rows.split_off(1))
    }
}

async fn heads(connection: &mut PgConnection, games: Arc<[GameId]>) -> Result<Vec<Option<Head>>, StoreError> {
    let ids: Vec<Uuid> = games.iter().map(|game| game.uuid()).collect();
    let rows = sqlx::query(HEADS).bind(ids).fetch_all(connection).await?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        found.insert(row.try_get::<i64, _>("place")?, StoredHead::from_row(row)?.read());
    }
    Ok((1..).take(games.len()).map(|place| found.get(&place).copied()).collect())
}

async fn ends(connection: &mut PgConnection, wanted: Arc<[LogEnd]>) -> Result<Vec<Option<Vec<LogRow>>>, StoreError> {
    let (ids, seqs): (Vec<Uuid>, Vec<i64>) =
        wanted.iter().map(|end| (end.game.uuid(), end.after.seq.cast_signed())).unzip();
    // With the known row, and one more to see that there are too many.
    let most = i64::try_from(ROWS + 2).unwrap_or(i64::MAX);
    let rows = sqlx::query(ENDS).bind(ids).bind(seqs).bind(BODY).bind(most).fetch_all(connection).await?;
    let mut found: HashMap<i64, Option<Vec<LogRow>>> = HashMap::with_capacity(wanted.len());
    for row in &rows {
        let place: i64 = row.try_get("place")?;
        let Some(end) = usize::try_from(place).ok().and_then(|place| wanted.get(place - 1)) else { continue };
        let so_far = found.entry(place).or_insert_with(|| Some(Vec::new()));
        let Some(rows) = so_far else { continue };
        let stored = StoredLogRow::from_row(row)?;
        let read = if rows.is_empty() {
            stored.read_unchecked().ok()
        } else if row.try_get("is_large")? {
            None
        } else {
            stored.read(end.game).ok()
        };
        match read {
            Some(read) if rows.len() <= ROWS => rows.push(read),
            _ => *so_far = None,
        }
    }
    let taken =
        (1..).zip(wanted.iter()).map(|(place, end)| found.remove(&place).flatten().and_then(|rows| end.of(rows)));
    Ok(taken.collect())
}
