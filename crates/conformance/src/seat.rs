//! A participant's socket: a reader task that pongs and answers closes, and the questions a row asks of what arrived.
//!
//! Stages and stories hold seats. Everything received passes the [`Observer`] when it is taken, so that a wrong shape fails the row
//! that met it.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use quizhall_protocol::{CloseCode, Role};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::observer::Observer;
use crate::wire::frame::{CLOSE, CONTINUATION, PING, PONG, TEXT};
use crate::wire::{Build, Frame, RawSocket};

/// Pings a seat may send at once, and then per second: below what a server takes (20 and 10) before it closes with 4008.
const PING_BURST: f64 = 15.0;
const PINGS_PER_SECOND: f64 = 8.0;
/// Events kept for a row that does not look yet; then the reader stops reading.
const MAILBOX: usize = 8_192;

/// What can arrive on a socket.
#[derive(Debug)]
pub enum Event {
    /// A whole text message.
    Message(String),
    /// The answer to a ping.
    Pong(Vec<u8>),
    /// A close frame: code and reason.
    Closed(Option<u16>, String),
    /// The connection ended without a close frame, or the server broke the protocol.
    Lost(String),
}

/// A close as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The code.
    pub code: u16,
    /// The reason.
    pub reason: String,
}

impl std::fmt::Display for Ending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "close {} `{}`", self.code, self.reason)
    }
}

/// A connected participant.
#[derive(Debug)]
pub struct Seat {
    role: Role,
    writer: Arc<Mutex<OwnedWriteHalf>>,
    events: mpsc::Receiver<Event>,
    reader: JoinHandle<()>,
    observer: Arc<Observer>,
    patience: Duration,
    pings: Pings,
    allowed: Vec<Value>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Seat {
    /// Takes over a socket.
    pub fn new(socket: RawSocket, role: Role, observer: Arc<Observer>, patience: Duration) -> Self {
        let (read, write, buffer) = socket.split();
        let writer = Arc::new(Mutex::new(write));
        let (sender, events) = mpsc::channel(MAILBOX);
        let reader = Reader { read, buffer, writer: Arc::clone(&writer), events: sender };
        let reader = tokio::spawn(reader.run());
        Self { role, writer, events, reader, observer, patience, pings: Pings::new(), allowed: Vec::new() }
    }

    /// Lets a message pass unnoticed once, now or later: one that the interface leaves open.
    pub fn allow(&mut self, message: Value) {
        self.allowed.push(message);
    }

    /// Takes over what an older socket of the same participant was still allowed to be sent.
    pub fn inherit(&mut self, older: &mut Self) {
        self.allowed.append(&mut older.allowed);
    }

    /// Sends a text message.
    pub async fn send(&self, text: &str) -> anyhow::Result<()> {
        self.send_bytes(&Build::text(text).bytes()).await
    }

    /// Sends bytes as they are.
    pub async fn send_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.writer.lock().await.write_all(bytes).await.context("the server had gone before the message was sent")
    }

    /// The next event, whatever it is.
    pub async fn next(&mut self) -> anyhow::Result<Event> {
        let patience = self.patience;
        self.next_within(patience).await
    }

    /// The next message, however long it takes up to `patience`.
    pub async fn message_within(&mut self, patience: Duration) -> anyhow::Result<Value> {
        let own = std::mem::replace(&mut self.patience, patience);
        let message = self.message().await;
        self.patience = own;
        message
    }

    /// Whether anything has arrived that was not looked at yet.
    pub fn has_news(&self) -> bool {
        !self.events.is_empty()
    }

    async fn next_within(&mut self, patience: Duration) -> anyhow::Result<Event> {
        let event = tokio::time::timeout(patience, self.events.recv()).await;
        let event = event.with_context(|| format!("nothing came within {} s", patience.as_secs()))?;
        let event = event.context("the socket had ended before")?;
        if let Event::Closed(code, reason) = &event {
            self.observer.close(*code, reason)?;
        }
        Ok(event)
    }

