//! Unit tests of `store::log::snapshots`.

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
