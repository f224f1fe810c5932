//! Plays a script against the service and records it: a line for each frame, request and answer.
//!
//! A script waits for all effects of a step before the next one, so that the record does not depend on time. Sockets are read
//! one after the other; the order of frames on different sockets is not recorded.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::mem;
use std::net::SocketAddr;

use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::Value;

use super::placeholders::Placeholders;
use crate::process::Server;
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// Headers that do not depend on the service.
const UNRECORDED: [&str; 2] = ["date", "content-length"];
/// Headers that every answer of the interface has; recorded once, by [`Recorder::common_headers`].
const COMMON: [&str; 6] = [
    "cache-control",
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
    "permissions-policy",
];

/// A request: method and path, token (may be empty), body (may be empty).
pub type Request<'a> = (&'a str, &'a str, &'a str);

/// The record so far, and the open sockets.
pub struct Recorder {
    address: SocketAddr,
    http: Client,
    wires: HashMap<String, Wire>,
    placeholders: Placeholders,
    text: String,
}

impl Recorder {
    pub fn new(server: &Server) -> Self {
        Self {
            address: server.url().trim_start_matches("http://").parse().unwrap(),
            http: Client::new(),
            wires: HashMap::new(),
            placeholders: Placeholders::default(),
            text: String::new(),
        }
    }

    /// The whole record.
    pub fn text(mut self) -> String {
        assert!(self.wires.is_empty(), "every socket is read to its end: {:?}", self.wires.keys());
        mem::take(&mut self.text)
    }

    /// A heading for what follows.
    pub fn step(&mut self, title: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        writeln!(self.text, "{gap}# {title}").unwrap();
    }

    /// Sends a request and records status, headers and body of the answer; the body as JSON, if it is JSON.
    pub async fn http(&mut self, (line, token, body): Request<'_>) -> Value {
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("http://{}{path}", self.address);
        let mut request = self.http.request(Method::from_bytes(method.as_bytes()).unwrap(), url);
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if !body.is_empty() {
            request = request.header("content-type", "application/json").body(body.to_owned());
        }
        self.line("http >", &format!("{line} {body}"));
        let answer = request.send().await.unwrap();
        let headers = headers(answer.headers(), &COMMON);
        self.line("http <", &format!("{} {}", answer.status().as_str(), headers.join("; ")));
        let text = answer.text().await.unwrap();
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(code) = body["gameCode"].as_str() {
            self.placeholders.learn("code", code);
            self.placeholders.learn("small code", &code.to_lowercase());
        }
        text.lines().for_each(|line| self.line("http <", line));
        body
    }

    /// Records the common headers, from the answer to this path.
    pub async fn common_headers(&mut self, path: &str) {
        let answer = self.http.get(format!("http://{}{path}", self.address)).send().await.unwrap();
        for header in headers(answer.headers(), &[]) {
            self.line("http <", &header);
        }
    }

    /// Opens a socket and records the answer to the handshake. A refused socket is dropped.
    pub async fn open(&mut self, name: &str, (path, handshake): (&str, &Handshake)) {
        self.line(&format!("{name} >"), &format!("GET {path}"));
        match Wire::open(self.address, path, handshake).await {
            Ok(wire) => {
                let head = wire.head.clone();
                self.wires.insert(name.to_owned(), wire);
                self.head(name, &head);
            }
            Err(answer) => {
                let (head, body) = answer.split_once("\r\n\r\n").unwrap();
                self.head(name, head);
                self.line(&format!("{name} <"), body);
            }
        }
    }

    /// Sends a text message.
    pub async fn say(&mut self, name: &str, message: &str) {
        self.line(&format!("{name} >"), message);
        self.raw(name, &frame(0x81, message.as_bytes())).await;
    }

    /// Sends bytes unchanged and does not record them.
    pub async fn raw(&mut self, name: &str, bytes: &[u8]) {
        self.wires.get_mut(name).unwrap().raw(bytes).await;
    }

