//! Snapshots of games in the store, on every engine: stored in parts, complete or not visible, never more than two.

use quizhall::store::{Head, Outcome, Snapshot, Store};
use quizhall_rules::GameId;
use tokio::sync::oneshot;

use crate::store_stage::{RawSql, a_game, append_one, head_of, next, on_every_engine_with_sql};

on_every_engine_with_sql! {
    a_snapshot_reads_as_it_was_written
    the_newest_two_are_kept
    another_games_snapshots_are_left_alone
    one_that_was_not_finished_is_not_seen_and_is_cleaned_up
    a_damaged_one_is_not_returned
    an_entry_without_a_row_in_the_log_makes_room
    answers_are_committed_while_a_large_one_is_written
}

async fn a_snapshot_reads_as_it_was_written(store: &Store, _: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    assert_eq!(store.snapshot_heads(game).await.unwrap(), []);
    assert_eq!(store.snapshot(game, head).await.unwrap(), None);
    let mut last = head;
    for bytes in [0, 1, 256 * 1024, 700_000] {
        last = grow(store, game, last).await;
        let snapshot = Snapshot { format: u32::MAX, next_seq: u64::MAX, ..of(last, bytes) };
        store.put_snapshot(game, snapshot.clone()).await.unwrap();
        assert_eq!(store.snapshot_heads(game).await.unwrap().first(), Some(&last));
        assert!(store.snapshot(game, last).await.unwrap() == Some(snapshot), "{bytes} bytes");
        let elsewhere = Head { batch: last.batch ^ 1, ..last };
        assert_eq!(store.snapshot(game, elsewhere).await.unwrap(), None);
    }
}

async fn the_newest_two_are_kept(store: &Store, mut raw_sql: RawSql) {
    let (game, mut head) = a_game(store, "AAAAAA").await;
    let mut heads = Vec::new();
    for _ in 0..4 {
        store.put_snapshot(game, of(head, 600_000)).await.unwrap();
        heads.insert(0, head);
        head = grow(store, game, head).await;
    }
    assert_eq!(store.snapshot_heads(game).await.unwrap(), heads[..2]);
    assert_eq!(parts(&mut raw_sql, game).await, 6);
    // The same snapshot again, as from two nodes that both have the game's state.
    store.put_snapshot(game, of(heads[0], 10)).await.unwrap();
    assert!(store.snapshot(game, heads[0]).await.unwrap().is_some());
    assert!(parts(&mut raw_sql, game).await <= 4);
}

async fn another_games_snapshots_are_left_alone(store: &Store, mut raw_sql: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    let (other, head_of_other) = a_game(store, "BBBBBB").await;
    store.put_snapshot(other, of(head_of_other, 10)).await.unwrap();
    // Another node has begun to write one at this moment.
    assert_eq!(raw_sql.execute(INCOMPLETE, other).await, 1);
    let mut last = head;
    for _ in 0..3 {
        store.put_snapshot(game, of(last, 10)).await.unwrap();
        last = grow(store, game, last).await;
    }
    assert_eq!(store.snapshot_heads(other).await.unwrap(), [head_of_other]);
    assert_eq!(parts(&mut raw_sql, other).await, 2);
}

const INCOMPLETE: &str = "
    INSERT INTO game_snapshot (game_id, name, part, seq, batch, next_seq, format, body)
    SELECT game_id, 1, 0, seq, batch, 1, 1, body FROM game_snapshot WHERE game_id = $1";

async fn one_that_was_not_finished_is_not_seen_and_is_cleaned_up(store: &Store, mut raw_sql: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    store.put_snapshot(game, of(head, 600_000)).await.unwrap();
    // As after a crash before the last part.
    assert_eq!(raw_sql.execute("DELETE FROM game_snapshot WHERE game_id = $1 AND part = 2", game).await, 1);
    assert_eq!(store.snapshot_heads(game).await.unwrap(), []);
    assert_eq!(store.snapshot(game, head).await.unwrap(), None);
    let later = grow(store, game, head).await;
    store.put_snapshot(game, of(later, 10)).await.unwrap();
    assert_eq!(store.snapshot_heads(game).await.unwrap(), [later]);
    assert_eq!(parts(&mut raw_sql, game).await, 1);
}