    /// The next message; pongs of the row's own pings are passed over.
    pub async fn message(&mut self) -> anyhow::Result<Value> {
        loop {
            match self.next().await? {
                Event::Message(text) => {
                    if let Some(message) = self.judge(&text)? {
                        return Ok(message);
                    }
                }
                Event::Pong(_) => {}
                Event::Closed(code, reason) => bail!("expected a message, got close {} `{reason}`", code.unwrap_or(0)),
                Event::Lost(why) => bail!("expected a message, but {why}"),
            }
        }
    }

    /// The next `count` messages.
    pub async fn messages(&mut self, count: usize) -> anyhow::Result<Vec<Value>> {
        let mut messages = Vec::with_capacity(count);
        for number in 0..count {
            let message = self.message().await;
            messages.push(message.with_context(|| format!("message {} of {count}", number + 1))?);
        }
        Ok(messages)
    }

    /// Shows that nothing has arrived: a ping goes round and its pong is the first thing back.
    pub async fn silent(&mut self) -> anyhow::Result<()> {
        let extra = self.drain().await?;
        ensure!(extra.is_empty(), "expected silence, got {}", brief(&extra[0]));
        Ok(())
    }

    /// Everything that arrived before a ping went round.
    pub async fn drain(&mut self) -> anyhow::Result<Vec<Value>> {
        let payload = self.pings.next().await;
        self.send_bytes(&Build::new(PING, payload.clone()).bytes()).await?;
        let mut messages = Vec::new();
        loop {
            match self.next().await.context("waiting for a pong")? {
                Event::Pong(answer) if answer == payload => return Ok(messages),
                Event::Pong(_) => {}
                Event::Message(text) => messages.extend(self.judge(&text)?),
                Event::Closed(code, reason) => bail!("expected silence, got close {} `{reason}`", code.unwrap_or(0)),
                Event::Lost(why) => bail!("expected silence, but {why}"),
            }
        }
    }

    /// The close, which must be the next thing that arrives.
    pub async fn closed(&mut self) -> anyhow::Result<Ending> {
        let (messages, ending) = self.until_closed(self.patience).await?;
        match messages.first() {
            Some(message) => bail!("expected a close, got {} first (then {ending})", brief(message)),
            None => Ok(ending),
        }
    }

    /// Everything up to the close, waiting `patience` for each thing.
    pub async fn until_closed(&mut self, patience: Duration) -> anyhow::Result<(Vec<Value>, Ending)> {
        let mut messages = Vec::new();
        loop {
            match self.next_within(patience).await {
                Ok(Event::Message(text)) => messages.extend(self.judge(&text)?),
                Ok(Event::Pong(_)) => {}
                Ok(Event::Closed(code, reason)) => return Ok((messages, Ending { code: code.unwrap_or(0), reason })),
                Ok(Event::Lost(why)) => bail!("expected a close, but {why}"),
                Err(error) => match messages.first() {
                    Some(message) => bail!("expected a close, got {}", brief(message)),
                    None => return Err(error.context("expected a close")),
                },
            }
        }
    }

    fn judge(&mut self, text: &str) -> anyhow::Result<Option<Value>> {
        let message = self.observer.message(self.role, text)?;
        if let Some(place) = self.allowed.iter().position(|allowed| *allowed == message) {
            self.allowed.swap_remove(place);
            return Ok(None);
        }
        Ok(Some(message))
    }

    /// Leaves as a client should: a close frame, and the server's in return.
    pub async fn leave(mut self) -> anyhow::Result<()> {
        self.send_bytes(&Build::close(CloseCode::GameOver.number(), b"").bytes()).await?;
        loop {
            let event = tokio::time::timeout(self.patience, self.events.recv()).await;
            match event.context("the server did not answer a close")? {
                Some(Event::Closed(..)) => return Ok(()),
                Some(Event::Lost(why)) => bail!("the server did not answer a close: {why}"),
                Some(Event::Message(_) | Event::Pong(_)) => {}
                None => bail!("the socket had ended before"),
            }
        }
    }
}

