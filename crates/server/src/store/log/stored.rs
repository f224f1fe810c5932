//! Rows of logs as the engines return them, and their conversion to rows of the service.

use quizhall_rules::GameId;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgRow, PgTypeInfo, PgValueRef};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Type};

use super::row::{Head, LogRow};
use crate::store::columns::from_row;
use crate::store::error::StoreError;

pub(in crate::store) struct StoredHead {
    seq: i64,
    batch: i64,
}
from_row!(PgRow, SqliteRow => StoredHead { seq, batch });

impl StoredHead {
    pub(in crate::store) fn read(self) -> Head {
        Head { seq: self.seq.cast_unsigned(), batch: self.batch.cast_unsigned() }
    }
}

pub(in crate::store) struct StoredLogRow {
    pub(in crate::store) seq: i64,
    pub(in crate::store) n: i64,
    pub(in crate::store) epoch: i64,
    pub(in crate::store) batch: i64,
    pub(in crate::store) checksum: Option<i64>,
    pub(in crate::store) at_ms: Option<i64>,
    pub(in crate::store) body: RawText,
}
from_row!(PgRow => StoredLogRow { seq, n, epoch, batch, checksum, at_ms, body });

impl StoredLogRow {
    /// The row, if it is what was written to the log of `game`. A row without a checksum (of an earlier version) is
    /// accepted.
    pub(in crate::store) fn read(self, game: GameId) -> Result<LogRow, StoreError> {
        let (seq, checksum) = (self.seq.cast_unsigned(), self.checksum);
        let row = self.read_unchecked()?;
        match checksum {
            Some(checksum) if checksum != i64::from(row.checksum(game)) => {
                Err(StoreError::DamagedRow { seq, what: "its checksum does not match" })
            }
            _ => Ok(row),
        }
    }

    /// The row whether or not its checksum matches, for one that was selected without its body.
    pub(in crate::store) fn read_unchecked(self) -> Result<LogRow, StoreError> {
        let seq = self.seq.cast_unsigned();
        let damaged = |what| StoreError::DamagedRow { seq, what };
        Ok(LogRow {
            seq,
            count: u32::try_from(self.n).map_err(|_| damaged("it cannot hold so many events"))?,
            epoch: self.epoch.cast_unsigned(),
            batch: self.batch.cast_unsigned(),
            at_ms: self.at_ms.and_then(|at| u64::try_from(at).ok()),
            body: String::from_utf8(self.body.0).map_err(|_| damaged("it is not UTF-8"))?,
        })
    }
}

/// The bytes of a text: a damaged one need not be UTF-8.
pub(in crate::store) struct RawText(pub(in crate::store) Vec<u8>);

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
