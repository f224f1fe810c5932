//! Co-hosts over HTTP: the invitation, the rights of each role, the author of a marking, and the end with the host's sessions.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

fn path(game: &Game) -> String {
    format!("/api/v1/games/{}/co-hosts", game.id)
}

async fn game(stage: &Stage) -> Game {
    let asked = json!([{ "text": "Which is it?", "type": "text", "correctAnswers": ["this"] }]);
    stage.game_of((HOST, asked)).await
}

/// The token of an invitation, and the co-host's id.
async fn invited(stage: &Stage, game: &Game, role: &str, label: &str) -> (String, String) {
    let (status, invited) = stage.post(&path(game), (HOST, json!({"role": role, "label": label}))).await;
    assert_eq!(status, 201, "{invited}");
    let (page, token) = invited["url"].as_str().unwrap().split_once('#').unwrap();
    assert!(page.ends_with("/host/invited"), "{page}");
    (token.to_owned(), invited["coHostId"].as_str().unwrap().to_owned())
}

async fn lock(stage: &Stage, path: &str, token: &str) -> u16 {
    let request = reqwest::Client::new().patch(stage.url(path)).bearer_auth(token);
    request.json(&json!({"locked": false})).send().await.unwrap().status().as_u16()
}

async fn socket(stage: &Stage, game: &Game, token: &str) -> Wire {
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

#[tokio::test]
async fn a_marker_marks_beside_the_host_and_the_results_name_who_did() {
    let stage = Stage::new().await;
    let game = game(&stage).await;
    let question = stage.questions(&game).await.remove(0);
    let ann = stage.join(&game, "Ann").await;
    let (token, id) = invited(&stage, &game, "marker", " Ruth ").await;
    let mut host = stage.socket(&game.code, HOST).await;
    let mut player = stage.socket(&game.code, &ann).await;
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    player.until("question_released").await;
    let answer = json!({"questionId": question, "answer": "that"});
    player.send(&json!({"type": "submit_answer", "payload": answer})).await;
    player.until("answer_accepted").await;
    host.send(&json!({"type": "end_round"})).await;
    host.until("round_review").await;
    let mut marker = socket(&stage, &game, &token).await;
    let review = marker.until("round_review").await;
    let who = review["payload"]["answers"][0]["playerId"].clone();
    let mark = json!({"playerId": who, "questionId": question, "correct": true});
    marker.send(&json!({"type": "override_answer", "payload": mark})).await;
    assert_eq!(marker.until("override_applied").await["payload"]["correct"], true);
    assert_eq!(
        host.until("override_applied").await["payload"]["correct"],
        true,
        "a host without the extension is sent it as well"
    );
    let results = stage.read(&format!("/api/v1/games/{}/results", game.id), &token).await;
    assert_eq!(results["rounds"][0]["questions"][0]["answers"][0]["marker"], "Ruth");
    let own = stage.read("/api/v1/co-hosts/current", &token).await;
    let wanted = json!({"coHostId": id, "gameId": game.id, "gameCode": game.code, "role": "marker", "label": "Ruth"});
    assert_eq!(own, wanted);
    let listed = stage.read(&path(&game), HOST).await;
    let only = &listed["coHosts"][0];
    assert_eq!((&only["coHostId"], &only["role"], &only["label"]), (&json!(id), &json!("marker"), &json!("Ruth")));
    assert_eq!(stage.delete(&format!("{}/{id}", path(&game)), HOST).await, 204);
    assert_eq!(stage.get_with("/api/v1/co-hosts/current", &token).await.0, 401);
    assert_eq!(stage.read(&path(&game), HOST).await["coHosts"], json!([]));
}

#[tokio::test]
async fn each_role_reads_the_game_and_asks_for_what_it_may() {
    let stage = Stage::new().await;
    let (game, other) = (game(&stage).await, game(&stage).await);
    let ann = stage.join(&game, "Ann").await;
    let _player = stage.socket(&game.code, &ann).await;
    let listed = stage.read(&format!("/api/v1/games/{}/players", game.id), HOST).await;
    let player = listed["players"][0]["id"].as_str().unwrap().to_owned();
    let of = |id: &str, what: &str| format!("/api/v1/games/{id}{what}");
    for (role, moves, shows, locks) in
        [("host", 201, 201, 200), ("marker", 403, 403, 403), ("moderator", 201, 403, 200)]
    {
        let (token, _) = invited(&stage, &game, role, "Helper").await;
        let token = token.as_str();
        assert_eq!(stage.read(&of(&game.id, ""), token).await["gameCode"], json!(game.code));
        let code = stage.post(&of(&game.id, &format!("/players/{player}/seat-code")), (token, json!({}))).await;
        assert_eq!(code.0, moves, "{role}");
        assert_eq!(stage.post(&of(&game.id, "/screens"), (token, json!({}))).await.0, shows, "{role}");
        assert_eq!(lock(&stage, &of(&game.id, ""), token).await, locks, "{role}");
        assert_eq!(stage.get_with(&of(&other.id, ""), token).await.0, 404, "{role}: another game");
        assert_eq!(stage.get_with("/api/v1/games", token).await.0, 401, "{role}: the account");
        assert_eq!(stage.get_with(&path(&game), token).await.0, 401, "{role}: the other invitations");
        assert_eq!(stage.delete(&of(&game.id, ""), token).await, 401, "{role}: deleting the game");
    }
}

#[tokio::test]
async fn signing_out_everywhere_closes_co_hosts_within_a_second() {
    let stage = Stage::new().await;
    let game = game(&stage).await;
    let (token, _) = invited(&stage, &game, "host", "Second device").await;
    let mut second = socket(&stage, &game, &token).await;
    second.until("room_update").await;
    assert_eq!(stage.delete("/api/v1/me/sessions", HOST).await, 204);
    let closed = timeout(Duration::from_secs(1), second.closed()).await.expect("within a second");
    assert_eq!(closed.0, 4401);
}

#[tokio::test]
async fn an_invitation_needs_a_role_and_a_name_and_a_game_has_ten() {
    let stage = Stage::new().await;
    let game = game(&stage).await;
    let refused: [Value; 4] = [
        json!({"role": "owner", "label": "Ruth"}),
        json!({"role": "marker"}),
        json!({"role": "marker", "label": " "}),
        json!({"role": "marker", "label": "x".repeat(100)}),
    ];
    for body in refused {
        assert_eq!(stage.post(&path(&game), (HOST, body.clone())).await.0, 422, "{body}");
    }
    let (_, problem) = stage.post(&path(&game), (HOST, json!({"role": "marker", "label": "Host"}))).await;
    assert_eq!(problem["detail"], "The name is reserved.");
    for _ in 0..10 {
        invited(&stage, &game, "marker", "Ruth").await;
    }
    let (status, problem) = stage.post(&path(&game), (HOST, json!({"role": "marker", "label": "Ruth"}))).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/too-many-co-hosts")));
}
