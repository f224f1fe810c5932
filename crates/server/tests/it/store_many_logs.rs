//! Heads and ends of many logs at once, on every engine.

use quizhall::store::{Append, Head, LogEnd, LogRow, Store};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::services::postgres::shared;
use crate::store_stage::{RawSql, a_game, append_one, head_of, next, on_every_engine_with_sql, postgres};

on_every_engine_with_sql! {
    heads_are_given_in_the_order_of_the_games
    ends_are_the_rows_after_the_known_one
    an_end_after_an_unknown_row_is_not_given
    a_damaged_end_is_not_given_and_spares_the_others
}

/// The row after this one, stored.
async fn stored(store: &Store, game: GameId, before: Head, held: u64) -> (Append, Head) {
    let row = next(game, before, held);
    append_one(store, row.clone()).await;
    let last = head_of(&row);
    (row, last)
}

fn after(game: GameId, after: Head, held: u64) -> LogEnd {
    LogEnd { game, after, next: after.seq + held }
}

fn batches(end: Option<&Vec<LogRow>>) -> Option<Vec<(u64, u64)>> {
    end.map(|rows| rows.iter().map(|row| (row.seq, row.batch)).collect())
}

async fn heads_are_given_in_the_order_of_the_games(store: &Store, _: RawSql) {
    let ((first, of_first), (second, created)) = (a_game(store, "AAAAAA").await, a_game(store, "BBBBBB").await);
    let (_, of_second) = stored(store, second, created, 1).await;
    let unknown = GameId::from(Uuid::now_v7());
    let heads = store.heads([second, unknown, first, second].into()).await.unwrap();
    assert_eq!(heads, [Some(of_second), None, Some(of_first), Some(of_second)]);
    assert_eq!(store.heads([].into()).await.unwrap(), []);
}

async fn ends_are_the_rows_after_the_known_one(store: &Store, _: RawSql) {
    let ((first, of_first), (second, created)) = (a_game(store, "AAAAAA").await, a_game(store, "BBBBBB").await);
    let (row, head) = stored(store, second, created, 1).await;
    let (_, last) = stored(store, second, head, 1).await;
    let wanted = [after(second, created, 1), after(first, of_first, 1), after(second, head, 1), after(second, last, 1)];
    let ends = store.log_ends(wanted.into()).await.unwrap();
    let seen: Vec<_> = ends.iter().map(|end| batches(end.as_ref()).unwrap()).collect();
    let rows = [(head.seq, head.batch), (last.seq, last.batch)];
    assert_eq!(seen, [rows.to_vec(), vec![], rows[1..].to_vec(), vec![]]);
    assert_eq!(ends[0].as_ref().unwrap()[0].body, row.body);
    assert_eq!(store.log_ends([].into()).await.unwrap().len(), 0);
}

async fn an_end_after_an_unknown_row_is_not_given(store: &Store, _: RawSql) {
    let (game, created) = a_game(store, "AAAAAA").await;
    let (_, head) = stored(store, game, created, 1).await;
    let replaced = Head { batch: head.batch + 1, ..head };
    let unknown = GameId::from(Uuid::now_v7());
    let wanted = [
        after(game, replaced, 1),
        after(game, head, 2),
        after(game, Head { seq: 9, batch: 9 }, 1),
        after(unknown, created, 1),
        after(game, head, 1),
    ];
    let ends = store.log_ends(wanted.into()).await.unwrap();
    let given: Vec<_> = ends.iter().map(Option::is_some).collect();
    assert_eq!(given, [false, false, false, false, true], "only the last one names the row and its length");
}

async fn a_damaged_end_is_not_given_and_spares_the_others(store: &Store, mut sql: RawSql) {
    let ((whole, of_whole), (damaged, created)) = (a_game(store, "AAAAAA").await, a_game(store, "BBBBBB").await);
    stored(store, damaged, created, 1).await;
    let (_, last) = stored(store, whole, of_whole, 1).await;
    sql.execute("UPDATE game_log SET body = '[]' WHERE game_id = $1 AND seq > 0", damaged).await;
    let ends = store.log_ends([after(damaged, created, 1), after(whole, of_whole, 1)].into()).await.unwrap();
    assert_eq!(
        ends.iter().map(|end| batches(end.as_ref())).collect::<Vec<_>>(),
        [None, Some(vec![(last.seq, last.batch)])]
    );
}

/// `PostgreSQL` does not read long ends for many games at once; both engines then leave the rest to pages.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_end_is_read_page_by_page() {
    let (store, url) = postgres().await;
    let (game, created) = a_game(&store, "AAAAAA").await;
    let (large, of_large) = a_game(&store, "BBBBBB").await;
    let mut last = created;
    for _ in 0..17 {
        (_, last) = stored(&store, game, last, 1).await;
    }
    let row = Append { body: format!("[\"{}\"]", "a".repeat(4_096)), ..next(large, of_large, 1) };
    append_one(&store, row.clone()).await;
    let first = store.read_log(game, Some(0)).await.unwrap().swap_remove(0);
    let wanted = [after(game, created, 1), after(game, Head { seq: first.seq, batch: first.batch }, 1)];
    let ends = store.log_ends(wanted.into()).await.unwrap();
    assert_eq!(ends.iter().map(|end| end.as_ref().map(Vec::len)).collect::<Vec<_>>(), [None, Some(16)]);
    let ends = store.log_ends([after(large, of_large, 1), after(large, head_of(&row), 1)].into()).await.unwrap();
    assert_eq!(ends, [None, Some(vec![])], "a large row is not read, and the known row may be large");
    store.close().await;
    shared().drop_database(&url).await;
}
