//! Sockets over time: pings, dead sockets, slow ones, signed-out ones (promises 13, 16 and 31).

use std::time::{Duration, Instant};

use quizhall_protocol::CloseCode;
use serde_json::json;

use crate::time_limits::promised;
use crate::ws_stage::{Game, HOST, Stage, TIMEOUT};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

fn code(code: CloseCode) -> (u16, String) {
    (code.number(), code.reason().to_owned())
}

#[tokio::test]
async fn who_answers_pings_stays_and_who_does_not_is_closed() {
    let stage = Stage::with(&[("PING_INTERVAL", "100ms"), ("PONG_TIMEOUT", "500ms")]).await;
    let game = stage.game().await;
    let mut silent = stage.player(&game, "Silent").await;
    let mut lively = stage.player(&game, "Lively").await;
    let begun = Instant::now();
    let mut pings = 0;
    // Twice the time that the silent socket has.
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
    assert!((3..=17).contains(&pings), "at most one every 80 ms, and a loaded machine makes fewer: {pings}");
    assert_eq!(silent.closed().await, code(CloseCode::PingTimeout));
}

#[tokio::test]
async fn any_frame_counts_as_a_sign_of_life() {
    let stage = Stage::with(&[("PING_INTERVAL", "100ms"), ("PONG_TIMEOUT", "500ms")]).await;
    let game = stage.game().await;
    let mut player = stage.player(&game, "Ann").await;
    let begun = Instant::now();
    // The client sends pings of its own, below their limit, and never answers those of the server.
    while begun.elapsed() < Duration::from_millis(1_300) {
        player.raw(&frame(0x89, b"")).await;
        while !matches!(player.next().await, Frame::Pong(_)) {}
        let _ = player.next_within(Duration::from_millis(60)).await;
    }
    player.raw(&frame(0x89, b"last")).await;
    while player.next().await != Frame::Pong(b"last".to_vec()) {}
}

#[tokio::test]
async fn a_dead_peer_leaves_the_count_and_its_player_can_connect_again() {
    let stage = Stage::with(&[("PING_INTERVAL", "100ms"), ("PONG_TIMEOUT", "100ms")]).await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    // Half open: TCP stays connected, but no process reads or writes.
    let dead = stage.socket(&game.code, &token).await;
    let end = Instant::now() + TIMEOUT;
    while stage.running.app().sockets.count() > 0 {
        assert!(Instant::now() < end, "the dead socket is still counted");
        tokio::task::yield_now().await;
    }
    let mut again = stage.socket(&game.code, &token).await;
    again.raw(&frame(0x89, b"")).await;
    assert_eq!(again.next().await, Frame::Pong(Vec::new()));
    drop(dead);
}

#[tokio::test]
async fn signing_out_closes_the_sockets_of_that_token_within_a_second() {
    let stage = Stage::new().await;
    let account = json!({"name": "ann", "password": "long enough"});
    assert_eq!(stage.post("/api/v1/hosts", (HOST, account.clone())).await.0, 201);
    let (_, session) = stage.post("/api/v1/sessions", ("", account.clone())).await;
    let (_, other) = stage.post("/api/v1/sessions", ("", account)).await;
    let (session, other) = (session["token"].as_str().unwrap(), other["token"].as_str().unwrap());
    let questions = json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]);
    let game = stage.game_of((session, questions.clone())).await;
    let second = stage.game_of((other, questions)).await;
    let mut host = stage.socket(&game.code, session).await;
    let mut elsewhere = stage.socket(&second.code, other).await;
    let begun = Instant::now();
    assert_eq!(stage.delete("/api/v1/sessions/current", session).await, 204);
    assert_eq!(host.closed().await, code(CloseCode::Unauthorized));
    assert!(begun.elapsed() < promised(Duration::from_secs(1)));
    elsewhere.raw(&frame(0x89, b"")).await;
    assert_eq!(elsewhere.next().await, Frame::Pong(Vec::new()), "another session of the same account continues");
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

/// Sixty questions of some 8 KB each: together more than any queue and kernel buffer here.
async fn long_game(stage: &Stage) -> Game {
    let questions: Vec<_> = (0..60)
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

/// Starts the game and releases its first `count` questions; the host reads its own copies.
async fn release(stage: &Stage, (game, host): (&Game, &mut Wire), count: usize) {
    host.send(&json!({"type": "start_game"})).await;
    for question in stage.questions(game).await.into_iter().take(count) {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        host.until("question_released").await;
    }
}

#[tokio::test]
async fn a_phone_that_stopped_reading_is_closed_and_delays_no_other_client() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB")]).await;
    let game = long_game(&stage).await;
    let (mut host, mut player) = (stage.host(&game).await, stage.player(&game, "Lively").await);
    let mut slow = stalled(&stage, &game, "Stalled").await;
    let listener = tokio::spawn(async move {
        for number in 0..60 {
            let text = player.until("question_released").await["payload"]["question"]["text"].to_string();
            assert!(text[1..].starts_with(&format!("{number:04}")), "every question, in order");
        }
    });
    release(&stage, (&game, &mut host), 60).await;
    listener.await.unwrap();
    // Its queue held 256 KiB long before the last question; the sockets that are left are the other two.
    let end = Instant::now() + TIMEOUT;
    while stage.running.app().sockets.count() > 2 {
        assert!(Instant::now() < end, "the stalled socket is still there");
        tokio::task::yield_now().await;
    }
    // It received a close if the kernel still had room for it.
    loop {
        match slow.next().await {
            Frame::Text(_) => {}
            Frame::Close(number, reason) => assert_eq!((number, reason), code(CloseCode::SlowConsumer)),
            Frame::End => break,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn no_byte_taken_for_too_long_is_closed_as_slow() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB"), ("WRITE_TIMEOUT", "500ms"), ("CLOSE_TIMEOUT", "10s")]).await;
    let game = long_game(&stage).await;
    let mut host = stage.host(&game).await;
    let mut slow = stalled(&stage, &game, "Stalled").await;
    release(&stage, (&game, &mut host), 12).await;
    // It does not read until the server has closed it, which drops the frames that waited: most of twelve times 8 KB.
    let (end, sockets) = (Instant::now() + TIMEOUT, &stage.running.app().sockets);
    while sockets.stats().queued_bytes >= 10_000 {
        assert!(Instant::now() < end, "not closed");
        tokio::task::yield_now().await;
    }
    assert_eq!(
        slow.closed().await,
        code(CloseCode::SlowConsumer),
        "the frame that was begun is finished, then the close follows"
    );
}
