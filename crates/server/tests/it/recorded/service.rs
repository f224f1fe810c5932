//! The service that the scripts play against, and its output when the first account has to be set up.

use std::fs;

use tempfile::TempDir;

use super::quiz::{QUIZ, questions, string};
use super::recorder::Recorder;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::ws_wire::Handshake;

/// Short times where a script waits for something, long ones for what would happen by itself.
const SETTINGS: [(&str, &str); 6] = [
    ("PUBLIC_URL", "https://quiz.example.org"),
    ("LOBBY_GRACE", "10m"),
    ("GAME_OVER_LINGER", "200ms"),
    ("RECONNECTS_PER_SEAT", "1000"),
    ("DRAIN_LAME_DUCK", "0s"),
    ("DRAIN_SPREAD", "0s"),
];

/// A started service with its folder.
pub struct Service {
    pub server: Server,
    /// The token of the link that creates the first account.
    pub setup_token: String,
    /// Deleted with the service.
    _folder: TempDir,
}

impl Service {
    pub fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let said = folder.path().join("said");
        let wrapper = ["sh", "-c", r#"exec "$@" 2>"$0""#, said.to_str().unwrap()];
        let launch = Launch { environment: &SETTINGS, wrapper: &wrapper, ..Launch::new(folder.path()) };
        let server = Server::start(&launch);
        let said = loop {
            // The link is written after the log line with the address.
            let said = fs::read_to_string(&said).unwrap();
            if said.contains("Players:") {
                break said;
            }
            std::thread::yield_now();
        };
        let (_, token) = said.split_once("/setup#").expect("there is no account yet");
        let setup_token = token.split_whitespace().next().unwrap().to_owned();
        Self { server, setup_token, _folder: folder }
    }
}

/// A game of the recorded quiz, created with a token.
pub struct Game {
    pub path: String,
    pub code: String,
    /// The ids of the questions by round.
    pub questions: Vec<Vec<String>>,
    /// The token of the host who owns the game.
    pub token: String,
}

impl Game {
    /// Creates the quiz and a game of it with the fixed token.
    pub async fn of_script(recorder: &mut Recorder) -> Self {
        let quiz = recorder.http(("POST /api/v1/quizzes", HOST_TOKEN, QUIZ)).await;
        Self::new(recorder, (HOST_TOKEN, &string(&quiz, "/id"))).await
    }

    /// Creates a game of a quiz.
    pub async fn new(recorder: &mut Recorder, (token, quiz): (&str, &str)) -> Self {
        let game = recorder.http(("POST /api/v1/games", token, &format!(r#"{{"quizId":"{quiz}"}}"#))).await;
        let path = format!("/api/v1/games/{}", string(&game, "/id"));
        let code = string(&game, "/gameCode");
        Self { path, code, questions: questions(&game), token: token.to_owned() }
    }

    /// Joins; the player's id and token.
    pub async fn join(&self, recorder: &mut Recorder, name: &str) -> (String, String) {
        let body = format!(r#"{{"gameCode":"{}","displayName":"{name}"}}"#, self.code);
        let joined = recorder.http(("POST /join", "", &body)).await;
        (string(&joined, "/playerId"), string(&joined, "/sessionToken"))
    }

    /// Opens a plain socket and reads the sync messages.
    pub async fn open(&self, recorder: &mut Recorder, (name, token): (&str, &str)) {
        recorder.open(name, (&self.socket(), &Handshake::bearer(token))).await;
        recorder.settle(name).await;
    }

    /// Opens a socket with `quizhall.v1`.
    pub async fn open_v1(&self, recorder: &mut Recorder, (name, token): (&str, &str)) {
        let handshake = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
        recorder.open(name, (&self.socket(), &handshake)).await;
    }

    pub fn socket(&self) -> String {
        format!("/ws/{}", self.code)
    }
}
