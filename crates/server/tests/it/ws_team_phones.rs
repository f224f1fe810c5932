//! The removal of one phone of a team, by those who may: the team and its other phones continue.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_teams::{self, join};
use crate::ws_wire::{Handshake, Wire};

/// A game whose players can be teams.
async fn game(stage: &Stage, captain_only: bool) -> Game {
    ws_teams::game(stage, json!({"devices": 3, "captainOnly": captain_only})).await
}

/// A team of three phones.
async fn team(stage: &Stage, game: &Game) -> [Value; 3] {
    let first = join(stage, game, ("Larks", "first"), json!({"team": true})).await.1;
    let code = json!({"teamCode": first["teamCode"]});
    let second = join(stage, game, ("Cem", "second"), code.clone()).await.1;
    let (status, third) = join(stage, game, ("Dov", "third"), code).await;
    assert_eq!(status, 201, "{third}");
    [first, second, third]
}

fn word<'a>(seat: &'a Value, field: &str) -> &'a str {
    seat[field].as_str().unwrap()
}

fn phone_path(game: &Game, seat: &Value) -> String {
    format!("/api/v1/games/{}/players/{}/phones/{}", game.id, word(seat, "playerId"), word(seat, "deviceId"))
}

async fn opened(stage: &Stage, game: &Game, seat: &Value) -> Wire {
    let asking = Handshake::bearer(word(seat, "sessionToken")).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

async fn is_refused(stage: &Stage, game: &Game, seat: &Value) -> bool {
    let handshake = Handshake::bearer(word(seat, "sessionToken"));
    stage.knock(&format!("/ws/{}", game.code), &handshake).await.err().is_some_and(|refused| refused.contains("401"))
}

async fn closed(wire: &mut Wire) -> u16 {
    timeout(Duration::from_secs(1), wire.closed()).await.expect("within a second").0
}

#[tokio::test]
async fn one_phone_is_removed_and_out_after_a_restart_as_well() {
    let stage = Stage::new().await;
    let game = game(&stage, false).await;
    let [first, second, third] = team(&stage, &game).await;
    let mut two = opened(&stage, &game, &second).await;
    let own = format!("/api/v1/phones/{}", word(&second, "deviceId"));
    assert_eq!(stage.delete(&own, word(&first, "sessionToken")).await, 403, "a team without a captain");
    for (role, status) in [("marker", 403), ("moderator", 204)] {
        let path = format!("/api/v1/games/{}/co-hosts", game.id);
        let (_, invited) = stage.post(&path, (HOST, json!({"role": role, "label": "Ruth"}))).await;
        let token = word(&invited, "url").split_once('#').unwrap().1;
        assert_eq!(stage.delete(&phone_path(&game, &second), token).await, status, "{role}");
    }
    assert_eq!(closed(&mut two).await, 4401);
    assert_eq!(stage.delete(&phone_path(&game, &second), HOST).await, 204, "it has been removed already");
    let (status, problem) = join(&stage, &game, ("Cem", "second"), json!({"teamCode": first["teamCode"]})).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/seat-removed")), "its key does not bring it back");
    let (status, _) = stage.post("/api/v1/seat-code", (word(&second, "sessionToken"), json!({}))).await;
    assert_eq!(status, 401);
    let code = format!("/api/v1/games/{}/players/{}/seat-code", game.id, word(&first, "playerId"));
    let of_removed = format!("{code}?deviceId={}", word(&second, "deviceId"));
    assert_eq!(stage.post(&of_removed, (HOST, json!({}))).await.0, 404);
    for missing in [
        format!("{}x", phone_path(&game, &second)),
        phone_path(&game, &first).replace(&game.id, word(&first, "playerId")),
    ] {
        assert_eq!(stage.delete(&missing, HOST).await, 404, "{missing}");
    }

    // The removal is in the log, and not only in the memory of the service.
    let Stage { running, folder, .. } = stage;
    running.stop();
    running.finished().await;
    let stage = Stage::in_folder(folder, &[]).await;
    assert!(is_refused(&stage, &game, &second).await, "its token is refused");
    assert!(!is_refused(&stage, &game, &first).await && !is_refused(&stage, &game, &third).await);
}

#[tokio::test]
async fn a_captain_removes_the_other_phones_of_the_team_and_no_other_phone_does() {
    let stage = Stage::new().await;
    let game = game(&stage, true).await;
    let [first, second, third] = team(&stage, &game).await;
    let mut three = opened(&stage, &game, &third).await;
    three.until("team_update").await;
    let path = |seat: &Value| format!("/api/v1/phones/{}", word(seat, "deviceId"));
    let (captain, other) = (word(&first, "sessionToken"), word(&second, "sessionToken"));
    let ann = stage.join(&game, "Ann").await;
    for (what, seat, token, status) in [
        ("no captain", &third, other, 403),
        ("itself", &first, captain, 403),
        ("no token", &third, "qp_none", 401),
        ("a player without a team", &third, &ann, 403),
        ("the captain", &third, captain, 204),
    ] {
        assert_eq!(stage.delete(&path(seat), token).await, status, "{what}");
    }
    assert_eq!(closed(&mut three).await, 4401);
    assert!(is_refused(&stage, &game, &third).await && !is_refused(&stage, &game, &second).await);
    // The host can remove a captain as well; the captain's role is given to another phone.
    assert_eq!(stage.delete(&phone_path(&game, &first), HOST).await, 204);
    assert!(is_refused(&stage, &game, &first).await);
    let code = format!("/api/v1/games/{}/players/{}/seat-code", game.id, word(&first, "playerId"));
    let (status, code) = stage.post(&code, (HOST, json!({}))).await;
    assert_eq!(status, 201, "{code}");
    let taking = json!({"gameCode": game.code, "seatCode": code["seatCode"]});
    let (status, moved) = stage.post_keyed("/api/v1/seats", "a phone of another guest", taking).await;
    assert_eq!((status, &moved["deviceId"]), (201, &first["deviceId"]), "{moved}");
    assert_eq!(stage.delete(&path(&second), word(&moved, "sessionToken")).await, 204, "it is the captain now");
}
