//! Players on paper over real sockets: the limit of players, and nodes of an earlier version.

use quizhall_rules::LOG_VERSION;
use serde_json::{Value, json};

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

async fn host_of(stage: &Stage, game: &Game) -> Wire {
    let asking = Handshake::bearer(HOST).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

fn add(name: &str) -> Value {
    json!({"type": "add_seat", "payload": {"displayName": name}})
}

/// The names of the players on paper in the next `room_update` that lists any.
async fn on_paper(host: &mut Wire) -> Vec<String> {
    loop {
        let room = host.until("room_update").await["payload"]["players"].take();
        let players = room.as_array().unwrap().iter().filter(|player| player["onPaper"] == true);
        let names: Vec<String> = players.map(|player| player["displayName"].as_str().unwrap().to_owned()).collect();
        if !names.is_empty() {
            return names;
        }
    }
}

#[tokio::test]
async fn players_on_paper_count_to_the_limit_of_a_game() {
    let stage = Stage::with(&[("MAX_PLAYERS", "2")]).await;
    let game = stage.game().await;
    let mut host = host_of(&stage, &game).await;
    stage.join(&game, "Ann").await;
    host.send(&add("Zoe")).await;
    assert_eq!(on_paper(&mut host).await, ["Zoe"]);
    host.send(&add("Zoe")).await;
    host.until("room_update").await;
    host.send(&add("Yara")).await;
    assert_eq!(host.closed().await, (4002, "invalid_payload: game full".to_owned()));
}

/// A node of an earlier version could not continue the game.
#[tokio::test]
async fn while_an_older_node_serves_no_seat_is_added() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let mut host = host_of(&stage, &game).await;
    stage.running.app().registry.set_oldest_log(0);
    host.send(&add("Zoe")).await;
    host.send(&json!({"type": "ping"})).await;
    host.until("pong").await;
    stage.running.app().registry.set_oldest_log(LOG_VERSION);
    host.send(&add("Yara")).await;
    assert_eq!(on_paper(&mut host).await, ["Yara"], "the first one did nothing");
}
