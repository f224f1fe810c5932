//! Teams over real sockets: several phones on one sheet, each with its own token, seat and end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// A game of the fixed host with one small question, whose players can be teams, and the id of the question.
pub async fn game(stage: &Stage, teams: Value) -> (Game, String) {
    let quiz = json!({"title": "A quiz", "rounds": [{"questions": [{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]}]});
    let (_, quiz) = stage.post("/api/v1/quizzes", (HOST, quiz)).await;
    let (status, made) = stage.post("/api/v1/games", (HOST, json!({"quizId": quiz["id"], "teams": teams}))).await;
    assert_eq!(status, 201, "{made}");
    let [id, code] = [&made["id"], &made["gameCode"]].map(|word| word.as_str().unwrap().to_owned());
    let game = Game { id, code };
    let question = stage.questions(&game).await.remove(0);
    (game, question)
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

async fn plain(stage: &Stage, game: &Game, token: &str) -> Wire {
    stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(token)).await.unwrap()
}

fn written(question: &str, answer: &str) -> Value {
    json!({"type": "submit_answer", "payload": {"questionId": question, "answer": answer}})
}

/// Starts the game and releases the question.
async fn begin(host: &mut Wire, question: &str) {
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    host.until("question_released").await;
}

async fn closed(wire: &mut Wire) -> u16 {
    timeout(Duration::from_secs(1), wire.closed()).await.expect("within a second").0
}

/// Reads up to a `team_update` in which this many phones are connected.
async fn connected(wire: &mut Wire, number: usize) -> Value {
    loop {
        let update = wire.until("team_update").await["payload"].take();
        let devices = update["devices"].as_array().unwrap();
        if devices.iter().filter(|device| device["connected"] == true).count() == number {
            return update;
        }
    }
}

#[tokio::test]
async fn several_phones_answer_on_one_sheet() {
    let stage = Stage::new().await;
    let (game, question) = game(&stage, json!({})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    assert_eq!((&second["playerId"], &second["teamCode"]), (&first["playerId"], &first["teamCode"]));
    assert_eq!((&first["deviceId"], &second["displayName"]), (&first["playerId"], &json!("Cem")));
    let mut host = stage.host(&game).await;
    let (mut one, mut two) = (opened(&stage, &game, token(&first)).await, opened(&stage, &game, token(&second)).await);
    let update = connected(&mut one, 2).await;
    assert_eq!((&update["deviceId"], &update["teamCode"]), (&first["deviceId"], &first["teamCode"]));
    assert_eq!(update["devices"][1]["displayName"], "Cem");
    assert_eq!(update.get("captain"), None);
    begin(&mut host, &question).await;
    one.until("question_released").await;
    one.send(&written(&question, "5")).await;
    assert_eq!(one.until("answer_accepted").await["payload"]["questionId"], question);
    let sheet = |answer: &str, by: &Value| json!([{"questionId": question, "answer": answer, "by": by}]);
    assert_eq!(
        two.until("team_sheet").await["payload"],
        json!({"whole": false, "answers": sheet("5", &first["deviceId"])})
    );
    assert_eq!(one.until("team_sheet").await["payload"]["answers"], sheet("5", &first["deviceId"]));
    // The same text from the other phone counts as that phone's answer, and the last answer counts.
    two.send(&written(&question, "5")).await;
    two.until("answer_accepted").await;
    assert_eq!(one.until("team_sheet").await["payload"]["answers"], sheet("5", &second["deviceId"]));
    two.send(&written(&question, "4")).await;
    assert_eq!(one.until("team_sheet").await["payload"]["answers"], sheet("4", &second["deviceId"]));
    host.send(&json!({"type": "end_round"})).await;
    let review = host.until("round_review").await;
    let answers = review["payload"]["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 1, "{review}");
    assert_eq!((&answers[0]["displayName"], &answers[0]["answer"]), (&json!("Larks"), &json!("4")));
    host.send(&json!({"type": "release_scores"})).await;
    for wire in [&mut one, &mut two] {
        assert_eq!(wire.until("round_scores").await["payload"]["results"][0]["yourAnswer"], "4");
        let board = wire.until("scoreboard_update").await;
        assert_eq!(board["payload"]["leaderboard"].as_array().unwrap().len(), 1, "{board}");
    }
}

#[tokio::test]
async fn a_plain_phone_of_a_team_sees_what_a_player_sees() {
    let stage = Stage::new().await;
    let (game, question) = game(&stage, json!({"devices": 2})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let mut host = stage.host(&game).await;
    let (mut one, mut two) = (plain(&stage, &game, token(&first)).await, plain(&stage, &game, token(&second)).await);
    let lobby = two.until("lobby_update").await;
    assert_eq!(lobby["payload"]["players"], json!([{"id": first["playerId"], "displayName": "Larks"}]));
    begin(&mut host, &question).await;
    for wire in [&mut one, &mut two] {
        wire.until("question_released").await;
    }
    two.send(&written(&question, "4")).await;
    assert_eq!(two.text().await["type"], "answer_accepted");
    // The other phone is sent nothing until it connects again.
    host.send(&json!({"type": "end_round"})).await;
    assert_eq!(one.text().await["type"], "round_ended");
    let mut again = plain(&stage, &game, token(&first)).await;
    assert_eq!(again.text().await["type"], "round_ended");
    assert_eq!(closed(&mut one).await, 4409, "one socket for each phone");
    assert_eq!(two.text().await["type"], "round_ended", "and the other phone keeps its own");
}

#[tokio::test]
async fn who_may_join_a_team() {
    let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3")]).await;
    let (game, _) = game(&stage, json!({"devices": 3})).await;
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
    let both = json!({"team": true, "teamCode": first["teamCode"]});
    let (status, refused) = join(&stage, &game, ("Dov", "third"), both).await;
    assert_eq!((status, &refused["field"]), (422, &json!("teamCode")));
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
    let (teams, _) = game(&stage, json!({"devices": 3, "captainOnly": true})).await;
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
    for more in [json!({"team": true}), json!({"teamCode": "AAAA"})] {
        let (status, refused) = join(&stage, &alone, ("Larks", "k"), more).await;
        assert_eq!((status, &refused["type"]), (409, &json!("/problems/no-teams")));
    }
    let (status, single) = join(&stage, &teams, ("Ann", "ann"), json!({})).await;
    assert_eq!((status, single.as_object().unwrap().len()), (201, 4), "a single player, unchanged: {single}");
    for devices in [0, 1, 13] {
        let body = json!({"quizId": read["quizId"], "teams": {"devices": devices}});
        let (status, refused) = stage.post("/api/v1/games", (HOST, body)).await;
        assert_eq!((status, &refused["field"]), (422, &json!("teams.devices")));
    }
}

#[tokio::test]
async fn the_seat_of_one_phone_moves_and_the_others_play_on() {
    let stage = Stage::new().await;
    let (game, _) = game(&stage, json!({})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let (mut one, mut two) = (opened(&stage, &game, token(&first)).await, opened(&stage, &game, token(&second)).await);
    connected(&mut one, 2).await;
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
}

#[tokio::test]
async fn removing_a_team_closes_all_its_phones() {
    let stage = Stage::new().await;
    let (game, _) = game(&stage, json!({})).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let (mut one, mut two) = (opened(&stage, &game, token(&first)).await, plain(&stage, &game, token(&second)).await);
    let path = format!("/api/v1/games/{}/players/{}", game.id, first["playerId"].as_str().unwrap());
    assert_eq!(stage.delete(&path, HOST).await, 204);
    assert_eq!((closed(&mut one).await, closed(&mut two).await), (4411, 4411));
    for seat in [&first, &second] {
        let refused = stage.knock(&format!("/ws/{}", game.code), &Handshake::bearer(token(seat))).await;
        assert!(refused.err().is_some_and(|refused| refused.contains("401")));
    }
    let team = json!({"teamCode": first["teamCode"]});
    assert_eq!(join(&stage, &game, ("Dov", "third"), team.clone()).await.0, 404);
    let (status, removed) = join(&stage, &game, ("Cem", "second"), team).await;
    assert_eq!((status, &removed["type"]), (409, &json!("/problems/seat-removed")));
}

/// The messages about the sheet that a phone was sent.
#[derive(Default)]
struct Sheets {
    count: usize,
    bytes: usize,
}

impl Sheets {
    /// Reads until `is_enough`.
    async fn read(&mut self, wire: &mut Wire, is_enough: impl Fn(&Self, &Value) -> bool) {
        let mut message = Value::Null;
        while !is_enough(self, &message) {
            message = wire.text().await;
            if message["type"] == "team_sheet" {
                self.count += 1;
                self.bytes += message.to_string().len();
            }
        }
    }
}

#[tokio::test]
async fn a_change_costs_each_phone_of_a_team_its_own_line_however_long_the_sheet_is() {
    let stage = Stage::new().await;
    let asked = json!({"text": "Why?", "type": "text", "correctAnswers": ["Because"]});
    let quiz = json!({"title": "A quiz", "rounds": [{"questions": vec![asked; 12]}]});
    let (_, quiz) = stage.post("/api/v1/quizzes", (HOST, quiz)).await;
    let (_, made) = stage.post("/api/v1/games", (HOST, json!({"quizId": quiz["id"], "teams": {"devices": 8}}))).await;
    let [id, code] = [&made["id"], &made["gameCode"]].map(|word| word.as_str().unwrap().to_owned());
    let game = Game { id, code };
    let questions = stage.questions(&game).await;
    let (first, second) = team_of_two(&stage, &game).await;
    let mut phones = vec![opened(&stage, &game, token(&first)).await, opened(&stage, &game, token(&second)).await];
    for number in 3..=8 {
        let (name, key) = (format!("Phone {number}"), format!("key {number}"));
        let joined = join(&stage, &game, (&name, &key), json!({"teamCode": first["teamCode"]})).await.1;
        phones.push(opened(&stage, &game, token(&joined)).await);
    }
    let mut host = stage.host(&game).await;
    begin(&mut host, &questions[0]).await;
    for question in &questions[1..] {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    }
    for phone in &mut phones {
        while phone.until("question_released").await["payload"]["question"]["id"] != questions[11] {}
    }
    for question in &questions[..11] {
        phones[0].send(&written(question, &"x".repeat(1_000))).await;
        for phone in &mut phones {
            phone.until("team_sheet").await;
        }
    }
    let mut sheets: Vec<Sheets> = phones.iter().map(|_| Sheets::default()).collect();
    let mut sent = 0;
    for round in 0..5 {
        for (phone, sheets) in phones.iter_mut().zip(&mut sheets) {
            let change = written(&questions[11], &round.to_string());
            sent += change.to_string().len();
            phone.send(&change).await;
            sheets.read(phone, |_, message| message["type"] == "answer_accepted").await;
        }
    }
    for (phone, sheets) in phones.iter_mut().zip(&mut sheets) {
        sheets.read(phone, |sheets, _| sheets.count == 40).await;
    }
    let received: usize = sheets.iter().map(|sheets| sheets.bytes).sum();
    println!("{sent} bytes in, {received} bytes of sheets out");
    assert!(received < 8 * (sent + 40 * 100), "{received} bytes out of {sent}");
    let mut again = opened(&stage, &game, token(&second)).await;
    let whole = again.until("team_sheet").await["payload"].take();
    assert_eq!((&whole["whole"], whole["answers"].as_array().unwrap().len()), (&json!(true), 12));
}
