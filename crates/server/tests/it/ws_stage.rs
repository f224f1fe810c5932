//! The whole service on a loopback port, with a game that sockets can be opened into.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use quizhall::config::Config;
use quizhall::serve::{Running, start};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::ws_wire::{Handshake, Wire};

/// The fixed host token of every stage.
pub const HOST: &str = "a-fixed-token-of-tests";

/// No test takes so long; a test that waits longer has failed.
pub const TIMEOUT: Duration = Duration::from_secs(20);

pub struct Stage {
    pub running: Running,
    /// Deleted with the stage.
    pub folder: TempDir,
    http: reqwest::Client,
}

/// A game on a stage.
pub struct Game {
    pub id: String,
    pub code: String,
}

impl Stage {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A stage with these settings in addition to the defaults.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::in_folder(TempDir::new().unwrap(), settings).await
    }

    /// A stage on the database of an earlier one that has stopped.
    pub async fn in_folder(folder: TempDir, settings: &[(&str, &str)]) -> Self {
        let config = config(folder.path(), settings);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let running = start(config, listener).await.unwrap();
        Self { running, folder, http: reqwest::Client::new() }
    }

    pub fn address(&self) -> SocketAddr {
        self.running.address()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// Status and body of a GET.
    pub async fn get(&self, path: &str) -> (u16, String) {
        let response = self.http.get(self.url(path)).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Status and body of a POST with this token.
    pub async fn post(&self, path: &str, (token, body): (&str, Value)) -> (u16, Value) {
        answer(json_of(self.http.post(self.url(path)).bearer_auth(token), &body)).await
    }

    /// The same without a token, with an `Idempotency-Key`.
    pub async fn post_keyed(&self, path: &str, key: &str, body: Value) -> (u16, Value) {
        answer(json_of(self.http.post(self.url(path)).header("idempotency-key", key), &body)).await
    }

    /// Status and body of a PUT.
    pub async fn put(&self, path: &str, (token, body): (&str, &Value)) -> (u16, Value) {
        answer(json_of(self.http.put(self.url(path)).bearer_auth(token), body)).await
    }

    /// Status and body of a GET with a token.
    pub async fn get_with(&self, path: &str, token: &str) -> (u16, Value) {
        answer(self.http.get(self.url(path)).bearer_auth(token)).await
    }

    /// The body of a GET with a token.
    pub async fn read(&self, path: &str, token: &str) -> Value {
        let (status, body) = self.get_with(path, token).await;
        assert!(!body.is_null(), "{path}: {status}");
        body
    }

    pub async fn delete(&self, path: &str, token: &str) -> u16 {
        self.http.delete(self.url(path)).bearer_auth(token).send().await.unwrap().status().as_u16()
    }

    /// A game of the fixed host with one small question.
    pub async fn game(&self) -> Game {
        self.game_of((HOST, json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]))).await
    }

    /// A game with one round of these questions.
    pub async fn game_of(&self, (token, questions): (&str, Value)) -> Game {
        let quiz = json!({"title": "A quiz", "rounds": [{"questions": questions}]});
        let (status, quiz) = self.post("/api/v1/quizzes", (token, quiz)).await;
        assert_eq!(status, 201, "{quiz}");
        let (status, game) = self.post("/api/v1/games", (token, json!({"quizId": quiz["id"]}))).await;
        assert_eq!(status, 201, "{game}");
        Game { id: word(&game["id"]), code: word(&game["gameCode"]) }
    }

    /// The ids of a game's questions.
    pub async fn questions(&self, game: &Game) -> Vec<String> {
        let game = self.read(&format!("/api/v1/games/{}", game.id), HOST).await;
        let questions = game["rounds"][0]["questions"].as_array().unwrap();
        questions.iter().map(|question| word(&question["id"])).collect()
    }

    /// Joins and returns the player's token.
    pub async fn join(&self, game: &Game, name: &str) -> String {
        let body = json!({"gameCode": game.code, "displayName": name});
        let (status, joined) = self.post("/join", ("", body)).await;
        assert_eq!(status, 201, "{joined}");
        word(&joined["sessionToken"])
    }

    /// Joins and opens a socket, and waits for its first message.
    pub async fn player(&self, game: &Game, name: &str) -> Wire {
        let token = self.join(game, name).await;
        self.socket(&game.code, &token).await
    }

    /// Opens the host's socket.
    pub async fn host(&self, game: &Game) -> Wire {
        self.socket(&game.code, HOST).await
    }

    /// Opens a socket and waits for its first message.
    pub async fn socket(&self, code: &str, token: &str) -> Wire {
        let mut wire = self.knock(&format!("/ws/{code}"), &Handshake::bearer(token)).await.unwrap();
        wire.text().await;
        wire
    }

    /// Tries a handshake; `Err` is an answer other than 101.
    pub async fn knock(&self, path: &str, handshake: &Handshake) -> Result<Wire, String> {
        Wire::open(self.address(), path, handshake).await
    }
}

/// Settings for a database in `folder`, with raised limits, because all test clients share one address.
pub fn config(folder: &Path, settings: &[(&str, &str)]) -> Config {
    let url = format!("sqlite://{}", folder.join("q.db").display());
    let mut pairs = vec![
        ("DATABASE_URL", url.as_str()),
        ("QUIZHALL_HOST_TOKEN", HOST),
        ("DRAIN_LAME_DUCK", "0s"),
        ("DRAIN_SPREAD", "2s"),
        ("CLOSE_TIMEOUT", "1s"),
    ];
    pairs.retain(|(name, _)| settings.iter().all(|(other, _)| other != name));
    pairs.extend_from_slice(settings);
    Config::from_pairs(&pairs).unwrap()
}

fn json_of(request: RequestBuilder, body: &Value) -> RequestBuilder {
    request.header("content-type", "application/json").body(body.to_string())
}

/// Status and body; the body is null when it is no JSON.
async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
}

fn word(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
