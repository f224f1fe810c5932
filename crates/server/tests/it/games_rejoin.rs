//! A node that has to release its games. A node that was considered dead begins again under another id: no game may belong to
//! both lives, or its sockets would wait for ever for answers to an id that no node has. A node that stops hands its games
//! over, and keeps a game that it cannot write.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use quizhall::games::{CommandError, GameError, GameHandle, GameOptions, GameRegistry, HandOver, Heir};
use quizhall_engine::EdgeId;
use quizhall_rules::{Actor, Command, DisplayName, Join, PlayerId, TokenHash};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};
use tokio::time::timeout;
use uuid::Uuid;

use crate::games_idle::abandoned;
use crate::store_stage::sqlite;
use crate::ws_stage::TIMEOUT;

/// A load takes much less time.
const A_WHILE: Duration = Duration::from_millis(200);

/// Lets a new player join.
pub async fn join(game: &GameHandle, name: &str, number: u8) -> Result<(), CommandError> {
    let join = Join {
        player: PlayerId::from(Uuid::now_v7()),
        display_name: DisplayName::parse(name).unwrap(),
        token: TokenHash([number; 32]),
        idempotency: None,
        player_limit: 10,
        team: None,
    };
    game.command(Actor::Service, Command::Join(join.into())).await
}

#[tokio::test]
async fn no_game_is_loaded_between_two_lives_of_a_node() {
    let (store, _folder) = sqlite().await;
    let game = abandoned(&store).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let before = registry.by_id(game).await.unwrap().unwrap();
    join(&before, "Bob", 2).await.unwrap();

    let node = Uuid::now_v7();
    let life = timeout(TIMEOUT, registry.rejoin(node)).await.unwrap();
    assert_eq!(registry.node(), node);
    assert_eq!(join(&before, "Cid", 3).await, Err(CommandError::Game(GameError::Stopping)));
    let mut loading = pin!(registry.by_id(game));
    assert!(timeout(A_WHILE, &mut loading).await.is_err(), "no node knows the new id yet");
    drop(life);

    let after = timeout(TIMEOUT, loading).await.unwrap().unwrap().unwrap();
    join(&after, "Cid", 3).await.expect("edge and owner belong to the same life");
    assert_eq!(after.view(|state| state.player_count()).await.unwrap(), 3);
    registry.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_could_not_be_written_in_time_is_not_left_without_an_owner() {
    let (store, folder) = sqlite().await;
    let game = abandoned(&store).await;
    let registry = GameRegistry::new(Arc::clone(&store), GameOptions::default());
    let handle = registry.by_id(game).await.unwrap().unwrap();
    join(&handle, "Bob", 2).await.unwrap();

    let file = SqliteConnectOptions::new().filename(folder.path().join("data/quizhall.db"));
    let mut intruder = file.connect().await.unwrap();
    intruder.execute("BEGIN EXCLUSIVE").await.unwrap();
    let heir = Heir::Node(EdgeId(7));
    let (joined, outcome) = tokio::join!(join(&handle, "Cid", 3), registry.hand_over_game(game, heir));
    assert_eq!(outcome, HandOver::Kept);
    assert_eq!(joined, Err(CommandError::Game(GameError::Unavailable)));
    intruder.execute("ROLLBACK").await.unwrap();

    join(&handle, "Dan", 4).await.expect("the game has an owner, here or elsewhere");
    registry.shutdown().await;
}