/// A message short enough for a failure line.
pub fn brief(message: &Value) -> String {
    let text = message.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Numbers pings and keeps them within what a server allows: a barrier must not be what closes the socket.
#[derive(Debug)]
struct Pings {
    sent: u64,
    left: f64,
    counted: Instant,
}

impl Pings {
    fn new() -> Self {
        Self { sent: 0, left: PING_BURST, counted: Instant::now() }
    }

    async fn next(&mut self) -> Vec<u8> {
        self.refill();
        if self.left < 1.0 {
            tokio::time::sleep(Duration::from_secs_f64((1.0 - self.left) / PINGS_PER_SECOND)).await;
            self.refill();
        }
        self.left -= 1.0;
        self.sent += 1;
        self.sent.to_be_bytes().to_vec()
    }

    fn refill(&mut self) {
        let now = Instant::now();
        let passed = now.duration_since(self.counted).as_secs_f64();
        self.left = passed.mul_add(PINGS_PER_SECOND, self.left).min(PING_BURST);
        self.counted = now;
    }
}

struct Reader {
    read: OwnedReadHalf,
    buffer: Vec<u8>,
    writer: Arc<Mutex<OwnedWriteHalf>>,
    events: mpsc::Sender<Event>,
}

impl Reader {
    async fn run(mut self) {
        let mut message: Option<Vec<u8>> = None;
        loop {
            let event = match self.frame().await {
                Ok(Some(frame)) => self.event(frame, &mut message).await,
                Ok(None) => Some(Event::Lost("the connection ended without a close frame".to_owned())),
                Err(error) => Some(Event::Lost(format!("{error:#}"))),
            };
            let Some(event) = event else { continue };
            let last = matches!(event, Event::Closed(..) | Event::Lost(_));
            if self.events.send(event).await.is_err() || last {
                return;
            }
        }
    }

    async fn frame(&mut self) -> anyhow::Result<Option<Frame>> {
        loop {
            if let Some(frame) = Frame::take(&mut self.buffer)? {
                return Ok(Some(frame));
            }
            if self.read.read_buf(&mut self.buffer).await.context("the connection broke")? == 0 {
                return Ok(None);
            }
        }
    }

    async fn event(&mut self, frame: Frame, message: &mut Option<Vec<u8>>) -> Option<Event> {
        match (frame.opcode, message.take()) {
            (TEXT, None) if frame.fin => Some(text(frame.payload)),
            (TEXT, None) => {
                *message = Some(frame.payload);
                None
            }
            (CONTINUATION, Some(mut begun)) => {
                begun.extend(frame.payload);
                if frame.fin {
                    return Some(text(begun));
                }
                *message = Some(begun);
                None
            }
            (PING, begun) => {
                *message = begun;
                self.answer(&Build::new(PONG, frame.payload)).await;
                None
            }
            (PONG, begun) => {
                *message = begun;
                Some(Event::Pong(frame.payload))
            }
            (CLOSE, _) => {
                let (code, reason) = frame.close();
                self.answer(&Build::new(CLOSE, frame.payload.get(..2).unwrap_or_default())).await;
                Some(Event::Closed(code, reason))
            }
            (opcode, _) => Some(Event::Lost(format!("the server sent a frame of opcode {opcode} out of place"))),
        }
    }

    /// An answer that cannot be written is no event: the end of the connection will be.
    async fn answer(&self, frame: &Build) {
        let _ = self.writer.lock().await.write_all(&frame.bytes()).await;
    }
}

fn text(bytes: Vec<u8>) -> Event {
    match String::from_utf8(bytes) {
        Ok(text) => Event::Message(text),
        Err(_) => Event::Lost("the server sent text that is not UTF-8".to_owned()),
    }
}