async fn a_damaged_one_is_not_returned(store: &Store, mut raw_sql: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    let damages = [
        "DELETE FROM game_snapshot WHERE game_id = $1 AND part = 1",
        "UPDATE game_snapshot SET body = (SELECT body FROM game_snapshot WHERE game_id = $1 AND part = 0 LIMIT 1)
         WHERE game_id = $1 AND part = 1",
        "UPDATE game_snapshot SET next_seq = next_seq + 1 WHERE game_id = $1",
        "UPDATE game_snapshot SET format = 7 WHERE game_id = $1",
        "UPDATE game_snapshot SET checksum = checksum + 1 WHERE game_id = $1",
    ];
    let snapshot = of(head, 600_000);
    for damage in damages {
        store.put_snapshot(game, snapshot.clone()).await.unwrap();
        assert!(store.snapshot(game, head).await.unwrap().is_some());
        assert!(raw_sql.execute(damage, game).await > 0);
        assert_eq!(store.snapshot(game, head).await.unwrap(), None, "{damage}");
        // Another snapshot for the same row replaces it.
        store.put_snapshot(game, snapshot.clone()).await.unwrap();
        assert!(store.snapshot(game, head).await.unwrap() == Some(snapshot.clone()), "after {damage}");
        raw_sql.execute("DELETE FROM game_snapshot WHERE game_id = $1", game).await;
    }
    store.put_snapshot(game, snapshot).await.unwrap();
    let (other, _) = a_game(store, "BBBBBB").await;
    let moved = "UPDATE game_snapshot SET game_id = $1 WHERE game_id <> $1";
    assert_eq!(raw_sql.execute(moved, other).await, 3);
    assert_eq!(store.snapshot_heads(other).await.unwrap(), [head]);
    assert_eq!(store.snapshot(other, head).await.unwrap(), None, "it is another game's");
}

async fn an_entry_without_a_row_in_the_log_makes_room(store: &Store, mut raw_sql: RawSql) {
    // The database was set back while the snapshots were not: those of the lost rows must not occupy the places for ever.
    let (game, first) = a_game(store, "AAAAAA").await;
    let mut head = first;
    for _ in 0..3 {
        head = grow(store, game, head).await;
        store.put_snapshot(game, of(head, 10)).await.unwrap();
    }
    assert_eq!(raw_sql.execute("DELETE FROM game_log WHERE game_id = $1 AND seq > 0", game).await, 3);
    let other = grow(store, game, first).await;
    store.put_snapshot(game, of(other, 10)).await.unwrap();
    assert_eq!(store.snapshot_heads(game).await.unwrap(), [other]);
}

async fn answers_are_committed_while_a_large_one_is_written(store: &Store, _: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    let (busy, mut last) = a_game(store, "BBBBBB").await;
    let (done, mut finished) = oneshot::channel();
    let writing = async {
        store.put_snapshot(game, of(head, 4 << 20)).await.unwrap();
        done.send(()).unwrap();
    };
    let answering = async {
        let mut committed = 0;
        while finished.try_recv().is_err() {
            last = grow(store, busy, last).await;
            committed += 1;
        }
        committed
    };
    // 16 parts, and a chance for another commit between any two of them.
    let ((), committed) = tokio::join!(writing, answering);
    assert!(committed > 4, "only {committed} commits");
}

async fn grow(store: &Store, game: GameId, head: Head) -> Head {
    let row = next(game, head, 1);
    let head = head_of(&row);
    assert_eq!(append_one(store, row).await, Outcome::Committed);
    head
}

fn of(head: Head, bytes: usize) -> Snapshot {
    let body = (0..bytes).map(|at| (at / 7).to_le_bytes()[0]).collect();
    Snapshot { head, next_seq: head.seq + 1, format: 1, body }
}

async fn parts(raw_sql: &mut RawSql, game: GameId) -> i64 {
    raw_sql.count("SELECT count(*) FROM game_snapshot WHERE game_id = $1", game).await
}
