//! The replay of a game, compared with what a screen received over its socket while the game was played.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// Further apart than two pictures that a screen is sent.
const APART: Duration = Duration::from_millis(300);
/// The most by which the times left may differ, milliseconds: the machine may be busy.
const JITTER: u64 = 3_000;

/// A screen that keeps every picture.
struct Wall {
    wire: Wire,
    pictures: Vec<Value>,
}

impl Wall {
    async fn of(stage: &Stage, game: &Game) -> Self {
        let (_, screen) = stage.post(&format!("/api/v1/games/{}/screens", game.id), (HOST, json!({}))).await;
        let (_, token) = screen["url"].as_str().unwrap().rsplit_once('/').unwrap();
        sleep(APART).await;
        let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
        let wire = stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap();
        Self { wire, pictures: Vec::new() }
    }

    /// Waits for a picture that fits, and then until the next one may follow at once.
    async fn shows(&mut self, fits: impl Fn(&Value) -> bool) {
        loop {
            let message = timeout(Duration::from_secs(10), self.wire.text()).await.unwrap();
            self.pictures.push(message["payload"].clone());
            if self.pictures.last().is_some_and(&fits) {
                return self.settle().await;
            }
        }
    }

    async fn settle(&mut self) {
        while let Ok(message) = timeout(APART, self.wire.text()).await {
            self.pictures.push(message["payload"].clone());
        }
    }
}

/// A picture without its running times, which are added to `times`.
fn stopped(mut picture: Value, times: &mut Vec<u64>) -> Value {
    fn stop(value: &mut Value, times: &mut Vec<u64>) {
        if let Some(left) = value.get_mut("remainingMs") {
            times.extend(left.as_u64());
            *left = Value::Null;
        }
        match value {
            Value::Object(members) => members.values_mut().for_each(|member| stop(member, times)),
            Value::Array(entries) => entries.iter_mut().for_each(|entry| stop(entry, times)),
            _ => {}
        }
    }
    stop(&mut picture, times);
    picture
}

#[tokio::test]
async fn the_moments_of_an_evening_are_what_a_connected_screen_was_sent_in_order() {
    let stage = Stage::new().await;
    let asked =
        json!([{ "text": "Which is it?", "type": "text", "correctAnswers": ["this"], "timeLimit": 120, "points": 5 }]);
    let game = stage.game_of((HOST, asked)).await;
    let question = stage.questions(&game).await.remove(0);
    let mut wall = Wall::of(&stage, &game).await;
    wall.shows(|picture| picture["phase"] == "lobby").await;
    let ann = stage.join(&game, "Ann").await;
    wall.shows(|picture| picture["playerTotal"] == 1).await;
    let mut host = stage.socket(&game.code, HOST).await;
    let mut player = stage.socket(&game.code, &ann).await;
    wall.settle().await;
    host.send(&json!({"type": "start_game"})).await;
    wall.shows(|picture| picture["phase"] == "question").await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    wall.shows(|picture| picture["questions"][0]["timer"].is_object()).await;
    player.until("question_released").await;
    let answer = json!({"questionId": question, "answer": "this"});
    player.send(&json!({"type": "submit_answer", "payload": answer})).await;
    wall.shows(|picture| picture["questions"][0]["answered"] == 1).await;
    // The owner states the time left again meanwhile; that is no moment.
    sleep(Duration::from_secs(6)).await;
    host.send(&json!({"type": "end_round"})).await;
    wall.shows(|picture| picture["phase"] == "round_review").await;
    host.send(&json!({"type": "release_scores"})).await;
    wall.shows(|picture| picture["phase"] == "leaderboard").await;
    let slide = json!({"slide": {"kind": "question"}});
    stage.put(&format!("/api/v1/games/{}/screens/show", game.id), (HOST, &slide)).await;
    wall.shows(|picture| picture["show"]["kind"] == "question").await;
    host.send(&json!({"type": "end_game"})).await;
    wall.shows(|picture| picture["phase"] == "ended").await;

    let mut live: Vec<(Value, Vec<u64>)> = Vec::new();
    for picture in wall.pictures {
        let mut times = Vec::new();
        live.push((stopped(picture, &mut times), times));
    }
    live.dedup_by(|later, earlier| later.0 == earlier.0);
    let path = format!("/api/v1/games/{}/moments", game.id);
    let moments = stage.read(&path, HOST).await["moments"].as_array().unwrap().len();
    // The moments before the screen was connected.
    let before = moments.checked_sub(live.len()).expect("fewer moments than pictures");
    for (index, (live, shown)) in (before..).zip(live) {
        let (replayed, mut then) = (stage.read(&format!("{path}/{index}"), HOST).await, Vec::new());
        assert_eq!(stopped(replayed, &mut then), live, "moment {index}");
        assert!(then.iter().zip(&shown).all(|(then, shown)| then.abs_diff(*shown) < JITTER), "{then:?} {shown:?}");
    }
}
