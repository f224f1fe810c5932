//! Snapshots of games as the store takes and gives them: copies of a state, kept in parts, never the truth.
//!
//! Written and read by the game registry, read by `verify`. What is in a body is the engine's business: it is never looked
//! into here, and never printed.

use std::fmt;

use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use super::columns::from_row;
use super::{Head, StoreError};

/// Bytes of a part. Each part is a transaction of its own, so that commits of answers wait for one of them at most.
const PART_BYTES: usize = 256 * 1024;

/// A copy of a game's state behind a row of its log.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The row behind which the state was copied.
    pub head: Head,
    /// Number of the event that follows.
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

/// A part to store.
pub(super) struct Part {
    pub(super) number: i64,
    pub(super) head: Head,
    pub(super) next_seq: u64,
    pub(super) format: u32,
    /// In the last part only.
    pub(super) end: Option<End>,
    pub(super) body: Vec<u8>,
}

/// What makes a snapshot complete.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) parts: i64,
    pub(super) checksum: u32,
}

impl Snapshot {
    /// The parts in the order in which they are stored, at least one.
    pub(super) fn parts(&self, game: GameId) -> impl Iterator<Item = Part> {
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
pub(super) struct StoredEnd {
    pub(super) name: i64,
    next_seq: i64,
    format: i64,
    pub(super) parts: i64,
    checksum: i64,
}
from_row!(PgRow, SqliteRow => StoredEnd { name, next_seq, format, parts, checksum });

impl StoredEnd {
    /// The snapshot with this body, if it is what was stored.
    pub(super) fn read(&self, game: GameId, head: Head, body: Vec<u8>) -> Option<Snapshot> {
        let format = u32::try_from(self.format).ok()?;
        let snapshot = Snapshot { head, next_seq: self.next_seq.cast_unsigned(), format, body };
        (self.checksum == i64::from(snapshot.checksum(game))).then_some(snapshot)
    }
}

/// What a snapshot that is only damaged in itself reads as: there are others, and the log.
pub(super) fn readable<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_damage() => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn snapshot(bytes: usize) -> Snapshot {
        let body = (0..bytes).map(|at| u8::try_from(at % 251).unwrap_or(0)).collect();
        Snapshot { head: Head { seq: 7, batch: 9 }, next_seq: 8, format: 1, body }
    }

    #[test]
    fn parts_hold_the_whole_body_and_only_the_last_completes_it() {
        let game = GameId::from(Uuid::from_u128(1));
        for (bytes, count) in [(0, 1), (1, 1), (PART_BYTES, 1), (PART_BYTES + 1, 2), (3 * PART_BYTES, 3)] {
            let snapshot = snapshot(bytes);
            let parts: Vec<Part> = snapshot.parts(game).collect();
            assert_eq!(parts.len(), count, "{bytes} bytes");
            assert!(parts.iter().all(|part| part.body.len() <= PART_BYTES));
            let ends: Vec<_> = parts.iter().map(|part| part.end.map(|end| end.parts)).collect();
            assert_eq!(ends.iter().filter(|end| end.is_some()).count(), 1);
            assert_eq!(ends.last().copied().flatten(), i64::try_from(count).ok());
            let joined: Vec<u8> = parts.into_iter().flat_map(|part| part.body).collect();
            assert_eq!(joined, snapshot.body);
        }
    }

    #[test]
    fn the_checksum_depends_on_the_game_the_position_and_every_byte() {
        let (game, other) = (GameId::from(Uuid::from_u128(1)), GameId::from(Uuid::from_u128(2)));
        let first = snapshot(100);
        let mut changed = first.clone();
        changed.body[50] ^= 1;
        let moved = Snapshot { next_seq: 9, ..first.clone() };
        let mut seen = vec![first.checksum(game), first.checksum(other), changed.checksum(game), moved.checksum(game)];
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 4);
    }
}
