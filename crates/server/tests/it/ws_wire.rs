//! A WebSocket client that can make every mistake: it writes the bytes that it is given, and reads frames unchanged.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::ws_stage::TIMEOUT;

/// The headers of a handshake.
#[derive(Clone)]
pub struct Handshake {
    headers: Vec<(String, String)>,
    /// Bytes written in one piece with the request.
    pub early: Vec<u8>,
    /// The client's receive buffer.
    pub receive_buffer: Option<u32>,
}

impl Handshake {
    pub fn new() -> Self {
        let headers = [
            ("Host", "localhost"),
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self { headers, early: Vec::new(), receive_buffer: None }
    }

    pub fn bearer(token: &str) -> Self {
        Self::new().with("Authorization", &format!("Bearer {token}"))
    }

    /// Sets a header, or removes it when the value is empty.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        if !value.is_empty() {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The bytes of the request.
    pub fn request(&self, path: &str) -> Vec<u8> {
        let headers = self.headers.iter().fold(String::new(), |all, (name, value)| all + name + ": " + value + "\r\n");
        let mut request = format!("GET {path} HTTP/1.1\r\n{headers}\r\n").into_bytes();
        request.extend_from_slice(&self.early);
        request
    }
}

/// What the server sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    Text(String),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(u16, String),
    /// TCP ended.
    End,
}

pub struct Wire {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// The head of the server's answer.
    pub head: String,
}

impl Wire {
    /// `Err` is the head and the body of an answer other than 101.
    pub async fn open(address: SocketAddr, path: &str, handshake: &Handshake) -> Result<Self, String> {
        let socket = TcpSocket::new_v4().unwrap();
        if let Some(size) = handshake.receive_buffer {
            socket.set_recv_buffer_size(size).unwrap();
        }
        let mut stream = socket.connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(&handshake.request(path)).await.unwrap();
        let mut wire = Self { stream, bytes: Vec::new(), head: String::new() };
        let end = loop {
            if let Some(end) = wire.bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            assert!(wire.more().await, "the server closed without an answer");
        };
        wire.head = String::from_utf8(wire.bytes.drain(..end).collect()).unwrap();
        if wire.head.starts_with("HTTP/1.1 101") { Ok(wire) } else { Err(wire.body().await) }
    }

    async fn body(mut self) -> String {
        let length = self.header("content-length").map_or(0, |length| length.parse().unwrap());
        while self.bytes.len() < length && self.more().await {}
        self.head + &String::from_utf8(self.bytes).unwrap()
    }

    /// A header of the answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        header_of(&self.head, name)
    }

    pub async fn send(&mut self, message: &Value) {
        self.raw(&frame(0x81, message.to_string().as_bytes())).await;
    }

    /// Writes bytes unchanged. If the server has closed, that shows when reading.
    pub async fn raw(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// The next text message as JSON; pings are answered.
    pub async fn text(&mut self) -> Value {
        loop {
            match self.next().await {
                Frame::Text(text) => return serde_json::from_str(&text).unwrap(),
                Frame::Ping(data) => self.raw(&frame(0x8a, &data)).await,
                Frame::Pong(_) => {}
                other => panic!("expected a message, got {other:?}"),
            }
        }
    }

    /// Reads until a message of this type.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.text().await;
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Reads up to the close and the end of TCP; answers the close. Returns code and reason.
    pub async fn closed(&mut self) -> (u16, String) {
        let close = loop {
            match self.next().await {
                Frame::Close(code, reason) => break (code, reason),
                Frame::End => panic!("TCP ended without a close frame"),
                _ => {}
            }
        };
        self.raw(&frame(0x88, &close.0.to_be_bytes())).await;
        assert_eq!(self.next().await, Frame::End, "nothing follows a close");
        close
    }

    /// The next frame.
    pub async fn next(&mut self) -> Frame {
        loop {
            if let Some((frame, used)) = parse(&self.bytes) {
                self.bytes.drain(..used);
                return frame;
            }
            if !self.more().await {
                return Frame::End;
            }
        }
    }

    /// The next frame, if one comes within `wait`.
    pub async fn next_within(&mut self, wait: Duration) -> Option<Frame> {
        timeout(wait, self.next()).await.ok()
    }

    async fn more(&mut self) -> bool {
        let read = timeout(TIMEOUT, self.stream.read_buf(&mut self.bytes)).await.expect("the server sends nothing");
        matches!(read, Ok(1..))
    }
}

pub fn header_of<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (other, value) = line.split_once(':')?;
        other.eq_ignore_ascii_case(name).then_some(value.trim())
    })
}

/// A masked frame.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).unwrap()),
        long @ 126..65_536 => {
            bytes.push(0xfe);
            bytes.extend_from_slice(&u16::try_from(long).unwrap().to_be_bytes());
        }
        huge => {
            bytes.push(0xff);
            bytes.extend_from_slice(&(huge as u64).to_be_bytes());
        }
    }
    let mask = [7, 77, 177, 237];
    bytes.extend_from_slice(&mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// The first whole frame of what a server wrote, and its length.
fn parse(bytes: &[u8]) -> Option<(Frame, usize)> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    assert!(second & 0x80 == 0 && first & 0x70 == 0 && first & 0x80 != 0, "a server's frame is plain: {first:02x}");
    let (length, start) = match second {
        126 => (usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().unwrap())), 4),
        127 => (usize::try_from(u64::from_be_bytes(bytes.get(2..10)?.try_into().unwrap())).unwrap(), 10),
        short => (usize::from(short), 2),
    };
    let payload = bytes.get(start..start + length)?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let frame = match first & 0x0f {
        1 => Frame::Text(text(payload)),
        8 => Frame::Close(u16::from_be_bytes(payload[..2].try_into().unwrap()), text(&payload[2..])),
        9 => Frame::Ping(payload.to_vec()),
        10 => Frame::Pong(payload.to_vec()),
        other => panic!("the server wrote opcode {other}"),
    };
    Some((frame, start + length))
}
