//! A server of one game with one question, scripted: joins by `POST /join`, then the messages of a full game by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use quizhall_client::Endpoint;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Barrier;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};
use uuid::Uuid;

pub const CODE: &str = "ABC234";
const QUESTION: Uuid = Uuid::from_u128(0x51);

/// What the server did.
#[derive(Default)]
pub struct Seen {
    pub joins: AtomicUsize,
    pub answers: AtomicUsize,
}

/// Serves until the test ends; all `players` go through the game together.
pub async fn serve(players: usize) -> (Endpoint, Arc<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let seen = Arc::new(Seen::default());
    let (counting, together) = (Arc::clone(&seen), Arc::new(Barrier::new(players)));
    tokio::spawn(async move {
        loop {
            let (tcp, _) = listener.accept().await.unwrap();
            let (seen, together) = (Arc::clone(&counting), Arc::clone(&together));
            tokio::spawn(async move {
                let mut first = [0; 4];
                tcp.peek(&mut first).await.unwrap();
                if &first == b"POST" { answer_posts(tcp, &seen).await } else { play(tcp, &seen, &together).await }
            });
        }
    });
    (endpoint, seen)
}

/// `POST /join` with the right code is a player, everything else is not found.
async fn answer_posts(mut tcp: TcpStream, seen: &Seen) {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    // One request is one small packet or two here; the body ends the JSON object.
    while !request.ends_with(b"}") {
        match tcp.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&piece[..read]),
        }
    }
    let request = String::from_utf8(request).unwrap();
    let (status, body) = if request.starts_with("POST /join ") && request.contains(CODE) {
        let id = Uuid::from_u128(0x100 + seen.joins.fetch_add(1, Ordering::SeqCst) as u128);
        let name = request.split("displayName\":\"").nth(1).unwrap().split('"').next().unwrap();
        let body =
            format!(r#"{{"sessionToken":"qp_{id}","gameCode":"{CODE}","playerId":"{id}","displayName":"{name}"}}"#);
        ("201 Created", body)
    } else {
        (
            "404 Not Found",
            r#"{"type":"/problems/x","title":"x","status":404,"detail":"No game has this code."}"#.to_owned(),
        )
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    tcp.write_all((head + &body).as_bytes()).await.unwrap();
}

async fn play(tcp: TcpStream, seen: &Seen, together: &Barrier) {
    let Ok(mut socket) = accept_async(tcp).await else { return };
    say(&mut socket, r#"{"type":"lobby_update","payload":{"players":[]}}"#).await;
    together.wait().await;
    say(&mut socket, r#"{"type":"game_started"}"#).await;
    let question =
        format!(r#"{{"id":"{QUESTION}","text":"?","type":"true_false","choices":["True","False"],"points":10}}"#);
    say(&mut socket, &format!(r#"{{"type":"question_released","payload":{{"question":{question}}}}}"#)).await;
    let mut quiet = Duration::from_secs(5);
    while let Ok(Some(Ok(message))) = tokio::time::timeout(quiet, socket.next()).await {
        if let Message::Text(text) = message {
            assert!(text.contains(&QUESTION.to_string()) && text.contains("submit_answer"), "{text}");
            seen.answers.fetch_add(1, Ordering::SeqCst);
            say(&mut socket, &format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{QUESTION}"}}}}"#)).await;
            // Room for a change of mind, then on.
            quiet = Duration::from_millis(100);
        }
    }
    say(&mut socket, r#"{"type":"round_ended"}"#).await;
    let board = r#"{"leaderboard":[{"playerId":"00000000-0000-0000-0000-000000000100","displayName":"Ann","score":10,"rank":1}]}"#;
    say(&mut socket, &format!(r#"{{"type":"round_leaderboard","payload":{board}}}"#)).await;
    say(&mut socket, &format!(r#"{{"type":"game_ended","payload":{board}}}"#)).await;
    while let Some(Ok(_)) = socket.next().await {}
}

async fn say(socket: &mut WebSocketStream<TcpStream>, text: &str) {
    // A client that has left receives nothing, which is no error.
    let _ = socket.send(Message::text(text)).await;
}
