//! Seats that move to another phone, over real sockets: codes, the end of the previous phone, and limits, also of seats on paper.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// Joins; the player's id and token.
async fn join(stage: &Stage, game: &Game, name: &str, key: &str) -> (u16, Value) {
    let body = json!({"gameCode": game.code, "displayName": name});
    stage.post_keyed("/join", key, body).await
}

async fn issued(stage: &Stage, game: &Game, player: &Value) -> String {
    let path = format!("/api/v1/games/{}/players/{}/seat-code", game.id, player["playerId"].as_str().unwrap());
    let (status, code) = stage.post(&path, (HOST, json!({}))).await;
    assert_eq!((status, &code["expiresIn"]), (201, &json!(300)), "{code}");
    let url = code["url"].as_str().unwrap();
    let (page, seat_code) = url.split_once("#seat=").unwrap();
    assert!(page.ends_with(&format!("/?code={}", game.code)), "{page}");
    assert_eq!(code["seatCode"], seat_code);
    seat_code.to_owned()
}

async fn take(stage: &Stage, game: &Game, (code, key): (&str, &str)) -> (u16, Value) {
    stage.post_keyed("/api/v1/seats", key, json!({"gameCode": game.code, "seatCode": code})).await
}

fn token(seat: &Value) -> &str {
    seat["sessionToken"].as_str().unwrap()
}

async fn refused(stage: &Stage, game: &Game, token: &str) -> bool {
    let opened = stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(token)).await;
    opened.err().is_some_and(|refused| refused.contains("401"))
}

async fn closed(wire: &mut Wire) -> u16 {
    timeout(Duration::from_secs(1), wire.closed()).await.expect("within a second").0
}

#[tokio::test]
async fn another_phone_takes_the_seat_and_the_phone_before_is_out_at_once() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let ann = join(&stage, &game, "Ann", "key of the first phone").await.1;
    let mut old = stage.socket(&game.code, token(&ann)).await;
    let code = issued(&stage, &game, &ann).await;
    let typed = format!("{}-{}", &code[..3].to_lowercase(), &code[3..]);
    let (status, moved) = take(&stage, &game, (&typed, "key of the second phone")).await;
    assert_eq!(status, 201, "{moved}");
    assert_eq!((&moved["playerId"], &moved["displayName"]), (&ann["playerId"], &json!("Ann")));
    assert_eq!(closed(&mut old).await, 4401);
    assert!(refused(&stage, &game, token(&ann)).await);
    assert!(!refused(&stage, &game, token(&moved)).await);
    // The reply to the request may be lost; the code works for no other phone, and the first phone does not return by its key.
    assert_eq!(take(&stage, &game, (&code, "key of the second phone")).await.1, moved);
    let (status, problem) = take(&stage, &game, (&code, "key of a third phone")).await;
    assert_eq!((status, &problem["field"]), (404, &json!("seatCode")));
    let (status, problem) = join(&stage, &game, "Ann", "key of the first phone").await;
    assert_eq!((status, problem["type"].as_str().unwrap()), (409, "/problems/seat-moved"));
}

#[tokio::test]
async fn wrong_seat_codes_are_limited_within_their_game_and_so_are_seats() {
    let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3"), ("MAX_PLAYERS", "2")]).await;
    let game = stage.game().await;
    let ann = join(&stage, &game, "Ann", "k").await.1;
    assert_eq!(take(&stage, &game, ("?", "k")).await.0, 422);
    for code in ["AAAAAA", "BBBBBB", "CCCCCC"] {
        assert_eq!(take(&stage, &game, (code, "k")).await.0, 404);
    }
    assert_eq!(take(&stage, &game, ("DDDDDD", "k")).await.0, 429, "a client that has guessed too often learns nothing");
    let code = issued(&stage, &game, &ann).await;
    assert_eq!(take(&stage, &game, (&code, "k")).await.0, 201, "the code was issued in the same room");
    a_seat_on_paper_counts_as_a_player(&stage, &game).await;
}

/// Of the two players that a game may have here, one has joined.
async fn a_seat_on_paper_counts_as_a_player(stage: &Stage, game: &Game) {
    let asking = Handshake::bearer(HOST).with("Sec-WebSocket-Protocol", "quizhall.v1");
    let mut host = stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap();
    for name in ["Zoe", "Yara"] {
        host.send(&json!({"type": "add_seat", "payload": {"displayName": name}})).await;
    }
    let room = loop {
        let room = host.until("room_update").await["payload"]["players"].take();
        if room.as_array().unwrap().iter().any(|player| player["onPaper"] == true) {
            break room;
        }
    };
    assert!(room.to_string().contains("Zoe"), "{room}");
    assert_eq!(host.closed().await, (4002, "invalid_payload: game full".to_owned()));
}
