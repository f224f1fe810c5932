//! A `ping` over a real socket of `quizhall.v1` that comes with the last bytes of the handshake.

use serde_json::json;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

async fn open(stage: &Stage, game: &Game, handshake: &Handshake) -> Wire {
    stage.knock(&format!("/ws/{}", game.code), handshake).await.unwrap()
}

fn ping() -> Vec<u8> {
    frame(0x81, br#"{"type":"ping"}"#)
}

/// The types of all messages up to the first `pong`, included.
async fn received_until_pong(wire: &mut Wire) -> Vec<String> {
    let mut received = Vec::new();
    while received.last().is_none_or(|kind| kind != "pong") {
        let message = wire.text().await;
        if message["type"] == "pong" {
            assert_eq!(message, json!({"type": "pong"}));
        }
        received.push(message["type"].as_str().unwrap().to_owned());
    }
    received
}

/// All messages that arrive before the pong of a protocol ping.
async fn received_meanwhile(wire: &mut Wire) -> Vec<String> {
    wire.raw(&frame(0x89, b"now")).await;
    let mut received = Vec::new();
    loop {
        match wire.next().await {
            Frame::Text(text) => received.push(text),
            Frame::Pong(data) if data == b"now" => return received,
            Frame::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_first_ping_in_one_piece_with_the_handshake_is_answered_after_the_sync() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    let mut plain = stage.player(&game, "Plain").await;
    let mut host = stage.host(&game).await;
    host.send(&json!({"type": "start_game"})).await;
    let question = stage.questions(&game).await[0].clone();
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    plain.until("question_released").await;
    plain.send(&json!({"type": "submit_answer", "payload": {"questionId": question, "answer": "x"}})).await;
    host.until("scoreboard_update").await;
    let of_host = ["host_status", "room_update", "round_started", "question_released", "scoreboard_update"];
    let of_host = [&of_host[..], &["players_answered", "step_update"]].concat();
    let of_player = vec!["host_status", "round_started", "question_released"];
    for (token, expected) in [(HOST, of_host), (&token, of_player)] {
        let mut handshake = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
        handshake.early = ping().repeat(2);
        let mut asked = open(&stage, &game, &handshake).await;
        let received = received_until_pong(&mut asked).await;
        assert_eq!(received, [&expected[..], &["pong"]].concat());
        assert_eq!(received_until_pong(&mut asked).await, ["pong"]);
    }
    for text in received_meanwhile(&mut plain).await {
        assert!(!text.contains("pong"), "{text}");
    }
}
