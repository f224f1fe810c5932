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
    let (alive, dead, heir) = (enter(store).await, enter(store).await, enter(store).await);
    let free = owned(store, "AAAAAA", None).await;
    let (of_alive, of_dead) = (owned(store, "BBBBBB", Some(alive)).await, owned(store, "CCCCCC", Some(dead)).await);
    let (mine, other) = (owned(store, "DDDDDD", Some(heir)).await, owned(store, "EEEEEE", Some(dead)).await);
    let (released, freed) = (owned(store, "FFFFFF", Some(heir)).await, owned(store, "GGGGGG", Some(heir)).await);
    assert!(store.evict_node(dead, Duration::ZERO).await.unwrap());
    let take = |game, from| OwnerChange { game, by: heir, from, to: Some(heir) };
    let changes = vec![
        take(of_alive, Some(alive)),
        take(of_dead, Some(dead)),
        take(other, None),
        take(free, None),
        take(mine, Some(heir)),
        take(GameId::from(Uuid::now_v7()), None),
        OwnerChange { to: Some(alive), ..take(released, Some(heir)) },
        OwnerChange { to: None, ..take(freed, Some(heir)) },
    ];
    assert_eq!(store.change_owners(changes).await.unwrap(), [false, true, false, true, true, false, true, true]);
    let owners = store.game_owners([of_alive, of_dead, other, free, mine, released, freed].into()).await.unwrap();
    let owners: Vec<_> = owners.into_iter().map(|row| row.unwrap().owner).collect();
    assert_eq!(owners, [Some(alive), Some(heir), Some(dead), Some(heir), Some(heir), Some(alive), None]);
}

async fn nodes_that_take_the_same_games_get_different_ones(store: &Store) {
    let (dead, rivals) = (enter(store).await, [enter(store).await, enter(store).await, enter(store).await]);
    let mut games = Vec::new();
    for number in 0..40 {
        games.push(owned(store, &format!("AAAA{number:02}"), Some(dead)).await);
    }
    assert!(store.evict_node(dead, Duration::ZERO).await.unwrap());
    // In different orders: nodes that waited for each other's lines would do it in a circle.
    let attempts = rivals.iter().enumerate().map(|(number, rival)| {
        let mut order = games.clone();
        order.rotate_left(number * 13);
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
