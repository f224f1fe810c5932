//! The host's changes to marks survive kill -9, and can still be undone afterwards (promises 8 and 10).

use serde_json::{Value, json};

use super::company::{Company, acknowledged, answer, release, say, sync_messages, types};
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::ws_wire::{Handshake, Wire};

const NAMES: [&str; 3] = ["Ann", "Bob", "Cy"];

async fn host(server: &Server, company: &Company) -> Wire {
    let asking = Handshake::bearer(HOST_TOKEN).with("Sec-WebSocket-Protocol", "quizhall.v1");
    company.open_socket(server, &asking).await
}

/// Whether each of the three answers counts, by the review on connecting, and how many markings can be undone.
fn marks(sync_messages: &[Value]) -> (Vec<bool>, u64) {
    let before =
        ["host_status", "room_update", "round_started", "round_ended", "round_review", "marking_update", "step_update"];
    assert_eq!(types(sync_messages), before);
    let answers = sync_messages[4]["payload"]["answers"].as_array().unwrap();
    let correct = answers.iter().map(|answer| answer["correct"].as_bool().unwrap()).collect();
    (correct, sync_messages[5]["payload"]["undoable"].as_u64().unwrap())
}

/// Sends the message and reads up to the confirmation that follows every marking.
async fn mark(host: &mut Wire, message: &Value) -> u64 {
    host.send(message).await;
    host.until("marking_update").await["payload"]["undoable"].as_u64().unwrap()
}

/// Three answers in review: two identical, and a different one.
async fn review(server: &Server, company: &Company) -> Wire {
    let mut wire = host(server, company).await;
    say(&mut wire, "start_game").await;
    let question = company.rounds[0][0];
    release(&mut wire, question).await;
    for (number, text) in [(0, "rihgt"), (1, "rihgt"), (2, "other")] {
        let mut player = company.player(server, number).await;
        player.until("question_released").await;
        answer(&mut player, question, text).await;
        acknowledged(&mut player, question).await;
    }
    say(&mut wire, "end_round").await;
    wire
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_marking_survives_a_kill_and_is_taken_back_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let company = Company::open(&server, &[1], &NAMES).await;
    let mut wire = review(&server, &company).await;
    let (question, ann) = (company.rounds[0][0], company.players[0].id);
    let group = json!({"questionId": question, "answers": ["rihgt", "never given"], "correct": true});
    assert_eq!(mark(&mut wire, &json!({"type": "mark_answers", "payload": group})).await, 1);
    let alone = json!({"questionId": question, "playerId": ann, "correct": false});
    assert_eq!(mark(&mut wire, &json!({"type": "override_answer", "payload": alone})).await, 2);

    // The server knows of the markings only from its log.
    server.kill();
    server = Server::start(&Launch::new(folder.path()));
    for expected in [(vec![false, true, false], 2), (vec![true, true, false], 1), (vec![false; 3], 0)] {
        wire = host(&server, &company).await;
        assert_eq!(marks(&sync_messages(&mut wire).await), expected);
        let left = expected.1.saturating_sub(1);
        assert_eq!(mark(&mut wire, &json!({"type": "undo_marking"})).await, left);
    }
    say(&mut wire, "release_scores").await;
    let board = wire.until("round_leaderboard").await;
    let entries = board["payload"]["leaderboard"].as_array().unwrap().iter();
    assert_eq!(entries.map(|entry| entry["score"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 0, 0]);
}
