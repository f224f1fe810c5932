//! A server with every step scripted by the test: it accepts a socket, sends, receives, closes.

use futures_util::{SinkExt as _, StreamExt as _};
use quizhall_client::{Carrier, Endpoint, Options, Schedule, Seat, Token};
use quizhall_protocol::{Close, Role};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};
use uuid::Uuid;

pub const TOKEN: &str = "qp_a-token/with+signs";
pub const CODE: &str = "ABC234";

pub struct Fake {
    listener: TcpListener,
}

/// The server's end of one socket.
pub struct Peer {
    stream: WebSocketStream<TcpStream>,
    pub path: String,
    pub authorization: Option<String>,
    /// The subprotocol that was offered.
    pub offered: Option<String>,
}

impl Fake {
    pub async fn start() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&format!("http://{}", self.listener.local_addr().unwrap())).unwrap()
    }

    /// A player's options with delays that are short enough for a test.
    pub fn options(&self, role: Role) -> Options {
        let seat = Seat { code: CODE.to_owned(), token: Token::new(TOKEN), role };
        let ms = std::time::Duration::from_millis;
        let schedule = Schedule { first: ms(5), base: ms(5), cap: ms(20), ..Schedule::default() };
        Options {
            endpoint: self.endpoint(),
            seat,
            carrier: Carrier::Bearer,
            dialect: quizhall_protocol::Dialect::Interface,
            schedule,
            seed: Some(1),
        }
    }

    /// Accepts a socket, with the offered subprotocol.
    pub async fn accept(&self) -> Peer {
        self.accept_and(true).await
    }

    /// Accepts a socket like a server that knows no subprotocols.
    pub async fn accept_silently(&self) -> Peer {
        self.accept_and(false).await
    }

    async fn accept_and(&self, echo: bool) -> Peer {
        let (tcp, _) = self.listener.accept().await.unwrap();
        let (mut path, mut authorization, mut offered) = (String::new(), None, None);
        #[expect(clippy::result_large_err, reason = "the signature is the library's")]
        let note = |request: &Request, mut response: Response| -> Result<Response, ErrorResponse> {
            let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            path = request.uri().to_string();
            authorization = header("authorization");
            offered = header("sec-websocket-protocol");
            if let Some(name) = offered.as_ref().filter(|_| echo) {
                response.headers_mut().insert("sec-websocket-protocol", name.parse().unwrap());
            }
            Ok(response)
        };
        let stream = accept_hdr_async(tcp, note).await.unwrap();
        Peer { stream, path, authorization, offered }
    }

    /// Answers one HTTP request with these bytes and returns the request.
    pub async fn answer_http(&self, status: &str, headers: &str, body: &str) -> String {
        let (mut tcp, _) = self.listener.accept().await.unwrap();
        let request = read_request(&mut tcp).await;
        let response =
            format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}", body.len());
        tcp.write_all(response.as_bytes()).await.unwrap();
        request
    }

    /// Answers one request with 101, these headers and these bytes after them; returns the request.
    pub async fn answer_switching(&self, headers: &str, frames: &[u8]) -> String {
        let (mut tcp, _) = self.listener.accept().await.unwrap();
        let request = read_request(&mut tcp).await;
        let head = format!("HTTP/1.1 101 Switching Protocols\r\n{headers}\r\n");
        tcp.write_all(&[head.as_bytes(), frames].concat()).await.unwrap();
        request
    }

    /// Reads a request and closes the connection.
    pub async fn hang_up(&self) -> String {
        let (mut tcp, _) = self.listener.accept().await.unwrap();
        read_request(&mut tcp).await
    }
}

impl Peer {
    pub async fn say(&mut self, json: &str) {
        self.stream.send(Message::text(json)).await.unwrap();
    }

    /// The next text, answering pings meanwhile; `None` when the connection is closed.
    pub async fn receive(&mut self) -> Option<String> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// The next frame of any kind.
    pub async fn frame(&mut self) -> Option<Message> {
        self.stream.next().await.and_then(Result::ok)
    }

    /// Waits for the pong to a ping of ours: everything the client sent before it has been received.
    pub async fn receives_at_most(&mut self, allowed: usize) -> Vec<String> {
        self.stream.send(Message::Ping("barrier".into())).await.unwrap();
        let mut received = Vec::new();
        loop {
            match self.stream.next().await.unwrap().unwrap() {
                Message::Text(text) => received.push(text.to_string()),
                Message::Pong(payload) if payload.as_ref() == b"barrier" => break,
                _ => {}
            }
        }
        assert!(received.len() <= allowed, "{received:?}");
        received
    }

    pub async fn close(mut self, close: Close) {
        let frame = CloseFrame { code: close.code.number().into(), reason: close.reason().into() };
        self.stream.close(Some(frame)).await.unwrap();
        while let Some(Ok(_)) = self.stream.next().await {}
    }
}

pub fn released(question: Uuid) -> String {
    format!(
        r#"{{"type":"question_released","payload":{{"question":{{"id":"{question}","text":"?","type":"text","points":10}}}}}}"#
    )
}

pub fn accepted(question: Uuid) -> String {
    format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{question}"}}}}"#)
}

pub fn submitted(question: Uuid, answer: &str) -> String {
    format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{question}","answer":"{answer}"}}}}"#)
}

/// Reads head and body, by content-length.
async fn read_request(tcp: &mut TcpStream) -> String {
    let mut request = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = tcp.read(&mut piece).await.unwrap();
        request.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        assert!(read > 0, "the request ended early: {text}");
    }
}