    /// Drops the connection without a close frame.
    pub fn lose(&mut self, name: &str) {
        self.line(&format!("{name} >"), "end");
        self.wires.remove(name);
    }

    /// Reads up to a message of this type, on each of these sockets.
    pub async fn receive(&mut self, kind: &str, names: &[&str]) {
        let wanted = format!(r#""type":"{kind}""#);
        for name in names {
            while !matches!(self.frame(name).await, Frame::Text(text) if text.contains(&wanted)) {}
        }
    }

    /// Reads this many messages, which may come in any order, and records them in a fixed order.
    pub async fn receive_in_any_order(&mut self, name: &str, count: usize) {
        let before = self.text.len();
        for _ in 0..count {
            assert!(matches!(self.frame(name).await, Frame::Text(_)));
        }
        let received = self.text.split_off(before);
        let mut lines: Vec<_> = received.lines().collect();
        lines.sort_unstable();
        for line in lines {
            writeln!(self.text, "{line}").unwrap();
        }
    }

    /// Reads everything that was sent before the answer to a ping frame.
    pub async fn settle(&mut self, name: &str) {
        self.raw(name, &frame(0x89, b"settled")).await;
        while !matches!(self.frame(name).await, Frame::Pong(_)) {}
    }

    /// Reads up to the close and the end of TCP, on each of these sockets.
    pub async fn closed(&mut self, names: &[&str]) {
        for name in names {
            let code = loop {
                if let Frame::Close(code, _) = self.frame(name).await {
                    break code;
                }
            };
            self.raw(name, &frame(0x88, &code.to_be_bytes())).await;
            assert_eq!(self.frame(name).await, Frame::End);
            self.wires.remove(*name);
        }
    }

    /// Closes a socket from this side with a close frame.
    pub async fn leave(&mut self, name: &str) {
        self.line(&format!("{name} >"), "close 1000");
        self.raw(name, &frame(0x88, &1_000_u16.to_be_bytes())).await;
        while self.frame(name).await != Frame::End {}
        self.wires.remove(name);
    }

    async fn frame(&mut self, name: &str) -> Frame {
        let frame = self.wires.get_mut(name).unwrap_or_else(|| panic!("{name} is not open")).next().await;
        let from = format!("{name} <");
        match &frame {
            Frame::Text(text) => self.line(&from, text),
            Frame::Close(code, reason) => self.line(&from, &format!("close {code} {reason}")),
            Frame::Pong(_) => self.line(&from, "pong frame"),
            Frame::Ping(_) => panic!("no test takes as long as a ping"),
            Frame::End => self.line(&from, "end"),
        }
        frame
    }

    fn head(&mut self, name: &str, head: &str) {
        let mut lines: Vec<_> = head.lines().filter(|line| !line.is_empty()).collect();
        lines[1..].sort_unstable();
        let is_unrecorded = |line: &str| {
            let header = line.split(':').next().unwrap().to_ascii_lowercase();
            UNRECORDED.iter().chain(&COMMON).any(|other| header == *other)
        };
        lines.retain(|line| !is_unrecorded(line));
        self.line(&format!("{name} <"), &lines.join("; "));
    }

    fn line(&mut self, from: &str, text: &str) {
        let text = self.placeholders.apply(text);
        writeln!(self.text, "{}", format!("{from} {text}").trim_end()).unwrap();
    }
}

impl Drop for Recorder {
    /// When a script waits in vain, this shows how far it came.
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}", self.text);
        }
    }
}

/// The names and values of all headers except these, sorted by name.
fn headers(headers: &HeaderMap, but: &[&str]) -> Vec<String> {
    let is_recorded = |name: &str| !UNRECORDED.contains(&name) && !but.contains(&name);
    let headers = headers.iter().filter(|(name, _)| is_recorded(name.as_str()));
    let mut headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    headers.sort_unstable();
    headers
}
