//! A game with its host and players as clients see it; the players outlive their sockets and the server.

use std::net::SocketAddr;

use quizhall_client::Api;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::QuestionBody;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::process::{HOST_TOKEN, Server};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// The points of every question.
pub const POINTS: i64 = 10;

/// A game and its participants.
pub struct Company {
    pub game: Uuid,
    pub code: String,
    /// The ids of the questions, by round.
    pub rounds: Vec<Vec<Uuid>>,
    pub players: Vec<Player>,
}

/// A player.
pub struct Player {
    pub id: Uuid,
    pub token: String,
}

impl Company {
    /// A game in its lobby, with rounds of this many questions (their key is `right`) and these players, all joined.
    pub async fn open(server: &Server, rounds: &[usize], names: &[&str]) -> Self {
        let question = |round: usize, number: usize| question(&format!("Question {round}.{number}"), "right");
        let rounds: Vec<Vec<Value>> = (1..)
            .zip(rounds)
            .map(|(round, count)| (1..=*count).map(|number| question(round, number)).collect())
            .collect();
        Self::of(&server.api(), &rounds, names).await
    }

    /// The same with the caller's questions.
    pub async fn of(api: &Api, rounds: &[Vec<Value>], names: &[&str]) -> Self {
        let rounds: Vec<Value> = rounds.iter().map(|questions| json!({"title": "", "questions": questions})).collect();
        let quiz = serde_json::from_value(json!({"title": "A quiz", "rounds": rounds})).unwrap();
        let quiz = api.create_quiz(&quiz).await.unwrap();
        let game = api.create_game(quiz.id).await.unwrap();
        let ids = |questions: &[QuestionBody]| questions.iter().filter_map(|question| question.id).collect();
        let rounds = quiz.rounds.iter().map(|round| ids(&round.questions)).collect();
        let mut company = Self { game: game.id, code: game.game_code, rounds, players: Vec::new() };
        for name in names {
            company.join(api, name).await;
        }
        company
    }

    /// A game with a round of this many open questions. The answer `before` of its only player to the first is acknowledged, and
    /// counted for the host. Also returns the sockets of both.
    pub async fn with_an_answer(server: &Server, questions: usize) -> (Self, Wire, Wire) {
        let company = Self::open(server, &[questions], &["Ann"]).await;
        let (mut host, mut ann) = (company.host(server).await, company.player(server, 0).await);
        say(&mut host, "start_game").await;
        for question in &company.rounds[0] {
            release(&mut host, *question).await;
        }
        answer(&mut ann, company.rounds[0][0], "before").await;
        acknowledged(&mut ann, company.rounds[0][0]).await;
        host.until("scoreboard_update").await;
        (company, host, ann)
    }

    /// The texts of the stored answers of the first round.
    pub async fn stored(&self, server: &Server) -> Vec<String> {
        let results = server.api().results(self.game).await.unwrap();
        let answers = results.rounds[0].questions.iter().flat_map(|question| &question.answers);
        answers.map(|answer| answer.answer.clone()).collect()
    }

    /// Adds one player.
    pub async fn join(&mut self, api: &Api, name: &str) {
        let request = JoinRequest::new(self.code.clone(), name.to_owned());
        let joined = api.join(&request, None).await.unwrap();
        self.players.push(Player { id: joined.player_id, token: joined.session_token });
    }

    /// Opens the host's socket without reading from it.
    pub async fn host(&self, server: &Server) -> Wire {
        self.open_socket(server, &Handshake::bearer(HOST_TOKEN)).await
    }

    /// Opens a player's socket without reading from it.
    pub async fn player(&self, server: &Server, number: usize) -> Wire {
        self.open_socket(server, &Handshake::bearer(&self.players[number].token)).await
    }

    /// Opens a socket of this game with any handshake.
    pub async fn open_socket(&self, server: &Server, handshake: &Handshake) -> Wire {
        Wire::open(address(server), &format!("/ws/{}", self.code), handshake).await.unwrap()
    }

    /// Opens the host's socket, then every player's, without reading from them.
    pub async fn connect_all(&self, server: &Server) -> Vec<Wire> {
        let mut all = vec![self.host(server).await];
        for number in 0..self.players.len() {
            all.push(self.player(server, number).await);
        }
        all
    }
}

/// A question of the API, worth [`POINTS`].
pub fn question(text: &str, key: &str) -> Value {
    json!({"text": text, "type": "text", "correctAnswers": [key], "points": POINTS})
}

/// The address that a server listens on.
pub fn address(server: &Server) -> SocketAddr {
    server.url().trim_start_matches("http://").parse().unwrap()
}

/// Sends a host's message without payload.
pub async fn say(host: &mut Wire, kind: &str) {
    host.send(&json!({"type": kind})).await;
}

/// Releases a question, and waits until the host receives it.
pub async fn release(host: &mut Wire, question: Uuid) {
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    let released = host.until("question_released").await;
    assert_eq!(released["payload"]["question"]["id"], json!(question));
}

/// Sends an answer.
pub async fn answer(player: &mut Wire, question: Uuid, text: &str) {
    let payload = json!({"questionId": question, "answer": text});
    player.send(&json!({"type": "submit_answer", "payload": payload})).await;
}

/// Reads up to the acknowledgement of an answer.
pub async fn acknowledged(player: &mut Wire, question: Uuid) {
    while player.until("answer_accepted").await["payload"]["questionId"] != json!(question) {}
}

/// The sync messages of a newly opened socket, in order, perhaps none: a client that pings right after the handshake receives
/// the pong after them.
pub async fn sync_messages(wire: &mut Wire) -> Vec<Value> {
    wire.raw(&frame(0x89, b"sync_messages")).await;
    let mut messages = Vec::new();
    loop {
        match wire.next().await {
            Frame::Text(text) => messages.push(serde_json::from_str(&text).unwrap()),
            Frame::Pong(_) => return messages,
            other => panic!("expected sync messages, got {other:?}"),
        }
    }
}

/// The same for several sockets.
pub async fn all_sync_messages(wires: &mut [Wire]) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for wire in wires {
        all.push(sync_messages(wire).await);
    }
    all
}

/// The next frame must be a message of this type.
pub async fn next_is(wire: &mut Wire, kind: &str) -> Value {
    let message = wire.text().await;
    assert_eq!(message["type"], kind, "{message}");
    message
}

/// No message waits for this socket: the answer to a ping is the next message that it receives.
pub async fn quiet(wire: &mut Wire) {
    wire.raw(&frame(0x89, b"quiet")).await;
    assert_eq!(wire.next().await, Frame::Pong(b"quiet".to_vec()));
}

/// Reads up to the close of a socket whose last message could not be stored, and which therefore was not acknowledged.
pub async fn closed_unacknowledged(wire: &mut Wire) -> (u16, String) {
    loop {
        match wire.next().await {
            Frame::Text(text) => assert!(!text.contains("answer_accepted"), "{text}"),
            Frame::Close(code, reason) => {
                wire.raw(&frame(0x88, &code.to_be_bytes())).await;
                return (code, reason);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The types of messages, in order.
pub fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
}
