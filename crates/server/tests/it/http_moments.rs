//! The moments of a game over HTTP: what they are, who may read them, and what is no longer read.

use std::time::Duration;

use quizhall_rules::{Actor, AnswerText, Command, GameId, QuestionId};
use serde_json::{Value, json};

use crate::http_join::host;
use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

#[tokio::test]
async fn the_moments_of_a_game_are_listed_and_each_has_its_picture() {
    let stage = Stage::new().await;
    let game = Played::ended(&stage).await;
    let moments = game.list().await;
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
            assert_eq!((&moment["questionId"], &moment["round"]), (&json!(game.question), &json!(1)));
            assert!(!picture.to_string().contains("Paris"), "not before it was shown");
        }
    }
    assert!(game.moment(moments.len() - 1).await.text().contains("Ann"));
    assert_eq!(game.moment(moments.len()).await.kind(), (404, "not-found".to_owned()));
    for nothing in ["-1", "+1", "x", "99999999999"] {
        assert_eq!(game.ask(&format!("{}/{nothing}", game.path())).await.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn only_those_who_run_the_game_read_them_without_a_link() {
    let stage = Stage::new().await;
    let game = Played::ended(&stage).await;
    let stranger = stage.host("Eve").await;
    for path in [game.path(), format!("{}/0", game.path())] {
        let status = async |token: &str| stage.send(Ask::get(&path).bearer(token)).await.status;
        assert_eq!(stage.send(Ask::get(&path)).await.status, 401);
        assert_eq!((status("junk").await, status(&stranger).await, status(SCRIPT).await), (401, 404, 200));
    }
}

/// Screens of a running game are let in by the host one by one, and spectators by a choice of the host.
#[tokio::test]
async fn a_link_shows_the_replay_if_the_host_shares_it_and_the_game_has_ended() {
    let stage = Stage::new().await;
    let game = Played::begin(&stage).await;
    assert_eq!(game.share(None).await, (false, game.token().await));
    let token = game.token().await;
    let paths = [format!("/api/v1/results/{token}/moments"), format!("/api/v1/results/{token}/moments/0")];
    for path in &paths {
        assert_eq!(stage.send(Ask::get(path)).await.kind(), (404, "not-found".to_owned()));
    }
    assert_eq!(game.share(Some(json!({"replay": true}))).await, (true, token.clone()), "the same link");
    assert!(game.share(None).await.0, "as before");
    let running = game.list().await;
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
    assert_eq!(listed.json()["moments"], json!(game.list().await));
    let last = game.list().await.len() - 1;
    let shared = stage.send(Ask::get(&format!("{}/{last}", paths[0]))).await;
    assert_eq!((shared.status, shared.body), (200, game.moment(last).await.body));

    assert_eq!(game.share(Some(json!({"replay": false}))).await, (false, token));
    for path in &paths {
        assert_eq!(stage.send(Ask::get(path)).await.status, 404);
    }
}

#[tokio::test]
async fn what_a_link_shows_is_said_in_json_or_not_at_all() {
    let stage = Stage::new().await;
    let game = Played::begin(&stage).await;
    let link = Ask::new("POST", &game.link()).bearer(SCRIPT);
    assert_eq!(
        stage.send(link.clone().json(&json!({"replay": "yes"}))).await.field(),
        (422, Some("replay".to_owned()))
    );
    assert_eq!(stage.send(link.clone().body("replay=true")).await.status, 415);
    assert_eq!(stage.send(link.clone().header("content-type", "application/json").body("{")).await.status, 400);
    assert_eq!(stage.send(link.json(&json!({}))).await.status, 200);
}

/// The pictures were read before, so they may be remembered.
#[tokio::test]
async fn an_erased_player_has_no_name_in_any_picture_and_a_deleted_game_has_none() {
    let stage = Stage::new().await;
    let game = Played::ended(&stage).await;
    let (_, token) = game.share(Some(json!({"replay": true}))).await;
    assert!(game.every_picture().await.contains("Ann"));
    let erase = format!("/api/v1/games/{}/players/{}/data", game.id, game.players[0]);
    assert_eq!(stage.send(Ask::new("DELETE", &erase).bearer(SCRIPT)).await.status, 204);
    let pictures = game.every_picture().await;
    assert!(!pictures.contains("Ann") && pictures.contains("Player 1") && pictures.contains("Bob"), "{pictures}");

    let delete = Ask::new("DELETE", &format!("/api/v1/games/{}", game.id)).bearer(SCRIPT);
    assert_eq!(stage.send(delete).await.status, 204);
    for path in [game.path(), format!("{}/0", game.path())] {
        assert_eq!(game.ask(&path).await.status, 404);
    }
    assert_eq!(stage.send(Ask::get(&format!("/api/v1/results/{token}/moments"))).await.status, 404);
}

#[tokio::test]
async fn a_moment_that_follows_is_there_at_once() {
    let stage = Stage::new().await;
    let game = Played::begin(&stage).await;
    let before = game.list().await.len();
    assert_eq!(game.moment(before).await.status, 404);
    game.end().await;
    assert_eq!(game.moment(before).await.status, 200);
}

/// A game with one question, which two players have answered.
struct Played<'a> {
    stage: &'a Stage,
    id: String,
    question: QuestionId,
    players: Vec<String>,
}

impl<'a> Played<'a> {
    async fn begin(stage: &'a Stage) -> Self {
        let quiz =
            stage.quiz(json!([{"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]}])).await;
        let (id, code) = stage.game_of(&quiz).await;
        let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
        let question: QuestionId = serde_json::from_value(game["rounds"][0]["questions"][0]["id"].clone()).unwrap();
        let mut players = Vec::new();
        for name in ["Ann", "Bob"] {
            let joined = stage.join(&code, name).await.json();
            players.push(joined["playerId"].as_str().unwrap().to_owned());
        }
        let played = Self { stage, id, question, players };
        played.host(&[Command::StartGame]).await;
        played.host(&[Command::ReleaseQuestion { question }]).await;
        let game: GameId = serde_json::from_value(json!(played.id)).unwrap();
        let handle = stage.app.registry.by_id(game).await.unwrap().unwrap();
        let answer = AnswerText::parse("paris").unwrap();
        let ann = Actor::Player(serde_json::from_value(json!(played.players[0])).unwrap());
        handle.command(ann, Command::SubmitAnswer { question, answer, elapsed: None }).await.unwrap();
        played
    }

    async fn ended(stage: &'a Stage) -> Self {
        let game = Self::begin(stage).await;
        game.end().await;
        game
    }

    async fn end(&self) {
        for command in [Command::EndRound, Command::ReleaseScores, Command::EndGame] {
            self.host(&[command]).await;
        }
    }

    /// Further apart than two pictures that a screen is sent, so that each is a moment.
    async fn host(&self, commands: &[Command]) {
        tokio::time::sleep(Duration::from_millis(260)).await;
        host(self.stage, &self.id, commands).await;
    }

    fn path(&self) -> String {
        format!("/api/v1/games/{}/moments", self.id)
    }

    fn link(&self) -> String {
        format!("/api/v1/games/{}/results-link", self.id)
    }

    async fn ask(&self, path: &str) -> Reply {
        self.stage.send(Ask::get(path).bearer(SCRIPT)).await
    }

    async fn list(&self) -> Vec<Value> {
        let reply = self.ask(&self.path()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["moments"].as_array().unwrap().clone()
    }

    async fn moment(&self, index: usize) -> Reply {
        self.ask(&format!("{}/{index}", self.path())).await
    }

    async fn every_picture(&self) -> String {
        let mut all = String::new();
        for index in 0..self.list().await.len() {
            all.push_str(&self.moment(index).await.text());
        }
        all
    }

    /// Shares the results: whether the link shows the replay, and its token.
    async fn share(&self, body: Option<Value>) -> (bool, String) {
        let ask = Ask::new("POST", &self.link()).bearer(SCRIPT);
        let ask = match body {
            Some(body) => ask.json(&body),
            None => ask,
        };
        let link = self.stage.send(ask).await.json();
        let token = link["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
        (link.get("replay").is_some_and(|replay| replay == true), token)
    }

    async fn token(&self) -> String {
        self.share(None).await.1
    }
}
