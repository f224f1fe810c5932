//! Screens over real sockets: the link, what it opens, what a screen is shown, and its end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

fn asked() -> Value {
    json!([{ "text": "Which is it?", "type": "text", "correctAnswers": ["canary of the key"] }])
}

/// The code and the token of a link, and the id of its screen.
async fn added(stage: &Stage, game: &Game) -> (String, String) {
    let (status, screen) = stage.post(&path(game), (HOST, json!({}))).await;
    assert_eq!(status, 201, "{screen}");
    let (page, fragment) = screen["url"].as_str().unwrap().split_once('#').unwrap();
    assert!(page.ends_with("/screen"), "{page}");
    let (code, token) = fragment.split_once('/').unwrap();
    assert_eq!(code, game.code);
    (token.to_owned(), screen["screenId"].as_str().unwrap().to_owned())
}

fn path(game: &Game) -> String {
    format!("/api/v1/games/{}/screens", game.id)
}

async fn show(stage: &Stage, game: &Game, show: &Value) -> (u16, Value) {
    stage.put(&format!("{}/show", path(game)), (HOST, show)).await
}

async fn refused(stage: &Stage, game: &Game, asking: &Handshake) -> String {
    stage.knock(&format!("/ws/{}", game.code), asking).await.err().unwrap()
}

async fn screen(stage: &Stage, game: &Game, token: &str) -> Wire {
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

/// Reads the pictures up to the first one that satisfies the condition.
async fn until(wire: &mut Wire, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = timeout(Duration::from_secs(10), wire.text()).await.unwrap();
        assert_eq!(message["type"], "screen_update");
        if fits(&message["payload"]) {
            return message["payload"].clone();
        }
    }
}

