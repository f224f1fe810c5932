//! Snapshots of games, as the store's callers see them: copies of a state, kept in parts; only the log is authoritative.
//!
//! Written and read by the game registry, read by `verify`. The content of a body belongs to the engine: it is never
//! read here, and never printed.

use std::fmt;

use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use super::row::Head;
use super::stored::StoredHead;
use crate::clock;
use crate::store::columns::from_row;
use crate::store::connection::{Statement, sql};
use crate::store::engine::{Engine, Store};
use crate::store::error::StoreError;

/// Bytes of a part. Each part is a transaction of its own, so commits of answers wait for at most one of them.
const PART_BYTES: usize = 256 * 1024;

/// How long after the end of a hold no snapshot of the game is stored: a node that noticed the hold late may still have
/// the earlier state in memory.
pub(in crate::store) const SNAPSHOTS_REFUSED_MS: i64 = 60_000;

/// The superseded snapshots of the game: all except the one with the name `$2` and the newest other one that is
/// complete and belongs to the log. The last part comes first, so that an incomplete one never looks complete.
const SUPERSEDED: &str = "
    SELECT name, part FROM game_snapshot WHERE game_id = $1 AND name NOT IN (
        SELECT s.name FROM game_snapshot s
        WHERE s.game_id = $1 AND s.parts IS NOT NULL AND EXISTS (
            SELECT 1 FROM game_log l WHERE l.game_id = $1 AND l.seq = s.seq AND l.batch = s.batch)
        ORDER BY CASE WHEN s.name = $2 THEN 0 ELSE 1 END, s.seq DESC, s.name LIMIT 2)
    ORDER BY name, part DESC";

/// A copy of a game's state as of a row of its log.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The row after which the state was copied.
    pub head: Head,
    /// Number of the next event.
    pub next_seq: u64,
    /// How `body` is encoded.
    pub format: u32,
    /// The encoded state.
    pub body: Vec<u8>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Snapshot")
            .field("head", &self.head)
            .field("next_seq", &self.next_seq)
            .field("format", &self.format)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

struct Part {
    number: i64,
    head: Head,
    next_seq: u64,
    format: u32,
    /// Only in the last part.
    end: Option<End>,
    body: Vec<u8>,
}

/// The end of a snapshot, which makes it complete.
#[derive(Clone, Copy)]
struct End {
    parts: i64,
    checksum: u32,
}

impl Snapshot {
    /// The parts in the order in which they are stored, at least one.
    fn parts(&self, game: GameId) -> impl Iterator<Item = Part> {
        let count = self.body.len().div_ceil(PART_BYTES).max(1);
        let parts = i64::try_from(count).unwrap_or(i64::MAX);
        let end = End { parts, checksum: self.checksum(game) };
        (0..parts).zip(0..count).map(move |(number, index)| {
            let from = index * PART_BYTES;
            let body = self.body[from..self.body.len().min(from + PART_BYTES)].to_vec();
            let Self { head, next_seq, format, .. } = *self;
            Part { number, head, next_seq, format, end: (number + 1 == parts).then_some(end), body }
        })
    }

    /// CRC-32 of the game's id, the numbers and the body.
    fn checksum(&self, game: GameId) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(game.uuid().as_bytes());
        for number in [self.head.seq, self.head.batch, self.next_seq, u64::from(self.format)] {
            crc.update(&number.to_le_bytes());
        }
        crc.update(&self.body);
        crc.finalize()
    }
}

/// The last part of a stored snapshot, without its body.
struct StoredEnd {
    name: i64,
    next_seq: i64,
    format: i64,
    parts: i64,
    checksum: i64,
}
from_row!(PgRow, SqliteRow => StoredEnd { name, next_seq, format, parts, checksum });

impl StoredEnd {
    /// The snapshot with this body, if the checksum matches.
    fn read(&self, game: GameId, head: Head, body: Vec<u8>) -> Option<Snapshot> {
        let format = u32::try_from(self.format).ok()?;
        let snapshot = Snapshot { head, next_seq: self.next_seq.cast_unsigned(), format, body };
        (self.checksum == i64::from(snapshot.checksum(game))).then_some(snapshot)
    }
}

