//! Promise 27: a panic inside one game closes only that game's sockets; the game is loaded again for clients that return.
//!
//! No known input makes a game panic, so these tests cause the panic through a reader of the state.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use quizhall::games::{GameError, GameHandle};
use serde_json::json;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_closes_the_sockets_of_its_game_only_and_the_game_loads_again() {
    let stage = Stage::new().await;
    let (broken, other) = (stage.game().await, stage.game().await);
    let token = stage.join(&broken, "Ann").await;
    let mut ann = stage.socket(&broken.code, &token).await;
    let mut host = stage.host(&broken).await;
    let (mut elsewhere, mut bob) = (stage.host(&other).await, stage.player(&other, "Bob").await);
    start_and_release(&stage, (&broken, &mut host)).await;
    ann.until("question_released").await;
    let question = stage.questions(&broken).await.remove(0);
    let answer = json!({"type": "submit_answer", "payload": {"questionId": question, "answer": "4"}});
    ann.send(&answer).await;
    ann.until("answer_accepted").await;

    let dead = handle(&stage, &broken).await.view(|_| panic!("put in by a test")).await;
    assert_eq!(dead, Err::<(), _>(GameError::Stopping), "the caller receives the error");
    for wire in [&mut ann, &mut host] {
        assert_eq!(wire.closed().await, (1011, "internal_error".to_owned()));
    }

    // The other game was not affected.
    start_and_release(&stage, (&other, &mut elsewhere)).await;
    bob.until("question_released").await;
    // The broken game is in the same state as before.
    let mut ann = stage.knock(&format!("/ws/{}", broken.code), &Handshake::bearer(&token)).await.unwrap();
    for kind in ["question_released", "answer_accepted"] {
        assert_eq!(ann.text().await["type"], kind);
    }
    let mut host = stage.host(&broken).await;
    host.send(&json!({"type": "end_round"})).await;
    assert_eq!(host.until("round_review").await["payload"]["answers"].as_array().unwrap().len(), 1);
    ann.until("round_ended").await;
}

/// The game of this socket dies after the handshake and before it is attached: without a close it would wait for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_socket_that_was_waiting_to_be_attached_is_closed_too() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let (started, has_started) = sync_channel(1);
    let (go_on, wait) = sync_channel(1);
    let game_handle = handle(&stage, &game).await;
    let busy = tokio::spawn(async move { stuck(&game_handle, (started, wait)).await });
    tokio::task::spawn_blocking(move || has_started.recv().unwrap()).await.unwrap();
    // The game is blocked now, so this socket waits to be attached.
    let mut host = stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(HOST)).await.unwrap();
    go_on.send(()).unwrap();
    assert_eq!(busy.await.unwrap(), Err(GameError::Stopping));
    assert_eq!(host.closed().await, (4200, "resync_required".to_owned()));
    // A client that reconnects at once, as the code asks, finds the game.
    let mut host = stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(HOST)).await.unwrap();
    assert_eq!(host.text().await["type"], "lobby_update");
}

/// Holds the game until released, and then panics in it.
async fn stuck(game: &GameHandle, (started, wait): (SyncSender<()>, Receiver<()>)) -> Result<(), GameError> {
    game.view(move |_| {
        started.send(()).unwrap();
        wait.recv().unwrap();
        panic!("put in by a test")
    })
    .await
}

pub async fn handle(stage: &Stage, game: &Game) -> GameHandle {
    stage.running.app().registry.by_code(&game.code).await.unwrap().unwrap()
}

async fn start_and_release(stage: &Stage, (game, host): (&Game, &mut Wire)) {
    let question = stage.questions(game).await.remove(0);
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    host.until("question_released").await;
}
