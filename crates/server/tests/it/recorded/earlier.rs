//! Clients of earlier versions: their recorded frames are sent again one by one, and this version must answer as that one did.
//!
//! The records in `earlier/` are named after their version and never change. An answer may have more fields than the recorded
//! one, and a socket may receive types of messages that the record does not know; nothing may be missing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::SocketAddr;

use reqwest::{Client, Method};
use serde_json::Value;

use super::service::Service;
use crate::process::HOST_TOKEN;
use crate::ws_wire::{Frame, Handshake, Wire, frame};

#[tokio::test]
async fn a_client_of_version_0_1_with_the_extension_is_answered_as_then() {
    let service = Service::start();
    let address = service.server.url().trim_start_matches("http://").parse().unwrap();
    let replayed = Replay::new(address, include_str!("earlier/0.1-v1.txt")).run().await;
    assert!(replayed > 250, "{replayed} lines");
}

#[test]
fn a_field_that_vanished_or_changed_is_noticed() {
    let fits = |recorded: &str, answer: &str| {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        Values::default().fit(&parse(recorded), &parse(answer))
    };
    assert!(fits(r#"{"a":["<id 1>","x"],"b":"<id 1>"}"#, r#"{"b":"7","a":["7","x"],"c":1}"#));
    for answer in [r#"{"b":"7"}"#, r#"{"a":["7","y"],"b":"7"}"#, r#"{"a":["7","x"],"b":"8"}"#, r#"{"a":["7"],"b":"7"}"#]
    {
        assert!(!fits(r#"{"a":["<id 1>","x"],"b":"<id 1>"}"#, answer), "{answer}");
    }
}

/// The values of a record's placeholders in this run.
#[derive(Default)]
struct Values(BTreeMap<String, String>);

/// A record that is played against a service.
struct Replay<'a> {
    address: SocketAddr,
    lines: Vec<(&'a str, &'a str)>,
    /// The types of messages that the version of the record knew.
    kinds: HashSet<String>,
    wires: HashMap<&'a str, Wire>,
    tokens: HashMap<String, String>,
    /// The sockets that this side closes.
    leaving: HashSet<&'a str>,
    values: Values,
}

impl Values {
    /// A text of the record with the values of this run.
    fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value))
    }

    /// Whether an answer has everything that is recorded; stores the values of new placeholders.
    fn fit(&mut self, recorded: &Value, answer: &Value) -> bool {
        match (recorded, answer) {
            (Value::Object(fields), Value::Object(answer)) => {
                fields.iter().all(|(name, field)| answer.get(name).is_some_and(|answer| self.fit(field, answer)))
            }
            (Value::Array(items), Value::Array(answer)) => {
                items.len() == answer.len() && items.iter().zip(answer).all(|(item, answer)| self.fit(item, answer))
            }
            (Value::String(text), Value::String(answer)) => self.fit_text(text, answer),
            (recorded, answer) => recorded == answer,
        }
    }

    fn fit_text(&mut self, recorded: &str, answer: &str) -> bool {
        let filled = self.fill(recorded);
        let Some((before, rest)) = filled.split_once('<') else { return filled == answer };
        let Some((name, after)) = rest.split_once('>') else { return filled == answer };
        let value = answer.strip_prefix(before).and_then(|answer| answer.strip_suffix(after));
        if let Some(value) = value.filter(|_| name != "time") {
            self.0.insert(format!("<{name}>"), value.to_owned());
        }
        value.is_some()
    }
}

impl<'a> Replay<'a> {
    fn new(address: SocketAddr, record: &'a str) -> Self {
        let lines = record.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines: Vec<_> = lines.map(|line| line.split_at(line.find(['<', '>']).unwrap() + 1)).collect();
        let lines: Vec<_> = lines.into_iter().map(|(from, text)| (from, text.trim_start())).collect();
        let kinds = lines.iter().filter_map(|(_, text)| kind_of(text)).collect();
        let (wires, tokens, leaving) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { address, lines, kinds, wires, tokens, leaving, values: Values::default() }
    }

    /// Plays the record; returns its number of lines.
    async fn run(mut self) -> usize {
        let mut answers = Vec::new();
        for (number, (from, text)) in self.lines.clone().into_iter().enumerate() {
            let (name, is_sent) = (from[..from.len() - 1].trim(), from.ends_with('>'));
            match (name, is_sent) {
                ("http", true) => answers = self.ask(text).await,
                ("http", false) => self.compare(text, &answers.remove(0)),
                (_, true) => self.send(name, text, number).await,
                (_, false) if text.starts_with("HTTP/") => self.compare_head(name, text),
                (_, false) => self.receive(name, text).await,
            }
        }
        self.lines.len()
    }

    /// Sends a request; returns the status and the body of the answer.
    async fn ask(&mut self, text: &str) -> Vec<String> {
        let [method, path, body] = text.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{text}") };
        let url = format!("http://{}{}", self.address, self.values.fill(path));
        let mut request = Client::new().request(Method::from_bytes(method.as_bytes()).unwrap(), url);
        if path != "/join" {
            request = request.bearer_auth(HOST_TOKEN);
        }
        request = request.header("content-type", "application/json").body(self.values.fill(body));
        let answer = request.send().await.unwrap();
        let content = answer.headers()["content-type"].to_str().unwrap().to_owned();
        let status = format!("{} content-type: {content}", answer.status().as_str());
        let text = answer.text().await.unwrap();
        let body: Value = serde_json::from_str(&text).unwrap();
        if let (Some(name), Some(token)) = (body["displayName"].as_str(), body["sessionToken"].as_str()) {
            self.tokens.insert(name.to_lowercase(), token.to_owned());
        }
        vec![status, text]
    }

    async fn send(&mut self, name: &'a str, text: &str, number: usize) {
        match text.split_once(' ') {
            Some(("GET", path)) => self.open(name, path, number).await,
            None if text == "end" => drop(self.wires.remove(name)),
            Some(("close", code)) => {
                self.leaving.insert(name);
                self.raw(name, &frame(0x88, &code.parse::<u16>().unwrap().to_be_bytes())).await;
            }
            _ => {
                let message = self.values.fill(text);
                self.raw(name, &frame(0x81, message.as_bytes())).await;
            }
        }
    }

    async fn open(&mut self, name: &'a str, path: &str, number: usize) {
        let token = self.tokens.get(name).map_or(HOST_TOKEN, String::as_str);
        let mut handshake = Handshake::bearer(token);
        let is_extended = self.lines[number + 1].1.contains("quizhall.v1");
        if is_extended {
            handshake = handshake.with("Sec-WebSocket-Protocol", "quizhall.v1");
        }
        let wire = Wire::open(self.address, &self.values.fill(path), &handshake).await.unwrap();
        self.wires.insert(name, wire);
        self.leaving.remove(name);
        if !is_extended {
            // The pong comes after the sync messages of a plain socket.
            self.raw(name, &frame(0x89, b"settled")).await;
        }
    }

    async fn raw(&mut self, name: &str, bytes: &[u8]) {
        self.wires.get_mut(name).unwrap().raw(bytes).await;
    }

    async fn receive(&mut self, name: &str, recorded: &str) {
        let received = loop {
            let received = match self.wires.get_mut(name).unwrap().next().await {
                Frame::Text(text) => text,
                Frame::Close(code, reason) => {
                    if !self.leaving.contains(name) {
                        self.raw(name, &frame(0x88, &code.to_be_bytes())).await;
                    }
                    format!("close {code} {reason}").trim_end().to_owned()
                }
                Frame::Pong(_) => "pong frame".to_owned(),
                Frame::Ping(_) => panic!("no test takes as long as a ping"),
                Frame::End => "end".to_owned(),
            };
            if kind_of(&received).is_none_or(|kind| self.kinds.contains(&kind)) {
                break received;
            }
        };
        self.compare(recorded, &received);
    }

    fn compare(&mut self, recorded: &str, received: &str) {
        let fits = match (serde_json::from_str(recorded), serde_json::from_str(received)) {
            (Ok(recorded), Ok(received)) => self.values.fit(&recorded, &received),
            _ => recorded == received,
        };
        assert!(fits, "recorded: {recorded}\nreceived: {received}");
    }

    fn compare_head(&self, name: &str, recorded: &str) {
        let head = self.wires[name].head.to_ascii_lowercase();
        for line in recorded.split("; ") {
            let expected = line.to_ascii_lowercase();
            assert!(head.lines().any(|line| line.trim_end() == expected), "{line} is missing in {head}");
        }
    }
}

/// The type of a message; `None` for a text that is no message.
fn kind_of(text: &str) -> Option<String> {
    serde_json::from_str::<Value>(text).ok()?["type"].as_str().map(str::to_owned)
}