/// Copies of states. Every part and every deletion is a transaction of its own, so that commits of answers come in
/// between, and none takes longer than a statement may.
impl Store {
    /// Stores a copy of a game's state in parts, each committed by itself; the copy is complete with the last part.
    /// Then deletes every other copy except the newest complete one whose head is in the log. When it is cancelled or
    /// fails, it leaves parts that the next call deletes.
    pub async fn put_snapshot(&self, game: GameId, snapshot: Snapshot) -> Result<(), StoreError> {
        let name: i64 = rand::random();
        for part in snapshot.parts(game) {
            let bytes = part.body.len();
            self.change(add(game, name, part)).await?;
            if let Engine::Sqlite(file) = &self.engine {
                file.wrote(bytes);
            }
        }
        let superseded: Vec<(i64, i64)> = self.rows(sql(SUPERSEDED).bind(game).bind(name)).await?;
        for (name, part) in superseded {
            let delete = sql("DELETE FROM game_snapshot WHERE game_id = $1 AND name = $2 AND part = $3");
            self.change(delete.bind(game).bind(name).bind(part)).await?;
        }
        Ok(())
    }

    /// The heads of the game's complete snapshots, newest first. The caller has to check that a head is still in the
    /// log.
    pub async fn snapshot_heads(&self, game: GameId) -> Result<Vec<Head>, StoreError> {
        let select = sql("
            SELECT DISTINCT seq, batch FROM game_snapshot WHERE game_id = $1 AND parts IS NOT NULL ORDER BY seq DESC, batch");
        let heads = self.rows(select.bind(game)).await?;
        Ok(heads.into_iter().map(StoredHead::read).collect())
    }

    /// The snapshot with this head; `None` when it does not exist, is incomplete, or its checksum does not match.
    pub async fn snapshot(&self, game: GameId, head: Head) -> Result<Option<Snapshot>, StoreError> {
        let complete = sql("
            SELECT name, next_seq, format, parts, checksum FROM game_snapshot
            WHERE game_id = $1 AND seq = $2 AND batch = $3 AND parts IS NOT NULL ORDER BY name");
        let complete = complete.bind(game).bind(head.seq.cast_signed()).bind(head.batch.cast_signed());
        let ends: Vec<StoredEnd> = self.rows(complete).await?;
        for end in ends {
            let body = readable(self.snapshot_body(game, &end).await)?.flatten();
            if let Some(snapshot) = body.and_then(|body| end.read(game, head, body)) {
                return Ok(Some(snapshot));
            }
        }
        Ok(None)
    }

    /// The joined parts; `None` when one is missing.
    async fn snapshot_body(&self, game: GameId, end: &StoredEnd) -> Result<Option<Vec<u8>>, StoreError> {
        let mut body = Vec::new();
        for number in 0..end.parts {
            let part = sql("SELECT body FROM game_snapshot WHERE game_id = $1 AND name = $2 AND part = $3");
            let part: Option<(Vec<u8>,)> = self.row(part.bind(game).bind(end.name).bind(number)).await?;
            let Some((part,)) = part else { return Ok(None) };
            body.extend(part);
        }
        Ok(Some(body))
    }
}

/// Adds a part of the snapshot `name`, unless data of the game are being erased or were erased in the last minute: the
/// state may contain what is to be erased.
fn add(game: GameId, name: i64, part: Part) -> Statement {
    let add = sql("
        INSERT INTO game_snapshot (game_id, name, part, seq, batch, next_seq, format, parts, checksum, body)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
        WHERE NOT EXISTS (SELECT 1 FROM game_hold WHERE game_id = $1 AND until_ms > $11)");
    let add = add.bind(game).bind(name).bind(part.number);
    let add = add.bind(part.head.seq.cast_signed()).bind(part.head.batch.cast_signed());
    let add = add.bind(part.next_seq.cast_signed()).bind(part.format);
    let add = add.bind(part.end.map(|end| end.parts)).bind(part.end.map(|end| i64::from(end.checksum)));
    add.bind(part.body).bind(clock::unix_ms() - SNAPSHOTS_REFUSED_MS)
}

/// Reads a damaged snapshot as missing: other snapshots and the log remain.
fn readable<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_damage() => Ok(None),
        Err(error) => Err(error),
    }
}
