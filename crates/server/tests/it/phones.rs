//! Phones as the server sees them: each request uses a TCP connection of its own, from an address that a trusted proxy names.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::process::{HOST_TOKEN, Server};

/// The setting for the proxy through which every request of a test comes.
pub const PROXY: (&str, &str) = ("TRUSTED_PROXIES", "127.0.0.0/8");

/// Status, `Retry-After` and body of an answer, and how long it took.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub retry_after: Option<u64>,
    pub body: String,
    pub took: Duration,
}

/// A request that was sent and is not answered yet. Dropping it disconnects the client.
pub struct Sent {
    stream: TcpStream,
    begun: Instant,
}

/// Sends a POST from this address.
pub async fn send(server: SocketAddr, from: &str, path: &str, body: &Value) -> Sent {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server).await.unwrap();
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: quiz.example.org\r\nX-Forwarded-For: {from}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    Sent { stream, begun }
}

impl Sent {
    /// Waits for the answer.
    pub async fn reply(mut self) -> Reply {
        let mut text = String::new();
        self.stream.read_to_string(&mut text).await.unwrap();
        let took = self.begun.elapsed();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        let retry_after = head.lines().find_map(|line| line.strip_prefix("retry-after: ")?.trim().parse().ok());
        Reply { status, retry_after, body: body.to_owned(), took }
    }
}

/// Joins from this address.
pub async fn join(server: SocketAddr, from: &str, code: &str, name: &str) -> Reply {
    send(server, from, "/join", &json!({"gameCode": code, "displayName": name})).await.reply().await
}

/// Signs in from this address.
pub async fn sign_in(server: SocketAddr, from: &str, name: &str, password: &str) -> Reply {
    send(server, from, "/api/v1/sessions", &json!({"name": name, "password": password})).await.reply().await
}

/// A code that no game has: six symbols of the alphabet, equal to a game's code by a chance of one in a billion.
pub fn guess(number: usize) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
    (0..6_u32).map(|place| char::from(ALPHABET[(number / 31_usize.pow(place)) % 31])).collect()
}

/// Opens a game of a quiz with one question; returns its code. The game is not loaded yet.
pub async fn game(server: &Server) -> String {
    let question = json!({"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]});
    let quiz = json!({"title": "A quiz", "rounds": [{"title": "One", "questions": [question]}]});
    let made = create(server, "/api/v1/quizzes", &quiz).await;
    let game = create(server, "/api/v1/games", &json!({"quizId": made["id"]})).await;
    game["gameCode"].as_str().unwrap().to_owned()
}

/// Sends a POST as the host of the fixed token.
pub async fn create(server: &Server, path: &str, body: &Value) -> Value {
    let request = reqwest::Client::new().post(format!("{}{path}", server.url())).bearer_auth(HOST_TOKEN).json(body);
    let response = request.send().await.unwrap();
    assert_eq!(response.status().as_u16(), 201, "{path}");
    response.json().await.unwrap()
}
