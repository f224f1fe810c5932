//! Damage found by the games registry: refused without reading the log again, and marked in the database, also for a game of the past.

use std::sync::Arc;
use std::time::Duration;

use quizhall::games::{CommandError, GameError, GameOptions, GameRegistry};
use quizhall::store::Store;
use quizhall_rules::{Actor, Command, GameId};
use tokio::time::timeout;

use crate::games_idle::abandoned;
use crate::store_stage::{RawSql, sqlite};

const CHANGE: &str = "UPDATE game_log SET body = replace(body, 'Ann', 'Bnn') WHERE game_id = $1 AND seq = 1";
const CHANGE_BACK: &str = "UPDATE game_log SET body = replace(body, 'Bnn', 'Ann') WHERE game_id = $1 AND seq = 1";

/// Enough time for the mark, which is stored after the request has been answered.
const TIMEOUT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_damaged_game_is_refused_and_marked() {
    let (store, folder) = sqlite().await;
    let mut raw_sql = RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
    let game = abandoned(&store).await;
    raw_sql.execute(CHANGE, game).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let handle = registry.by_id(game).await.unwrap().unwrap();
    assert_eq!(handle.view(|state| state.player_count()).await, Err(GameError::Damaged));
    raw_sql.execute(CHANGE_BACK, game).await;
    assert_eq!(
        registry.by_id(game).await.err(),
        Some(GameError::Damaged),
        "refused for a while, without reading the log again"
    );
    marked(&store, (game, true)).await;
    registry.shutdown().await;

    // A service that reads the game and finds it intact removes the mark.
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let handle = registry.by_id(game).await.unwrap().unwrap();
    assert_eq!(handle.view(|state| state.player_count()).await, Ok(1));
    marked(&store, (game, false)).await;
    registry.shutdown().await;
}

#[tokio::test]
async fn a_command_to_a_damaged_game_says_so() {
    let (store, folder) = sqlite().await;
    let mut raw_sql = RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
    let (game, other) = (abandoned(&store).await, crate::store_stage::a_game(&store, "BBBBBB").await.0);
    raw_sql.execute(CHANGE, game).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let handle = registry.by_id(game).await.unwrap().unwrap();
    let closed = handle.command(Actor::Service, Command::Close).await;
    assert_eq!(closed, Err(CommandError::Game(GameError::Damaged)));
    assert!(!store.game_by_id(other).await.unwrap().unwrap().damaged);
    registry.shutdown().await;
}

#[tokio::test]
async fn a_damaged_game_of_the_past_is_refused_and_marked_too() {
    let (store, folder) = sqlite().await;
    let mut raw_sql = RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
    let game = abandoned(&store).await;
    raw_sql.execute(CHANGE, game).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let row = store.game_by_id(game).await.unwrap().unwrap();
    assert_eq!(registry.view_log(&row, |state| state.player_count()).await, Err(GameError::Damaged));
    raw_sql.execute(CHANGE_BACK, game).await;
    assert_eq!(
        registry.view_log(&row, |state| state.player_count()).await,
        Err(GameError::Damaged),
        "refused without reading the log again"
    );
    marked(&store, (game, true)).await;
    registry.shutdown().await;

    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let row = store.game_by_id(game).await.unwrap().unwrap();
    assert_eq!(registry.view_log(&row, |state| state.player_count()).await, Ok(1));
    marked(&store, (game, false)).await;
    registry.shutdown().await;
}

/// Waits until the game's row has this mark.
async fn marked(store: &Store, (game, damaged): (GameId, bool)) {
    let marked = async {
        while store.game_by_id(game).await.unwrap().unwrap().damaged != damaged {
            tokio::task::yield_now().await;
        }
    };
    timeout(TIMEOUT, marked).await.expect("the mark is not stored");
}
