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
async fn a_damaged_game_is_refused_and_marked_until_it_is_found_intact() {
    for is_past in [false, true] {
        let (store, folder) = sqlite().await;
        let mut raw_sql = RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
        let (game, other) = (abandoned(&store).await, crate::store_stage::a_game(&store, "BBBBBB").await.0);
        raw_sql.execute(CHANGE, game).await;
        let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
        let handle = registry.by_id(game).await.unwrap().unwrap();
        assert_eq!(players((&store, &registry), (game, is_past)).await, Err(GameError::Damaged), "{is_past}");
        if !is_past {
            let closed = handle.command(Actor::Service, Command::Close).await;
            assert_eq!(closed, Err(CommandError::Game(GameError::Damaged)));
        }
        raw_sql.execute(CHANGE_BACK, game).await;
        let again = players((&store, &registry), (game, is_past)).await;
        assert_eq!(again, Err(GameError::Damaged), "refused for a while, without reading the log again: {is_past}");
        marked(&store, (game, true)).await;
        assert!(!store.game_by_id(other).await.unwrap().unwrap().damaged);
        registry.shutdown().await;

        // A service that reads the game and finds it intact removes the mark.
        let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
        assert_eq!(players((&store, &registry), (game, is_past)).await, Ok(1), "{is_past}");
        marked(&store, (game, false)).await;
        registry.shutdown().await;
    }
}

/// How many players the game has, as a live game or as one of the past.
async fn players(
    (store, registry): (&Store, &GameRegistry),
    (game, is_past): (GameId, bool),
) -> Result<usize, GameError> {
    if is_past {
        let row = store.game_by_id(game).await.unwrap().unwrap();
        return registry.view_log(&row, |state| state.player_count()).await;
    }
    let handle = registry.by_id(game).await?.unwrap();
    handle.view(|state| state.player_count()).await
}

/// Waits until the game's row has this mark.
async fn marked(store: &Store, (game, damaged): (GameId, bool)) {
    let marked = async {
        while store.game_by_id(game).await.unwrap().unwrap().damaged != damaged {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, marked).await.expect("the mark is not stored");
}
