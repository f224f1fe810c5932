//! Holding, purging and rewriting games in the store, on every engine.

use quizhall::clock;
use quizhall::store::{
    Append, Deleted, Due, GameCreation, Head, Hold, LogRow, NewSession, Outcome, PhaseChange, Snapshot, Store,
};
use quizhall_rules::GameId;

use crate::store_stage::{
    RawSql, a_game, append_one, end, game, head_of, host, next, on_every_engine, on_every_engine_with_sql,
};

on_every_engine! {
    a_game_that_is_played_is_never_held
    of_two_tasks_one_holds_the_game
    deleted_and_old_games_are_due
    a_game_is_deleted_in_bounded_pieces
    the_code_is_held_for_a_day_although_the_game_is_purged
    a_writer_that_has_not_noticed_adds_nothing
    rows_without_a_game_are_found
    old_sessions_and_holds_are_swept
    a_row_is_rewritten_in_place_by_the_owner_of_the_game
    a_held_game_gets_no_snapshot
}

mod lost {
    super::on_every_engine_with_sql! { rows_of_logs_without_a_game_are_found }
    use super::rows_of_logs_without_a_game_are_found;
}

const LATER: i64 = i64::MAX / 2;

fn hold(game: GameId, holder: u64, length_ms: i64) -> Hold {
    let held_at_ms = clock::unix_ms();
    Hold { game, holder, held_at_ms, until_ms: held_at_ms + length_ms }
}

fn due(closed_by_ms: i64, ended_by_ms: Option<i64>) -> Due {
    Due { closed_by_ms, ended_by_ms, code_free_by_ms: 0 }
}

async fn an_ended_game(store: &Store, code: &str, ended_at_ms: i64) -> (GameId, Head) {
    let (game, head) = a_game(store, code).await;
    (game, end(store, game, head, ended_at_ms).await)
}

async fn close(store: &Store, game: GameId, head: Head) -> Head {
    let phase = store.game_by_id(game).await.unwrap().unwrap().phase;
    let phase = PhaseChange { phase, ended_at_ms: None, closed: true };
    let row = Append { phase: Some(phase), ..next(game, head, 1) };
    let head = head_of(&row);
    assert_eq!(append_one(store, row).await, Outcome::Committed);
    head
}

async fn a_game_that_is_played_is_never_held(store: &Store) {
    let (game, head) = a_game(store, "AAAAAA").await;
    for closing in [true, false] {
        assert!(!store.hold_game(hold(game, 1, 60_000), closing).await.unwrap());
    }
    assert!(!store.game_by_id(game).await.unwrap().unwrap().closed, "nothing was changed");
    assert_eq!(store.delete_piece(game).await.unwrap(), None);
    assert_eq!(store.head(game).await.unwrap(), Some(head));
    end(store, game, head, 5).await;
    assert!(store.hold_game(hold(game, 1, 60_000), true).await.unwrap());
    let line = store.game_by_id(game).await.unwrap().unwrap();
    assert_eq!((line.closed, line.ended_at_ms), (true, Some(5)));
}

async fn held_until(store: &Store, game: GameId) -> i64 {
    store.hold_of(game).await.unwrap().unwrap().until_ms
}

async fn of_two_tasks_one_holds_the_game(store: &Store) {
    let (game, _) = an_ended_game(store, "AAAAAA", 5).await;
    let begun = clock::unix_ms();
    let first = hold(game, 1, 60_000);
    let taken = tokio::join!(store.hold_game(first, false), store.hold_game(hold(game, 2, 60_000), false));
    let winner = if taken.0.unwrap() { 1 } else { 2 };
    assert_eq!(winner == 1, !taken.1.unwrap(), "one of the two holds");
    assert!(held_until(store, game).await > clock::unix_ms());
    let holds = store.holds_since(begun).await.unwrap();
    assert_eq!(holds.iter().map(|hold| (hold.game, hold.holder)).collect::<Vec<_>>(), [(game, winner)]);
    assert_eq!(store.holds_since(LATER).await.unwrap(), []);
    store.release_game(Hold { holder: 3, ..holds[0] }).await.unwrap();
    assert!(!store.hold_game(hold(game, 3, 60_000), false).await.unwrap(), "another node releases nothing");
    store.release_game(holds[0]).await.unwrap();
    assert!(held_until(store, game).await <= clock::unix_ms());
    assert!(store.hold_game(hold(game, 3, -1), false).await.unwrap());
    assert!(store.hold_game(hold(game, 4, 60_000), false).await.unwrap(), "the last hold has ended");
}

