//! Between two rounds, over real sockets: what waits while a node of an earlier version serves.

use serde_json::json;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

async fn open(stage: &Stage, game: &Game, token: &str) -> Wire {
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

/// A host and a player with the extension, and a player without it, in the review of one question.
async fn reviewing(stage: &Stage) -> (Game, String, [Wire; 3]) {
    let asked = json!([{
        "text": "Which is it?", "type": "multiple_choice", "choices": ["red", "blue"], "correctAnswers": ["blue"],
        "explanation": "It always is.", "hostNote": "never seen",
    }]);
    let game = stage.game_of((HOST, asked)).await;
    let question = stage.questions(&game).await.remove(0);
    let (ann, ben) = (stage.join(&game, "Ann").await, stage.join(&game, "Ben").await);
    let mut host = open(stage, &game, HOST).await;
    let mut player = open(stage, &game, &ann).await;
    let mut plain = stage.socket(&game.code, &ben).await;
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    player.until("question_released").await;
    player.send(&json!({"type": "submit_answer", "payload": {"questionId": question, "answer": "red"}})).await;
    player.until("answer_accepted").await;
    host.send(&json!({"type": "end_round"})).await;
    for wire in [&mut host, &mut player, &mut plain] {
        wire.until("round_ended").await;
    }
    (game, question, [host, player, plain])
}

/// The types of the messages up to this one.
async fn types_until(wire: &mut Wire, last: &str) -> Vec<String> {
    let mut types = Vec::new();
    while types.last().is_none_or(|kind| kind != last) {
        types.push(wire.text().await["type"].as_str().unwrap().to_owned());
    }
    types
}

/// A node of an earlier version could not continue the game.
#[tokio::test]
async fn while_an_older_node_serves_nothing_is_revealed_or_halved_no_key_changes_and_no_break_begins() {
    let stage = Stage::new().await;
    let (game, question, [mut host, ..]) = reviewing(&stage).await;
    stage.running.app().registry.set_older_nodes(true);
    host.send(&json!({"type": "reveal_answer", "payload": {"questionId": question}})).await;
    host.send(&json!({"type": "start_break", "payload": {"seconds": 60}})).await;
    host.send(&json!({"type": "accept_answer", "payload": {"questionId": question, "text": "red", "correct": true}}))
        .await;
    let half = json!({"questionId": question, "answers": ["red"], "correct": false, "half": true});
    host.send(&json!({"type": "mark_answers", "payload": half})).await;
    host.send(&json!({"type": "ping"})).await;
    host.send(&json!({"type": "undo_marking"})).await;
    let types = types_until(&mut host, "marking_update").await;
    let is_new = |kind: &String| ["answer_revealed", "break_update", "answers_marked"].contains(&kind.as_str());
    assert!(!types.iter().any(is_new), "{types:?}");
    let mut again = open(&stage, &game, HOST).await;
    let types = types_until(&mut again, "marking_update").await;
    assert!(!types.iter().any(|kind| kind == "answer_revealed" || kind == "break_update"), "{types:?}");
}

/// The same for a tie-break, which also needs the standings.
#[tokio::test]
async fn while_an_older_node_serves_no_tie_break_begins() {
    let stage = Stage::new().await;
    let (_, _, [mut host, mut player, _]) = reviewing(&stage).await;
    host.send(&json!({"type": "release_scores"})).await;
    let board = player.until("round_leaderboard").await["payload"]["leaderboard"].clone();
    let ids = json!([board[0]["playerId"], board[1]["playerId"]]);
    let asked = json!({"type": "tie_break", "payload": {"playerIds": ids, "text": "How many?", "number": 88}});
    stage.running.app().registry.set_older_nodes(true);
    host.send(&asked).await;
    player.send(&json!({"type": "answer_tie_break", "payload": {"number": 1}})).await;
    player.send(&json!({"type": "ping"})).await;
    let types = types_until(&mut player, "pong").await;
    assert!(!types.iter().any(|kind| kind.starts_with("tie_break")), "{types:?}");
    stage.running.app().registry.set_older_nodes(false);
    host.send(&asked).await;
    player.until("tie_breaks").await;
    player.send(&json!({"type": "answer_tie_break", "payload": {"number": -5}})).await;
    assert_eq!(player.until("tie_break_answer").await["payload"], json!({"number": -5}));
    player.send(&json!({"type": "answer_tie_break", "payload": {"number": 1_000_000_000_000_001_u64}})).await;
    assert_eq!(player.closed().await.0, 4002);
}
