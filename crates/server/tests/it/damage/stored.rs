//! Damaged games in every database: the mark, closing a game without an owner, and the list of all games.

use quizhall::store::{Append, Listed, Store};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::store_stage::{RawSql, a_game, append_one, game, host, next, on_every_engine_with_sql};

on_every_engine_with_sql! {
    a_mark_is_set_and_taken_back
    a_game_is_closed_without_its_log
    every_game_is_listed_once_and_in_order
    a_log_without_a_line_is_listed
}

async fn a_mark_is_set_and_taken_back(store: &Store, _: RawSql) {
    let (marked, _) = a_game(store, "AAAAAA").await;
    let (other, _) = a_game(store, "BBBBBB").await;
    for damaged in [false, true, true, false] {
        store.mark_damaged(marked, damaged).await.unwrap();
        let line = store.game_by_id(marked).await.unwrap().unwrap();
        let list = store.games_of(line.host).await.unwrap();
        assert_eq!((line.damaged, list[0].damaged), (damaged, damaged));
        assert!(!store.game_by_id(other).await.unwrap().unwrap().damaged);
    }
    store.mark_damaged(GameId::from(Uuid::now_v7()), true).await.unwrap();
}

async fn a_game_is_closed_without_its_log(store: &Store, _: RawSql) {
    let (closed, head) = a_game(store, "AAAAAA").await;
    assert!(store.close_game(closed).await.unwrap());
    assert!(!store.close_game(closed).await.unwrap(), "once");
    assert!(!store.close_game(GameId::from(Uuid::now_v7())).await.unwrap());
    let line = store.game_by_id(closed).await.unwrap().unwrap();
    assert!(line.closed && line.ended_at_ms.is_some());
    assert_eq!(store.game_by_code("AAAAAA").await.unwrap(), None);
    assert_eq!(store.games_of(line.host).await.unwrap(), []);
    assert_eq!(store.head(closed).await.unwrap(), Some(head), "its log is unchanged");
}

async fn every_game_is_listed_once_and_in_order(store: &Store, _: RawSql) {
    let owner = host(store).await;
    let mut expected = Vec::new();
    for number in 0..270 {
        let new = quizhall::store::NewGame { live_limit: u32::MAX, ..game(owner, &format!("C{number:05}")) };
        expected.push(Listed { game: new.id, closed: number % 7 == 0, has_line: true });
        let head = quizhall::store::Head { seq: 0, batch: new.batch };
        store.create_game(new).await.unwrap();
        let game = expected[number].game;
        append_one(store, Append { body: "[1]".to_owned(), ..next(game, head, 1) }).await;
        if expected[number].closed {
            store.close_game(game).await.unwrap();
        }
    }
    expected.sort_unstable_by_key(|listed| listed.game);
    assert_eq!(everything(store).await, expected);
}

async fn a_log_without_a_line_is_listed(store: &Store, mut raw_sql: RawSql) {
    let mut expected = Vec::new();
    for (code, has_line) in [("AAAAAA", true), ("BBBBBB", false), ("CCCCCC", true), ("DDDDDD", false)] {
        let (game, _) = a_game(store, code).await;
        if !has_line {
            raw_sql.execute("DELETE FROM game WHERE id = $1", game).await;
        }
        expected.push(Listed { game, closed: false, has_line });
    }
    // This leaves a row in the table of games without a log.
    assert_eq!(raw_sql.execute("DELETE FROM game_log WHERE game_id = $1", expected[2].game).await, 1);
    expected.sort_unstable_by_key(|listed| listed.game);
    assert_eq!(everything(store).await, expected);
}

async fn everything(store: &Store) -> Vec<Listed> {
    let (mut all, mut after): (Vec<Listed>, _) = (Vec::new(), None);
    loop {
        let page = store.every_game(after).await.unwrap();
        assert!(page.len() <= 256);
        let Some(last) = page.last() else { return all };
        after = Some(last.game);
        all.extend(page);
    }
}