async fn deleted_and_old_games_are_due(store: &Store) {
    let now = clock::unix_ms();
    let (_live, _) = a_game(store, "AAAAAA").await;
    let (ended, _) = an_ended_game(store, "BBBBBB", now - 10_000).await;
    let (deleted, head) = a_game(store, "CCCCCC").await;
    close(store, deleted, head).await;
    // A game that ended long ago and was deleted just now.
    let (both, head) = an_ended_game(store, "DDDDDD", 5).await;
    close(store, both, head).await;
    let due_now = async |closed_by, ended_by| store.due_games(due(closed_by, ended_by), None).await.unwrap();
    assert_eq!(due_now(now - 1, None).await, []);
    assert_eq!(due_now(LATER, None).await, [deleted, both]);
    assert_eq!(due_now(now - 1, Some(now - 20_000)).await, [both], "an ended game is due by its end");
    assert_eq!(due_now(now - 1, Some(now)).await, [ended, both]);
    assert_eq!(store.due_games(due(LATER, None), Some(deleted)).await.unwrap(), [both], "page by page");
}

async fn a_game_is_deleted_in_bounded_pieces(store: &Store) {
    let (other, kept) = a_game(store, "BBBBBB").await;
    let (game, mut head) = a_game(store, "AAAAAA").await;
    for number in 0..40 {
        // 40 rows of 20,000 bytes.
        let row = Append { body: format!("[\"{}\"]", "x".repeat(19_996)), ..next(game, head, 1) };
        head = head_of(&row);
        assert_eq!(append_one(store, row).await, Outcome::Committed, "{number}");
    }
    let head = close(store, game, head).await;
    store
        .put_snapshot(game, Snapshot { head, next_seq: head.seq + 1, format: 1, body: vec![7; 600_000] })
        .await
        .unwrap();
    let size = store.log_size(game).await.unwrap();
    assert_eq!(size.rows, 42);
    let (mut pieces, mut sum) = (0, Deleted::default());
    while let Some(piece) = store.delete_piece(game).await.unwrap() {
        assert!(piece.bytes < 256 * 1_024 + 20_000 && piece.rows <= 1_000, "{piece:?}");
        pieces += 1;
        sum = Deleted { rows: sum.rows + piece.rows, bytes: sum.bytes + piece.bytes };
    }
    assert_eq!(sum, size);
    assert_eq!(pieces, 3 + 3, "800,000 bytes of rows, and three parts of a snapshot");
    assert_eq!(store.head(game).await.unwrap(), None);
    assert_eq!(store.snapshot_heads(game).await.unwrap(), []);
    assert_eq!(store.head(other).await.unwrap(), Some(kept));
}

async fn the_code_is_held_for_a_day_although_the_game_is_purged(store: &Store) {
    let (id, head) = an_ended_game(store, "AAAAAA", 1_000).await;
    close(store, id, head).await;
    let owner = host(store).await;
    let keeping = Due { code_free_by_ms: 999, ..due(LATER, None) };
    assert_eq!(store.due_games(keeping, None).await.unwrap(), [id]);
    while store.delete_piece(id).await.unwrap().is_some() {}
    assert!(!store.delete_line(id, 999).await.unwrap());
    assert_eq!(store.game_by_id(id).await.unwrap().unwrap().title, "");
    assert_eq!(store.due_games(keeping, None).await.unwrap(), [], "only the row of the game is left");
    let freeing = Due { code_free_by_ms: 1_000, ..keeping };
    assert_eq!(store.due_games(freeing, None).await.unwrap(), [id]);
    assert!(store.delete_line(id, 1_000).await.unwrap());
    assert_eq!(store.game_by_id(id).await.unwrap(), None);
    assert_eq!(store.create_game(game(owner, "AAAAAA")).await.unwrap(), GameCreation::Created);
}

async fn a_writer_that_has_not_noticed_adds_nothing(store: &Store) {
    let (game, head) = a_game(store, "AAAAAA").await;
    let head = close(store, game, head).await;
    while store.delete_piece(game).await.unwrap().is_some() {}
    assert_eq!(append_one(store, next(game, head, 1)).await, Outcome::Refused);
    assert!(store.delete_line(game, LATER).await.unwrap());
    assert_eq!(append_one(store, next(game, head, 1)).await, Outcome::Refused);
    assert_eq!(store.orphans().await.unwrap(), []);
}

async fn rows_without_a_game_are_found(store: &Store) {
    let (first, second) = (a_game(store, "AAAAAA").await, a_game(store, "BBBBBB").await);
    assert_eq!(store.orphans().await.unwrap(), []);
    let head = close(store, first.0, first.1).await;
    store.put_snapshot(first.0, Snapshot { head, next_seq: 2, format: 1, body: vec![7] }).await.unwrap();
    // Deletes the rows of the log; the snapshot is left.
    assert!(store.delete_piece(first.0).await.unwrap().is_some());
    assert!(store.delete_line(first.0, LATER).await.unwrap());
    assert_eq!(store.orphans().await.unwrap(), [first.0]);
    assert!(store.delete_piece(first.0).await.unwrap().is_some());
    assert_eq!(store.orphans().await.unwrap(), []);
    assert_eq!(store.head(second.0).await.unwrap(), Some(second.1));
}

