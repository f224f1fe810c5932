//! Claiming a game with the state that its edge has read from the log: the log is read once, and that state is used only as long
//! as the log is unchanged.

use std::sync::Arc;

use quizhall::games::{GameHandle, GameOptions, GameRegistry};
use quizhall_rules::{Change, Event, GameId};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};

use crate::games_idle::abandoned;
use crate::games_rejoin::join;
use crate::store_stage::sqlite;

/// Opens the game on a new node, which reads its log; also the number of players.
async fn look(registry: &GameRegistry, game: GameId) -> (GameHandle, usize) {
    let handle = registry.by_id(game).await.unwrap().unwrap();
    let players = handle.view(|state| state.player_count()).await.unwrap();
    (handle, players)
}

#[tokio::test]
async fn a_game_that_was_looked_at_is_claimed_without_reading_it_again() {
    let (store, folder) = sqlite().await;
    let game = abandoned(&store).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let (handle, _) = look(&registry, game).await;
    // From here on no process can read the log.
    let file = SqliteConnectOptions::new().filename(folder.path().join("data/quizhall.db"));
    file.connect().await.unwrap().execute("UPDATE game_log SET body = '[]'").await.unwrap();
    join(&handle, "Bob", 2).await.expect("claimed with the state that the edge has read");
    assert_eq!(look(&registry, game).await.1, 2);
    registry.shutdown().await;
}

#[tokio::test]
async fn a_reading_that_is_old_by_now_is_done_again() {
    let (store, _folder) = sqlite().await;
    let game = abandoned(&store).await;
    let (early, late) = (Arc::clone(&store), Arc::clone(&store));
    let (early, late) =
        (GameRegistry::new(early, GameOptions::default()), GameRegistry::new(late, GameOptions::default()));
    let (before, players) = look(&early, game).await;
    assert_eq!(players, 1);
    let (meanwhile, _) = look(&late, game).await;
    join(&meanwhile, "Bob", 2).await.unwrap();
    late.shutdown().await;

    join(&before, "Cid", 3).await.expect("the log is read again, and claimed");
    assert_eq!(look(&early, game).await.1, 3, "no player is lost");
    early.shutdown().await;
    let rows = store.read_log(game, None).await.unwrap();
    let events = rows.iter().flat_map(|row| serde_json::from_str::<Vec<Event>>(&row.body).unwrap());
    let epochs = events.filter_map(|event| match event.change {
        Change::Claimed { epoch, .. } => Some(epoch),
        _ => None,
    });
    assert_eq!(epochs.collect::<Vec<_>>(), [1, 2]);
}
