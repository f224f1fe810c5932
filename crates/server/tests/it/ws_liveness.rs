//! Sockets over time: pings, dead sockets, slow ones and messages without an end (promises 13 and 16).

use std::time::{Duration, Instant};

use quizhall_protocol::CloseCode;
use serde_json::json;

use crate::ws_stage::{Game, HOST, Stage, TIMEOUT};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

fn code(code: CloseCode) -> (u16, String) {
    (code.number(), code.reason().to_owned())
}

/// Four sockets of one game: one is silent, one answers pings, one sends pings of its own, and one is dead: TCP stays connected, but no
/// process reads or writes.
#[tokio::test]
async fn who_answers_pings_stays_and_who_does_not_is_closed() {
    let stage = Stage::with(&[("PING_INTERVAL", "100ms"), ("PONG_TIMEOUT", "500ms"), ("CLOSE_TIMEOUT", "100ms")]).await;
    let game = stage.game().await;
    let mut silent = stage.player(&game, "Silent").await;
    let mut lively = stage.player(&game, "Lively").await;
    let mut asking = stage.player(&game, "Asking").await;
    let token = stage.join(&game, "Dead").await;
    let dead = stage.socket(&game.code, &token).await;
    let begun = Instant::now();
    let mut pings = 0;
    // Twice the time that a silent socket has.
    let answers = async {
        while begun.elapsed() < Duration::from_millis(1_300) {
            match lively.next().await {
                Frame::Ping(data) => {
                    pings += 1;
                    lively.raw(&frame(0x8a, &data)).await;
                }
                Frame::Text(_) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    // Below the limit of pings; those of the server are never answered.
    let asks = async {
        while begun.elapsed() < Duration::from_millis(1_300) {
            asking.raw(&frame(0x89, b"")).await;
            while !matches!(asking.next().await, Frame::Pong(_)) {}
            let _ = asking.next_within(Duration::from_millis(60)).await;
        }
    };
    tokio::join!(answers, asks);
    assert!((3..=17).contains(&pings), "at most one every 80 ms, and a loaded machine makes fewer: {pings}");
    asking.raw(&frame(0x89, b"last")).await;
    while asking.next().await != Frame::Pong(b"last".to_vec()) {}
    assert_eq!(silent.closed().await, code(CloseCode::PingTimeout));

    // The dead one leaves the count, and its player can connect again.
    drop((lively, asking));
    let end = Instant::now() + TIMEOUT;
    while stage.running.app().sockets.count() > 0 {
        assert!(Instant::now() < end, "a dead socket is still counted");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut again = stage.socket(&game.code, &token).await;
    again.raw(&frame(0x89, b"")).await;
    assert_eq!(again.next().await, Frame::Pong(Vec::new()));
    drop(dead);
}

#[tokio::test]
async fn a_message_begun_must_be_finished_in_time() {
    let stage = Stage::with(&[("MESSAGE_TIMEOUT", "150ms")]).await;
    let game = stage.game().await;
    let unfinished = [
        ("half a header", vec![0x81]),
        ("fragments of nothing, and pings between", [frame(0x01, b""), frame(0x89, b""), frame(0x00, b"")].concat()),
    ];
    for (what, bytes) in unfinished {
        let mut wire = stage.player(&game, what).await;
        wire.raw(&bytes).await;
        assert_eq!(wire.closed().await, code(CloseCode::ReadTimeout), "{what}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_answer_a_close_is_dropped() {
    let stage = Stage::with(&[("CLOSE_TIMEOUT", "100ms")]).await;
    let game = stage.game().await;
    let mut player = stage.player(&game, "Ann").await;
    player.raw(&frame(0x82, b"binary")).await;
    assert!(matches!(player.next().await, Frame::Close(1_003, _)));
    assert_eq!(player.next().await, Frame::End);
}

/// Twelve questions of some 8 KB each: together more than the kernel buffers here.
async fn long_game(stage: &Stage) -> Game {
    let questions: Vec<_> = (0..12)
        .map(|number| {
            let text = format!("{number:04}{}", "\u{1f4da}".repeat(1_990));
            json!({"text": text, "type": "text", "correctAnswers": ["x"]})
        })
        .collect();
    stage.game_of((HOST, json!(questions))).await
}

async fn stalled(stage: &Stage, game: &Game, name: &str) -> Wire {
    let token = stage.join(game, name).await;
    let mut handshake = Handshake::bearer(&token);
    handshake.receive_buffer = Some(4_096);
    stage.knock(&format!("/ws/{}", game.code), &handshake).await.unwrap()
}

/// Starts the game and releases all questions; the host reads its own copies.
async fn release(stage: &Stage, (game, host): (&Game, &mut Wire)) {
    host.send(&json!({"type": "start_game"})).await;
    for question in stage.questions(game).await {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        host.until("question_released").await;
    }
}

#[tokio::test]
async fn no_byte_taken_for_too_long_is_closed_as_slow() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB"), ("WRITE_TIMEOUT", "500ms"), ("CLOSE_TIMEOUT", "10s")]).await;
    let game = long_game(&stage).await;
    let mut host = stage.host(&game).await;
    let mut slow = stalled(&stage, &game, "Stalled").await;
    release(&stage, (&game, &mut host)).await;
    // It does not read until the server has closed it, which drops the frames that waited: most of twelve times 8 KB.
    let (end, sockets) = (Instant::now() + TIMEOUT, &stage.running.app().sockets);
    while sockets.stats().queued_bytes >= 10_000 {
        assert!(Instant::now() < end, "not closed");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(
        slow.closed().await,
        code(CloseCode::SlowConsumer),
        "the frame that was begun is finished, then the close follows"
    );
}
