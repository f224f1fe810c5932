//! The recorded owners of many games at once, on every engine.

use std::collections::BTreeSet;
use std::str::FromStr as _;
use std::time::Duration;

use futures_util::future::join_all;
use quizhall::store::{OwnerChange, OwnerRow, Store};
use quizhall_rules::GameId;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};
use uuid::Uuid;

use crate::services::postgres::shared;
use crate::store_stage::{a_game, enter, on_every_engine, patient_postgres};

on_every_engine! {
    owners_are_given_in_the_order_of_the_games
    each_game_is_taken_under_its_own_condition
    nodes_that_take_the_same_games_get_different_ones
    nothing_is_asked_and_nothing_is_answered
}

async fn owners_are_given_in_the_order_of_the_games(store: &Store) {
    let (listed, evicted) = (enter(store).await, enter(store).await);
    let mut games = Vec::new();
    for (code, owner) in [("AAAAAA", Some(listed)), ("BBBBBB", None), ("CCCCCC", Some(evicted))] {
        games.push(owned(store, code, owner).await);
    }
    assert!(store.evict_node(evicted, Duration::ZERO).await.unwrap());
    let unknown = GameId::from(Uuid::now_v7());
    let asked = [games[2], unknown, games[0], games[1], games[0]];
    let row = |owner, listed| Some(OwnerRow { owner, listed });
    let (first, second, third) = (row(Some(listed), true), row(None, false), row(Some(evicted), false));
    assert_eq!(store.game_owners(asked.into()).await.unwrap(), [third, None, first, second, first]);
}

async fn each_game_is_taken_under_its_own_condition(store: &Store) {
    for at_once in [true, false] {
        let (alive, dead, heir) = (enter(store).await, enter(store).await, enter(store).await);
        // The recorded owner, the expected one, the next one, and whether the heir may change it.
        let cases = [
            ("a game of a node in the list", Some(alive), Some(alive), Some(heir), false),
            ("the same, to free it", Some(alive), Some(alive), None, false),
            ("a game of an evicted node", Some(dead), Some(dead), Some(heir), true),
            ("taken for free, and it is not", Some(dead), None, Some(heir), false),
            ("taken from another than the recorded one", Some(heir), Some(dead), Some(heir), false),
            ("a free game", None, None, Some(heir), true),
            ("a free game, taken from a node", None, Some(dead), Some(heir), false),
            ("its own game", Some(heir), Some(heir), Some(heir), true),
            ("its own game, handed over", Some(heir), Some(heir), Some(alive), true),
            ("its own game, freed", Some(heir), Some(heir), None, true),
        ];
        let (mut changes, mut wanted) = (Vec::new(), Vec::new());
        for (number, (_, owner, from, to, is_allowed)) in cases.into_iter().enumerate() {
            let game = owned(store, &format!("{}{number:05}", if at_once { 'A' } else { 'B' }), owner).await;
            changes.push(OwnerChange { game, by: heir, from, to });
            wanted.push((is_allowed, if is_allowed { to } else { owner }));
        }
        assert!(store.evict_node(dead, Duration::ZERO).await.unwrap());
        let unknown = OwnerChange { game: GameId::from(Uuid::now_v7()), by: heir, from: None, to: Some(heir) };
        changes.push(unknown);
        let mut done = Vec::new();
        if at_once {
            done = store.change_owners(changes.clone()).await.unwrap();
        } else {
            for change in &changes {
                done.push(store.change_owner(*change).await.unwrap());
            }
        }
        assert_eq!((done.len(), done.pop()), (cases.len() + 1, Some(false)), "there is no such game");
        for ((case, change), (done, wanted)) in cases.iter().zip(&changes).zip(done.into_iter().zip(wanted)) {
            let owner = store.game_owner(change.game).await.unwrap().unwrap().owner;
            assert_eq!((done, owner), wanted, "{}, at once: {at_once}", case.0);
        }
        assert_eq!(store.game_owner(unknown.game).await.unwrap(), None);
    }
}

async fn nodes_that_take_the_same_games_get_different_ones(store: &Store) {
    let (dead, rivals) = (enter(store).await, [enter(store).await, enter(store).await, enter(store).await]);
    let mut games = Vec::new();
    for number in 0..20 {
        games.push(owned(store, &format!("AAAA{number:02}"), Some(dead)).await);
    }
    assert!(store.evict_node(dead, Duration::ZERO).await.unwrap());
    // In different orders: nodes that waited for each other's lines would do it in a circle.
    let attempts = rivals.iter().enumerate().map(|(number, rival)| {
        let mut order = games.clone();
        order.rotate_left(number * 6);
        if number == 1 {
            order.reverse();
        }
        let changes = order
            .iter()
            .map(|game| OwnerChange { game: *game, by: *rival, from: Some(dead), to: Some(*rival) })
            .collect();
        async move {
            let taken = store.change_owners(changes).await.unwrap();
            order.into_iter().zip(taken).filter_map(|(game, taken)| taken.then_some(game)).collect::<Vec<_>>()
        }
    });
    let taken = join_all(attempts).await;
    let all: Vec<GameId> = taken.iter().flatten().copied().collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a game was taken twice");
    assert_eq!(all.len(), games.len(), "a game was left out by every node");
    for (rival, taken) in rivals.iter().zip(taken) {
        let rows = store.game_owners(taken.into()).await.unwrap();
        assert!(rows.iter().all(|row| row.unwrap().owner == Some(*rival)));
    }
}

async fn nothing_is_asked_and_nothing_is_answered(store: &Store) {
    assert_eq!(store.game_owners([].into()).await.unwrap(), []);
    assert_eq!(store.change_owners(Vec::new()).await.unwrap(), Vec::<bool>::new());
}

#[tokio::test]
async fn a_locked_line_is_not_waited_for() {
    let (store, url) = patient_postgres().await;
    let heir = enter(&store).await;
    let (locked, free) = (owned(&store, "AAAAAA", None).await, owned(&store, "BBBBBB", None).await);
    let mut other = PgConnectOptions::from_str(&url).unwrap().connect().await.unwrap();
    other.execute("BEGIN").await.unwrap();
    sqlx::query("SELECT 1 FROM game WHERE id = $1 FOR UPDATE").bind(locked.uuid()).execute(&mut other).await.unwrap();
    let changes: Vec<_> = [locked, free].map(|game| OwnerChange { game, by: heir, from: None, to: Some(heir) }).into();
    assert_eq!(store.change_owners(changes.clone()).await.unwrap(), [false, true]);
    other.execute("COMMIT").await.unwrap();
    assert_eq!(store.change_owners(changes).await.unwrap(), [true, false]);
    store.close().await;
    drop(other);
    shared().drop_database(&url).await;
}

/// A game with this owner.
async fn owned(store: &Store, code: &str, owner: Option<Uuid>) -> GameId {
    let (game, _) = a_game(store, code).await;
    if let Some(owner) = owner {
        let change = OwnerChange { game, by: owner, from: None, to: Some(owner) };
        assert!(store.change_owner(change).await.unwrap());
    }
    game
}