#[tokio::test]
async fn a_screen_is_shown_a_round_turned_by_the_host_and_removed() {
    let stage = Stage::new().await;
    let game = stage.game_of((HOST, asked())).await;
    let question = stage.questions(&game).await.remove(0);
    let (token, id) = added(&stage, &game).await;
    let mut wall = screen(&stage, &game, &token).await;
    assert_eq!(until(&mut wall, |_| true).await["phase"], "lobby");
    let ann = stage.join(&game, "Ann").await;
    let mut host = stage.socket(&game.code, HOST).await;
    let mut player = stage.socket(&game.code, &ann).await;
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    let open = until(&mut wall, |picture| picture["questions"].is_array()).await;
    assert_eq!((&open["questions"][0]["answered"], &open["questions"][0]["of"]), (&json!(0), &json!(1)));
    player.until("question_released").await;
    let answer = json!({"questionId": question, "answer": "canary of the key"});
    player.send(&json!({"type": "submit_answer", "payload": answer})).await;
    let answered = until(&mut wall, |picture| picture["questions"][0]["answered"] == 1).await;
    assert!(!answered.to_string().contains("canary"), "{answered}");
    host.send(&json!({"type": "end_round"})).await;
    host.send(&json!({"type": "release_scores"})).await;
    assert_eq!(until(&mut wall, |picture| picture["show"].is_object()).await["show"]["kind"], "winner");
    let chosen = json!({"slide": {"kind": "question"}, "sound": true, "language": "de"});
    assert_eq!(show(&stage, &game, &chosen).await.0, 204);
    let turned = until(&mut wall, |picture| picture["show"]["kind"] == "question").await;
    assert_eq!((&turned["show"]["answer"], &turned["language"]), (&json!("canary of the key"), &json!("de")));
    let listed = stage.read(&path(&game), HOST).await;
    assert_eq!(listed["show"], json!({"slide": {"kind": "question", "at": 0}, "sound": true, "language": "de"}));
    let (status, problem) = show(&stage, &game, &json!({"language": "<b>"})).await;
    assert_eq!((status, &problem["field"]), (422, &json!("language")));

    // It opens no other game, and none once it is removed.
    let asking = Handshake::bearer(&token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    let other = stage.game_of((HOST, asked())).await;
    assert!(refused(&stage, &other, &asking).await.contains("403"));
    assert_eq!(stage.delete(&format!("{}/{id}", path(&game)), HOST).await, 204);
    let closed = timeout(Duration::from_secs(1), wall.closed()).await.expect("within a second");
    assert_eq!(closed.0, 4401);
    assert!(refused(&stage, &game, &asking).await.contains("401"));
}

async fn let_watch(stage: &Stage, game: &Game, allowed: bool) -> u16 {
    stage.put(&format!("/api/v1/games/{}/spectators", game.id), (HOST, &json!({"allowed": allowed}))).await.0
}

async fn watch(stage: &Stage, game: &Game) -> (u16, Value) {
    stage.post("/api/v1/spectators", ("", json!({"gameCode": game.code.to_lowercase()}))).await
}

#[tokio::test]
async fn a_spectator_is_no_player_and_watches_one_game() {
    let stage = Stage::new().await;
    let (game, other) = (stage.game_of((HOST, asked())).await, stage.game_of((HOST, asked())).await);
    let (status, problem) = watch(&stage, &game).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/no-spectators")), "{problem}");
    assert!(stage.read(&path(&game), HOST).await.get("watchUrl").is_none());
    assert_eq!(let_watch(&stage, &game, true).await, 204);
    let listed = stage.read(&path(&game), HOST).await;
    assert!(listed["watchUrl"].as_str().unwrap().ends_with(&format!("/watch/{}", game.code)), "{listed}");
    let (status, spectator) = watch(&stage, &game).await;
    assert_eq!((status, &spectator["gameCode"]), (201, &json!(game.code)), "{spectator}");
    let token = spectator["token"].as_str().unwrap();
    let mut watching = screen(&stage, &game, token).await;
    until(&mut watching, |_| true).await;
    let players = stage.read(&format!("/api/v1/games/{}/players", game.id), HOST).await;
    assert_eq!(players["players"], json!([]));
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    assert!(refused(&stage, &other, &asking).await.contains("403"), "another game");
    watching.send(&json!({"type": "start_game"})).await;
    assert_eq!(watching.closed().await.0, 4004);
}

/// A node of an earlier version could not continue the game.
#[tokio::test]
async fn while_an_older_node_serves_no_screen_is_added_or_promised_and_nothing_is_shown() {
    let stage = Stage::new().await;
    let game = stage.game_of((HOST, asked())).await;
    stage.running.app().registry.set_oldest_log(0);
    assert_eq!(let_watch(&stage, &game, true).await, 409);
    let (status, problem) = stage.post(&path(&game), (HOST, json!({}))).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/older-node")));
    let detail = "A node of an earlier version does not know screens. Try again when all nodes run this version.";
    assert_eq!(problem["detail"], detail);
    let pair = format!("{}/pair", path(&game));
    let (status, again) = stage.post(&pair, (HOST, json!({"code": "ABC234"}))).await;
    assert_eq!((status, again), (409, problem), "also before the screen asks");
    assert_eq!(show(&stage, &game, &json!({})).await.0, 409);
}

#[tokio::test]
async fn a_game_has_fifty_screens() {
    let stage = Stage::new().await;
    let game = stage.game_of((HOST, asked())).await;
    for _ in 0..50 {
        added(&stage, &game).await;
    }
    assert_eq!(stage.post(&path(&game), (HOST, json!({}))).await.0, 409);
}

/// The reply to a screen that shows a code: status and body.
async fn asks(stage: &Stage, secret: &str) -> (u16, Value) {
    stage.get_with("/api/v1/screen-pairings/own", secret).await
}

#[tokio::test]
async fn a_screen_that_shows_a_code_gets_its_link_once_the_host_has_typed_it() {
    let stage = Stage::new().await;
    let game = stage.game_of((HOST, asked())).await;
    let (status, pairing) = stage.post("/api/v1/screen-pairings", ("", json!({}))).await;
    assert_eq!((status, &pairing["expiresIn"]), (201, &json!(600)));
    let (code, secret) = (pairing["code"].as_str().unwrap(), pairing["secret"].as_str().unwrap());
    assert_eq!(asks(&stage, secret).await, (200, json!({})));
    let pair = format!("{}/pair", path(&game));
    assert_eq!(stage.post(&pair, ("", json!({"code": code}))).await.0, 401);
    let typed = format!("{}-{}", &code[..3].to_lowercase(), &code[3..]);
    let (status, paired) = stage.post(&pair, (HOST, json!({"code": typed}))).await;
    assert_eq!(status, 202, "{paired}");
    let (_, link) = asks(&stage, secret).await;
    let token = link["url"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
    let mut wall = screen(&stage, &game, &token).await;
    assert_eq!(until(&mut wall, |_| true).await["phase"], "lobby");
    assert_eq!(asks(&stage, secret).await.1, link, "the answer may be lost");
    // A screen that the host has removed is not added again by asking again.
    let id = paired["screenId"].as_str().unwrap();
    assert_eq!(stage.delete(&format!("{}/{id}", path(&game)), HOST).await, 204);
    assert_eq!(wall.closed().await.0, 4401);
    asks(&stage, secret).await;
    assert_eq!(stage.read(&path(&game), HOST).await["screens"], json!([]));

    // One that is removed before it asks is not added at all.
    let (_, pairing) = stage.post("/api/v1/screen-pairings", ("", json!({}))).await;
    let (status, paired) = stage.post(&pair, (HOST, json!({"code": pairing["code"]}))).await;
    assert_eq!(status, 202, "{paired}");
    let id = paired["screenId"].as_str().unwrap();
    assert_eq!(stage.delete(&format!("{}/{id}", path(&game)), HOST).await, 204);
    assert_eq!(asks(&stage, pairing["secret"].as_str().unwrap()).await.0, 404);
    assert_eq!(stage.read(&path(&game), HOST).await["screens"], json!([]));
}

#[tokio::test]
async fn wrong_codes_of_screens_are_not_found_and_limited_by_account() {
    let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3")]).await;
    let (game, other) = (stage.game_of((HOST, asked())).await, stage.game_of((HOST, asked())).await);
    let pair = format!("{}/pair", path(&game));
    let (status, problem) = stage.post(&pair, (HOST, json!({"code": "AAAAAA"}))).await;
    assert_eq!((status, &problem["field"]), (404, &json!("code")));
    assert_eq!(stage.post(&pair, (HOST, json!({"code": "?"}))).await.0, 422);
    assert_eq!(asks(&stage, "qc_nothing").await.0, 404);
    for code in ["BBBBBB", "CCCCCC"] {
        assert_eq!(stage.post(&pair, (HOST, json!({"code": code}))).await.0, 404);
    }
    assert_eq!(stage.post(&pair, (HOST, json!({"code": "DDDDDD"}))).await.0, 429);
    let elsewhere = format!("{}/pair", path(&other));
    assert_eq!(
        stage.post(&elsewhere, (HOST, json!({"code": "DDDDDD"}))).await.0,
        429,
        "another game gives no more guesses"
    );
    let (status, _) = stage.post("/join", ("", json!({"gameCode": "DDDDDD", "displayName": "Ann"}))).await;
    assert_eq!(status, 404, "codes of games are counted separately");
    let (status, pairing) = stage.post("/api/v1/screen-pairings", ("", json!({}))).await;
    assert_eq!(status, 201);
    assert_eq!(
        stage.post(&pair, (HOST, json!({"code": pairing["code"]}))).await.0,
        202,
        "the screen is in the same room"
    );
}

/// There are a thousand times as many codes of screens as one address gets, and reloading a page does not use them up.
#[tokio::test]
async fn one_address_asks_for_sixty_codes_of_screens() {
    let stage = Stage::new().await;
    let mut statuses = Vec::new();
    for _ in 0..62 {
        statuses.push(stage.post("/api/v1/screen-pairings", ("", json!({}))).await.0);
    }
    assert!(statuses[..60].iter().all(|status| *status == 201), "{statuses:?}");
    assert!(statuses[60..].contains(&429), "{statuses:?}");
}
