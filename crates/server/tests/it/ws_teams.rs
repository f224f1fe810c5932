//! Teams over HTTP: joining one, the teams in the answers about a game, and the seats of the phones.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// A game of the fixed host with one small question, whose players can be teams.
pub async fn game(stage: &Stage, teams: Value) -> Game {
    let quiz = json!({"title": "A quiz", "rounds": [{"questions": [{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]}]});
    let (_, quiz) = stage.post("/api/v1/quizzes", (HOST, quiz)).await;
    let (status, made) = stage.post("/api/v1/games", (HOST, json!({"quizId": quiz["id"], "teams": teams}))).await;
    assert_eq!(status, 201, "{made}");
    let [id, code] = [&made["id"], &made["gameCode"]].map(|word| word.as_str().unwrap().to_owned());
    Game { id, code }
}

pub async fn join(stage: &Stage, game: &Game, (name, key): (&str, &str), more: Value) -> (u16, Value) {
    let mut body = json!({"gameCode": game.code, "displayName": name});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    stage.post_keyed("/join", key, body).await
}

/// A team, and a phone that has joined it.
async fn team_of_two(stage: &Stage, game: &Game) -> (Value, Value) {
    let (status, first) = join(stage, game, ("Larks", "first"), json!({"team": true})).await;
    assert_eq!(status, 201, "{first}");
    let (status, second) = join(stage, game, ("Cem", "second"), json!({"teamCode": first["teamCode"]})).await;
    assert_eq!(status, 201, "{second}");
    (first, second)
}

fn token(seat: &Value) -> &str {
    seat["sessionToken"].as_str().unwrap()
}

async fn opened(stage: &Stage, game: &Game, token: &str) -> Wire {
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

async fn closed(wire: &mut Wire) -> u16 {
    timeout(Duration::from_secs(1), wire.closed()).await.expect("within a second").0
}

#[tokio::test]
async fn who_may_join_a_team() {
    let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3")]).await;
    let game = game(&stage, json!({"devices": 3})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let team = json!({"teamCode": first["teamCode"]});
    let problem = |(status, body): (u16, Value)| (status, body["type"].as_str().unwrap_or_default().to_owned());
    let of = |kind: &str| format!("/problems/{kind}");
    let (status, again) = join(&stage, &game, ("Cem", "second"), team.clone()).await;
    assert_eq!((status, &again), (201, &second), "the same phone");
    assert_eq!(
        problem(join(&stage, &game, ("Dov", "second"), team.clone()).await),
        (422, of("idempotency-key-reused"))
    );
    assert_eq!(problem(join(&stage, &game, ("Larks", "first"), json!({})).await), (422, of("idempotency-key-reused")));
    assert_eq!(problem(join(&stage, &game, ("CEM", "third"), team.clone()).await), (409, of("name-taken")));
    assert_eq!(join(&stage, &game, ("Dov", "third"), json!({"teamCode": "?"})).await.0, 422);
    // A locked game accepts no new team, but more phones of a team.
    let lock = json!({"type": "lock_game", "payload": {"locked": true}});
    let mut host = opened(&stage, &game, HOST).await;
    host.send(&lock).await;
    while host.until("room_update").await["payload"]["locked"] == false {}
    assert_eq!(problem(join(&stage, &game, ("Owls", "owls"), json!({"team": true})).await), (423, of("locked")));
    let code = first["teamCode"].as_str().unwrap();
    let typed = json!({"teamCode": format!(" {}-{} ", code[..2].to_lowercase(), &code[2..])});
    assert_eq!(join(&stage, &game, ("Dov", "third"), typed).await.0, 201);
    let room = loop {
        let update = host.until("room_update").await["payload"].take();
        if update["players"][0]["devices"].as_array().is_some_and(|devices| devices.len() == 3) {
            break update;
        }
    };
    assert_eq!(room["players"][0]["devices"][2]["displayName"], "Dov");
    assert_eq!(problem(join(&stage, &game, ("Eva", "fourth"), team.clone()).await), (409, of("team-full")));
    for wrong in ["AAAA", "BBBB", "CCCC"] {
        let (status, refused) = join(&stage, &game, ("Eva", "fourth"), json!({"teamCode": wrong})).await;
        assert_eq!((status, &refused["field"]), (404, &json!("teamCode")));
    }
    let other = json!({"teamCode": "DDDD"});
    assert_eq!(
        join(&stage, &game, ("Eva", "fourth"), other).await.0,
        429,
        "a client that has guessed too often learns nothing"
    );
}

#[tokio::test]
async fn a_game_says_whether_it_has_teams() {
    let stage = Stage::new().await;
    let teams = game(&stage, json!({"devices": 3, "captainOnly": true})).await;
    let alone = stage.game().await;
    let options = |code: &str| format!("/api/v1/join/{}", code.to_lowercase());
    let (status, asked) = stage.get_with(&options(&teams.code), "").await;
    let expected = json!({"gameCode": teams.code, "teams": {"devices": 3, "captainOnly": true}});
    assert_eq!((status, asked), (200, expected));
    assert_eq!(stage.get_with(&options(&alone.code), "").await, (200, json!({"gameCode": alone.code})));
    assert_eq!(stage.get_with(&options("ZZZZZZ"), "").await.0, 404);
    assert_eq!(stage.get_with(&options("ZZ"), "").await.0, 422);
    let read = stage.read(&format!("/api/v1/games/{}", teams.id), HOST).await;
    assert_eq!(read["teams"], json!({"devices": 3, "captainOnly": true}));
    let (status, single) = join(&stage, &teams, ("Ann", "ann"), json!({})).await;
    assert_eq!((status, single.as_object().unwrap().len()), (201, 4), "a single player, unchanged: {single}");
    for devices in [0, 1, 13] {
        let body = json!({"quizId": read["quizId"], "teams": {"devices": devices}});
        let (status, refused) = stage.post("/api/v1/games", (HOST, body)).await;
        assert_eq!((status, &refused["field"]), (422, &json!("teams.devices")));
    }
}

#[tokio::test]
async fn the_seat_of_one_phone_moves_until_the_team_is_removed() {
    let stage = Stage::new().await;
    let game = game(&stage, json!({})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let mut two = opened(&stage, &game, token(&second)).await;
    let [team, phone] = [&first["playerId"], &second["deviceId"]].map(|id| id.as_str().unwrap());
    let path = format!("/api/v1/games/{}/players/{team}/seat-code", game.id);
    let (status, code) = stage.post(&format!("{path}?deviceId={phone}"), (HOST, json!({}))).await;
    assert_eq!(status, 201, "{code}");
    let taking = json!({"gameCode": game.code, "seatCode": code["seatCode"]});
    let (status, moved) = stage.post_keyed("/api/v1/seats", "k", taking).await;
    assert_eq!(status, 201, "{moved}");
    for field in ["playerId", "deviceId", "teamCode", "displayName"] {
        assert_eq!(moved[field], second[field], "{field}");
    }
    assert_eq!(closed(&mut two).await, 4401);
    let update = opened(&stage, &game, token(&moved)).await.until("team_update").await;
    assert_eq!(update["payload"]["deviceId"], second["deviceId"]);
    let stranger = format!("{path}?deviceId={}", game.id);
    assert_eq!(stage.post(&stranger, (HOST, json!({}))).await.0, 404);
    assert_eq!(stage.post(&format!("{path}?deviceId=7"), (HOST, json!({}))).await.0, 400);
    // A phone moves only its own place.
    let (status, code) = stage.post("/api/v1/seat-code", (token(&moved), json!({}))).await;
    assert_eq!(status, 201, "{code}");
    let taking = json!({"gameCode": game.code, "seatCode": code["seatCode"]});
    let (_, moved) = stage.post_keyed("/api/v1/seats", "l", taking).await;
    assert_eq!(moved["deviceId"], second["deviceId"]);
    // No one returns to a team that the host has removed.
    let removed = format!("/api/v1/games/{}/players/{team}", game.id);
    assert_eq!(stage.delete(&removed, HOST).await, 204);
    for seat in [&first, &moved] {
        let refused = stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(token(seat))).await;
        assert!(refused.err().is_some_and(|refused| refused.contains("401")));
    }
    let code = json!({"teamCode": first["teamCode"]});
    assert_eq!(join(&stage, &game, ("Dov", "third"), code).await.0, 404);
    let (status, removed) = join(&stage, &game, ("Larks", "first"), json!({"team": true})).await;
    assert_eq!((status, &removed["type"]), (409, &json!("/problems/seat-removed")));
}
