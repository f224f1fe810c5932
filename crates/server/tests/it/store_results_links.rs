//! Links to results in the store, on every engine.

use quizhall::store::{KeptLink, ResultsLinkRow, Store};
use quizhall_rules::GameId;

use crate::store_stage::{RawSql, a_game, end, on_every_engine_with_sql};

on_every_engine_with_sql! {
    a_game_has_one_link_until_it_is_revoked
    what_a_link_shows_changes_only_when_that_is_said
    a_closed_game_has_no_link
    a_link_is_purged_with_its_game
}

const LINKS: &str = "SELECT count(*) FROM results_link WHERE game_id = $1";

fn link(game: GameId, byte: u8) -> ResultsLinkRow {
    ResultsLinkRow { game, nonce: vec![byte; 16], hash: [byte; 32], created_at_ms: 1, proof: None, replay: None }
}

async fn a_game_has_one_link_until_it_is_revoked(store: &Store, _raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    let (other, _) = a_game(store, "BBBBBB").await;
    assert!(!store.has_results_link(game).await.unwrap());
    let kept = |byte: u8| Some(KeptLink { nonce: vec![byte; 16], proof: false, replay: false });
    assert_eq!(store.keep_results_link(link(game, 1)).await.unwrap(), kept(1));
    assert_eq!(store.keep_results_link(link(game, 2)).await.unwrap(), kept(1), "the first link");
    assert_eq!(store.keep_results_link(link(other, 3)).await.unwrap(), kept(3));
    assert_eq!(store.game_of_results_link([1; 32]).await.unwrap().map(|shared| shared.row.id), Some(game));
    assert_eq!(store.game_of_results_link([2; 32]).await.unwrap(), None);
    store.revoke_results_link(game).await.unwrap();
    assert_eq!(store.game_of_results_link([1; 32]).await.unwrap(), None);
    assert!(!store.has_results_link(game).await.unwrap() && store.has_results_link(other).await.unwrap());
}

async fn what_a_link_shows_changes_only_when_that_is_said(store: &Store, _raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    for (said, shown) in [(None, false), (Some(true), true), (None, true), (Some(false), false), (Some(true), true)] {
        let said = [ResultsLinkRow { proof: said, ..link(game, 1) }, ResultsLinkRow { replay: said, ..link(game, 1) }];
        for link in said {
            store.keep_results_link(link).await.unwrap();
        }
        let kept = store.keep_results_link(link(game, 1)).await.unwrap().unwrap();
        let shared = store.game_of_results_link([1; 32]).await.unwrap().unwrap();
        assert_eq!([kept.proof, kept.replay, shared.proof, shared.replay], [shown; 4]);
    }
    let proof = ResultsLinkRow { proof: Some(false), ..link(game, 1) };
    let kept = store.keep_results_link(proof).await.unwrap().unwrap();
    assert_eq!((kept.proof, kept.replay), (false, true), "one says nothing about the other");
    store.revoke_results_link(game).await.unwrap();
    let new = store.keep_results_link(link(game, 2)).await.unwrap().unwrap();
    assert_eq!((new.proof, new.replay), (false, false), "a new link shows the results only");
}

async fn a_closed_game_has_no_link(store: &Store, _raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    store.keep_results_link(link(game, 1)).await.unwrap();
    assert!(store.close_game(game).await.unwrap());
    assert_eq!(store.game_of_results_link([1; 32]).await.unwrap(), None);
    let (closed, _) = a_game(store, "BBBBBB").await;
    assert!(store.close_game(closed).await.unwrap());
    assert_eq!(store.keep_results_link(link(closed, 2)).await.unwrap(), None);
}

/// The row of a game stays as long as its code is reserved; the link does not.
async fn a_link_is_purged_with_its_game(store: &Store, mut raw_sql: RawSql) {
    let (game, head) = a_game(store, "AAAAAA").await;
    store.keep_results_link(link(game, 1)).await.unwrap();
    end(store, game, head, 5).await;
    assert!(store.close_game(game).await.unwrap());
    assert_eq!(raw_sql.count(LINKS, game).await, 1);
    assert!(!store.delete_line(game, 0).await.unwrap());
    assert_eq!(raw_sql.count(LINKS, game).await, 0);
    assert!(store.game_by_id(game).await.unwrap().is_some());
}
