//! Rows in the form in which both engines give them back, and what they are to the service.

use std::time::Duration;

use quizhall_rules::{GameId, Phase};
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgRow, PgTypeInfo, PgValueRef};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Type};
use uuid::Uuid;

use super::columns::from_row;
use super::{GameRow, HASH_BYTES, Head, Hold, Listed, LogRow, NodeReport, NodeRow, OwnerRow, StoreError};

pub(super) struct StoredGame {
    id: Uuid,
    host_id: Uuid,
    quiz_id: Option<Uuid>,
    code: String,
    title: String,
    phase: String,
    closed: i32,
    created_at_ms: i64,
    ended_at_ms: Option<i64>,
    damaged: i32,
}
from_row!(PgRow, SqliteRow => StoredGame {
    id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged
});

impl StoredGame {
    pub(super) fn read(self) -> Result<GameRow, StoreError> {
        Ok(GameRow {
            id: GameId::from(self.id),
            host: self.host_id.into(),
            quiz: self.quiz_id,
            code: self.code,
            title: self.title,
            phase: phase(&self.phase)?,
            closed: self.closed != 0,
            created_at_ms: self.created_at_ms,
            ended_at_ms: self.ended_at_ms,
            damaged: self.damaged != 0,
        })
    }
}

pub(super) struct StoredListed {
    id: Uuid,
    closed: i32,
    has_line: i32,
}
from_row!(PgRow, SqliteRow => StoredListed { id, closed, has_line });

impl StoredListed {
    pub(super) fn read(self) -> Listed {
        Listed { game: GameId::from(self.id), closed: self.closed != 0, has_line: self.has_line != 0 }
    }
}

fn phase(word: &str) -> Result<Phase, StoreError> {
    [Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard, Phase::Ended]
        .into_iter()
        .find(|phase| phase.as_str() == word)
        .ok_or(StoreError::Corrupt("a game's phase"))
}

pub(super) struct StoredHead {
    seq: i64,
    batch: i64,
}
from_row!(PgRow, SqliteRow => StoredHead { seq, batch });

impl StoredHead {
    pub(super) fn read(self) -> Head {
        Head { seq: self.seq.cast_unsigned(), batch: self.batch.cast_unsigned() }
    }
}

pub(super) struct StoredLogRow {
    pub(super) seq: i64,
    pub(super) n: i64,
    pub(super) epoch: i64,
    pub(super) batch: i64,
    pub(super) checksum: Option<i64>,
    pub(super) body: RawText,
}
from_row!(PgRow => StoredLogRow { seq, n, epoch, batch, checksum, body });

impl StoredLogRow {
    /// The row, if it is what was written to the log of `game`. One without a checksum (of a version before) is believed.
    pub(super) fn read(self, game: GameId) -> Result<LogRow, StoreError> {
        let seq = self.seq.cast_unsigned();
        let damaged = |what| StoreError::DamagedRow { seq, what };
        let row = LogRow {
            seq,
            count: u32::try_from(self.n).map_err(|_| damaged("it cannot hold so many events"))?,
            epoch: self.epoch.cast_unsigned(),
            batch: self.batch.cast_unsigned(),
            body: String::from_utf8(self.body.0).map_err(|_| damaged("it is not UTF-8"))?,
        };
        match self.checksum {
            Some(checksum) if checksum != i64::from(row.checksum(game)) => Err(damaged("its checksum does not match")),
            _ => Ok(row),
        }
    }
}

/// A text as its bytes: a damaged one need not be UTF-8.
pub(super) struct RawText(pub(super) Vec<u8>);

impl Type<Postgres> for RawText {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }
}

impl Decode<'_, Postgres> for RawText {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_bytes()?.to_vec()))
    }
}

pub(super) struct StoredNode {
    id: Uuid,
    name: String,
    version: String,
    age_ms: i64,
    up_ms: i64,
    games: i64,
    sockets: i64,
    bus_lag_us: Option<i64>,
    draining: i32,
}
from_row!(PgRow, SqliteRow => StoredNode { id, name, version, age_ms, up_ms, games, sockets, bus_lag_us, draining });

impl StoredNode {
    pub(super) fn read(self) -> NodeRow {
        NodeRow {
            id: self.id,
            name: self.name,
            version: self.version,
            age: Duration::from_millis(natural(self.age_ms)),
            up: Duration::from_millis(natural(self.up_ms)),
            report: NodeReport {
                games: u32::try_from(self.games).unwrap_or(u32::MAX),
                sockets: u32::try_from(self.sockets).unwrap_or(u32::MAX),
                bus_lag: self.bus_lag_us.map(|lag| Duration::from_micros(natural(lag))),
                draining: self.draining != 0,
            },
        }
    }
}

/// A clock that was set back makes no negative age.
fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) struct StoredOwner {
    owner: Option<Uuid>,
    listed: bool,
}
from_row!(PgRow, SqliteRow => StoredOwner { owner, listed });

impl StoredOwner {
    pub(super) fn read(self) -> OwnerRow {
        OwnerRow { owner: self.owner, listed: self.listed }
    }
}

pub(super) struct StoredHold {
    game_id: Uuid,
    holder: i64,
    held_at_ms: i64,
    until_ms: i64,
}
from_row!(PgRow, SqliteRow => StoredHold { game_id, holder, held_at_ms, until_ms });

impl StoredHold {
    pub(super) fn read(self) -> Hold {
        let game = GameId::from(self.game_id);
        Hold { game, holder: self.holder.cast_unsigned(), held_at_ms: self.held_at_ms, until_ms: self.until_ms }
    }
}

/// Hashes of tokens, as they are stored.
pub(super) fn hashes(stored: Vec<Vec<u8>>) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
    stored
        .into_iter()
        .map(|hash| <[u8; HASH_BYTES]>::try_from(hash).map_err(|_| StoreError::Corrupt("a token's hash")))
        .collect()
}

/// Microseconds of a lag, as they are stored.
pub(super) fn micros(lag: Duration) -> i64 {
    i64::try_from(lag.as_micros()).unwrap_or(i64::MAX)
}

/// Milliseconds of a lease, as they are counted.
pub(super) fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}
