//! The moments of a game over HTTP: their content, their readers, and the end of access.

use std::time::Duration;

use quizhall_rules::Command;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Evening, Reply, SCRIPT, Stage};

#[tokio::test]
async fn the_moments_of_a_game_are_listed_and_each_has_its_picture() {
    let stage = Stage::new().await;
    let game = begin(&stage).await;
    let before = game.moments().await.len();
    assert_eq!(game.moment(before).await.status, 404);
    game.end().await;
    assert_eq!(game.moment(before).await.status, 200, "a moment that follows is there at once");

    let moments = game.moments().await;
    let kinds: Vec<&str> = moments.iter().map(|moment| moment["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"lobby"), Some(&"podium")), "{kinds:?}");
    for (index, moment) in moments.iter().enumerate() {
        assert_eq!(moment["index"], json!(index));
        assert!(moment["at"].as_str().unwrap().ends_with('Z'), "{moment}");
        let picture = game.moment(index).await;
        assert_eq!((picture.status, picture.header("content-type")), (200, "application/json"));
        let picture = picture.json();
        assert_eq!(moment["kind"] == "lobby", picture["phase"] == "lobby", "{moment} {picture}");
        if moment["kind"] == "question" {
            assert_eq!((&moment["questionId"], &moment["round"]), (&json!(game.questions[0]), &json!(1)));
            assert!(!picture.to_string().contains("Paris"), "not before it was shown");
        }
    }
    for nothing in ["-1", "+1", "x", "99999999999", &moments.len().to_string()] {
        assert_eq!(game.get(&format!("{MOMENTS}/{nothing}")).await.kind(), (404, "not-found".to_owned()));
    }
    let stranger = stage.host("Eve").await;
    for path in [game.path(MOMENTS), game.path("/moments/0")] {
        let status = async |token: &str| stage.send(Ask::get(&path).bearer(token)).await.status;
        assert_eq!((status("junk").await, status(&stranger).await, status(SCRIPT).await), (401, 404, 200));
    }
    nothing_is_shown_of_who_was_erased_or_of_a_deleted_game(&game).await;
}

/// The pictures are read before, so they may be remembered.
async fn nothing_is_shown_of_who_was_erased_or_of_a_deleted_game(game: &Evening<'_>) {
    let (_, token) = game.share_replay(Some(json!({"replay": true}))).await;
    assert!(game.every_picture().await.contains("Ann"));
    assert_eq!(game.delete(&format!("/players/{}/data", game.players[0].uuid())).await, 204);
    let pictures = game.every_picture().await;
    assert!(!pictures.contains("Ann") && pictures.contains("Player 1") && pictures.contains("Bob"), "{pictures}");

    assert_eq!(game.delete("").await, 204);
    for of in [MOMENTS, "/moments/0"] {
        assert_eq!(game.get(of).await.status, 404, "{of}");
    }
    let shared = Ask::get(&format!("/api/v1/results/{token}/moments"));
    assert_eq!(game.stage.send(shared).await.status, 404);
}

/// Screens of a running game are let in by the host one by one, and spectators by a choice of the host.
#[tokio::test]
async fn a_link_shows_the_replay_if_the_host_shares_it_and_the_game_has_ended() {
    let stage = Stage::new().await;
    let game = begin(&stage).await;
    let (shows_replay, token) = game.share_replay(None).await;
    assert!(!shows_replay);
    let paths = [format!("/api/v1/results/{token}/moments"), format!("/api/v1/results/{token}/moments/0")];
    for path in &paths {
        assert_eq!(stage.send(Ask::get(path)).await.kind(), (404, "not-found".to_owned()));
    }
    assert_eq!(game.share_replay(Some(json!({"replay": true}))).await, (true, token.clone()), "the same link");
    assert!(game.share_replay(None).await.0, "as before");
    let running = game.moments().await;
    assert!(running.len() > 1, "the host sees the moments so far");
    for path in &paths {
        assert_eq!(stage.send(Ask::get(path)).await.kind(), (409, "wrong-phase".to_owned()));
    }
    let results = format!("/api/v1/results/{token}");
    assert_eq!(stage.send(Ask::get(&results)).await.json().get("replay"), None);

    game.end().await;
    assert_eq!(stage.send(Ask::get(&results)).await.json()["replay"], json!(true));
    let listed = stage.send(Ask::get(&paths[0])).await;
    assert_eq!(
        (listed.status, listed.header("x-robots-tag"), listed.header("cache-control")),
        (200, "noindex", "no-store")
    );
    assert_eq!(listed.json()["moments"], json!(game.moments().await));
    let last = game.moments().await.len() - 1;
    let shared = stage.send(Ask::get(&format!("{}/{last}", paths[0]))).await;
    assert_eq!((shared.status, shared.body), (200, game.moment(last).await.body));

    assert_eq!(game.share_replay(Some(json!({"replay": false}))).await, (false, token));
    for path in &paths {
        assert_eq!(stage.send(Ask::get(path)).await.status, 404);
    }
    let link = Ask::new("POST", &game.path(LINK)).bearer(SCRIPT);
    let wrong = stage.send(link.clone().json(&json!({"replay": "yes"}))).await;
    assert_eq!(wrong.field(), (422, Some("replay".to_owned())));
    assert_eq!(stage.send(link.clone().body("replay=true")).await.status, 415);
    assert_eq!(stage.send(link.header("content-type", "application/json").body("{")).await.status, 400);
}

/// A game with one question, which the first of two players has answered.
async fn begin(stage: &Stage) -> Evening<'_> {
    let quiz = stage.quiz(json!([{"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]}])).await;
    let game = stage.evening(&json!({"quizId": quiz}), &["Ann", "Bob"]).await;
    game.steps(&[Command::StartGame, Command::ReleaseQuestion { question: game.questions[0] }]).await;
    game.answers(0, &["paris"]).await;
    game
}

const MOMENTS: &str = "/moments";
const LINK: &str = "/results-link";

impl Evening<'_> {
    /// Further apart than two pictures that a screen is sent, so that each is a moment.
    async fn steps(&self, commands: &[Command]) {
        for command in commands {
            tokio::time::sleep(Duration::from_millis(260)).await;
            self.host(std::slice::from_ref(command)).await;
        }
    }

    async fn end(&self) {
        self.steps(&[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    }

    async fn moments(&self) -> Vec<Value> {
        let reply = self.get(MOMENTS).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["moments"].as_array().unwrap().clone()
    }

    async fn moment(&self, index: usize) -> Reply {
        self.get(&format!("{MOMENTS}/{index}")).await
    }

    async fn every_picture(&self) -> String {
        let mut all = String::new();
        for index in 0..self.moments().await.len() {
            all.push_str(&self.moment(index).await.text());
        }
        all
    }

    /// Shares the results: whether the link shows the replay, and its token.
    async fn share_replay(&self, body: Option<Value>) -> (bool, String) {
        let ask = Ask::new("POST", &self.path(LINK)).bearer(SCRIPT);
        let ask = match body {
            Some(body) => ask.json(&body),
            None => ask,
        };
        let link = self.stage.send(ask).await.json();
        let token = link["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
        (link.get("replay").is_some_and(|replay| replay == true), token)
    }
}