async fn old_sessions_and_holds_are_swept(store: &Store) {
    let (host, now) = (host(store).await, clock::unix_ms());
    for (byte, created_at_ms, expires_at_ms) in [(1, 5, now + 60_000), (2, 50, now - 1), (3, 50, now + 60_000)] {
        store.create_session(NewSession { hash: [byte; 32], host, created_at_ms, expires_at_ms }).await.unwrap();
    }
    let (game, _) = an_ended_game(store, "AAAAAA", 5).await;
    assert!(store.hold_game(hold(game, 1, 0), false).await.unwrap());
    assert_eq!(store.sweep(now, None, now - 60_000).await.unwrap(), 0, "a new session had swept the expired one");
    assert_eq!(store.holds_since(0).await.unwrap().len(), 1);
    assert_eq!(store.sweep(now, Some(5), now + 60_000).await.unwrap(), 1);
    assert_eq!(store.holds_since(0).await.unwrap(), []);
    assert_eq!(store.session([1; 32]).await.unwrap(), None);
    assert!(store.session([3; 32]).await.unwrap().is_some());
    assert_eq!(store.sweep(now + 60_000, None, 0).await.unwrap(), 1);
}

async fn a_row_is_rewritten_in_place_by_the_owner_of_the_game(store: &Store) {
    let (game, head) = an_ended_game(store, "AAAAAA", 5).await;
    store.put_snapshot(game, Snapshot { head, next_seq: 2, format: 1, body: vec![7] }).await.unwrap();
    let before = store.read_log(game, None).await.unwrap();
    let changed = LogRow { body: "[{\"answered\":2}]".to_owned(), ..before[1].clone() };
    let mine = hold(game, 1, 60_000);
    assert!(!store.rewrite_log(mine, vec![changed.clone()]).await.unwrap(), "not without a hold");
    assert!(store.hold_game(mine, false).await.unwrap());
    assert!(!store.rewrite_log(Hold { holder: 2, ..mine }, vec![changed.clone()]).await.unwrap());
    let other = LogRow { batch: 0, ..changed.clone() };
    assert!(store.rewrite_log(mine, vec![changed.clone(), other]).await.is_err());
    assert!(store.read_log(game, None).await.unwrap() == before, "all of it or nothing");
    assert_eq!(store.snapshot_heads(game).await.unwrap(), [head]);
    assert!(store.rewrite_log(mine, vec![changed.clone()]).await.unwrap());
    // Reading verifies the checksum.
    assert!(store.read_log(game, None).await.unwrap() == [before[0].clone(), changed]);
    assert_eq!(store.snapshot_heads(game).await.unwrap(), []);
    assert_eq!(store.head(game).await.unwrap(), Some(head));
}

async fn a_held_game_gets_no_snapshot(store: &Store) {
    let (game, head) = an_ended_game(store, "AAAAAA", 5).await;
    let snapshot = Snapshot { head, next_seq: 2, format: 1, body: vec![7] };
    let mine = hold(game, 1, 600_000);
    assert!(store.hold_game(mine, false).await.unwrap());
    store.put_snapshot(game, snapshot.clone()).await.unwrap();
    assert_eq!(store.snapshot_heads(game).await.unwrap(), []);
    store.release_game(mine).await.unwrap();
    store.put_snapshot(game, snapshot.clone()).await.unwrap();
    assert_eq!(store.snapshot_heads(game).await.unwrap(), [], "nor by a node that has not noticed yet");
    assert!(store.hold_game(hold(game, 1, -120_000), false).await.unwrap());
    store.put_snapshot(game, snapshot).await.unwrap();
    assert_eq!(store.snapshot_heads(game).await.unwrap(), [head]);
}

const LOST_ROWS: &str =
    "INSERT INTO game_log (game_id, seq, n, epoch, batch, body) SELECT $1, seq, n, epoch, batch, body FROM game_log";

async fn rows_of_logs_without_a_game_are_found(store: &Store, mut raw_sql: RawSql) {
    let (game, lost) = (a_game(store, "AAAAAA").await.0, GameId::from(uuid::Uuid::now_v7()));
    assert_eq!(raw_sql.execute(LOST_ROWS, lost).await, 1);
    assert_eq!(store.orphans().await.unwrap(), [lost]);
    assert_eq!(store.delete_piece(lost).await.unwrap().map(|piece| piece.rows), Some(1));
    assert_eq!(store.orphans().await.unwrap(), []);
    assert!(store.head(game).await.unwrap().is_some());
}
