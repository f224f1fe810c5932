//! A participant's socket: a reader task that sends pongs and answers closes, and functions with which a row examines what
//! arrived.
//!
//! Stages and stories hold connections. Every received message passes through the [`Observer`] when a row takes it, so a wrong
//! shape fails that row.

mod pings;
mod reader;
mod repeats;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use quizhall_client::transport::Stream;
use quizhall_protocol::{CloseCode, Dialect, Role, ServerMessage};
use serde_json::Value;
use tokio::io::{AsyncWriteExt, WriteHalf};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use crate::observer::Observer;
use crate::wire::frame::PING;
use crate::wire::{Build, RawSocket};
use pings::Pings;
use reader::Reader;
use repeats::Repeats;

/// The most events kept for a row that does not read yet; then the reader stops reading.
const MAILBOX: usize = 8_192;

/// The events of a socket.
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
pub struct Connection {
    role: Role,
    dialect: Dialect,
    writer: Arc<Mutex<WriteHalf<Stream>>>,
    events: mpsc::Receiver<Event>,
    reader: JoinHandle<()>,
    observer: Arc<Observer>,
    time_limit: Duration,
    pings: Pings,
    allowed: Vec<Value>,
    repeats: Repeats,
    step: Option<Value>,
    answered_status: Option<Value>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Connection {
    /// Takes over a socket that speaks only the interface.
    pub fn new(socket: RawSocket, role: Role, observer: Arc<Observer>, time_limit: Duration) -> Self {
        let (read, write, buffer) = socket.split();
        let writer = Arc::new(Mutex::new(write));
        let (sender, events) = mpsc::channel(MAILBOX);
        let reader = Reader { read, buffer, writer: Arc::clone(&writer), events: sender };
        let reader = tokio::spawn(reader.run());
        let (dialect, pings, allowed, repeats) = (Dialect::Interface, Pings::new(), Vec::new(), Repeats::default());
        let (step, answered_status) = (None, None);
        Self {
            role,
            dialect,
            writer,
            events,
            reader,
            observer,
            time_limit,
            pings,
            allowed,
            repeats,
            step,
            answered_status,
        }
    }

    /// The same for a socket whose handshake agreed on a dialect.
    #[must_use]
    pub fn speaking(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// The dialect, which decides which messages exist on it.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Ignores a message once, now or later: one that the interface leaves open.
    pub fn allow(&mut self, message: Value) {
        self.allowed.push(message);
    }

    /// The last `step_update`. It is kept here instead of among the messages, because it is also sent when what the step waits for
    /// changes, at a pace of its own.
    pub fn step(&self) -> Option<&Value> {
        self.step.as_ref()
    }

    /// Waits until the host has received this next step, leaving out what it waits for, which is sent later. A host whose own
    /// message did not cause it may see it after the pong of a ping.
    pub async fn knows_step(&mut self, wanted: &Value) -> anyhow::Result<()> {
        let named = |step: &Value| {
            let mut step = step.clone();
            step["payload"].as_object_mut().map(|payload| payload.remove("waitsFor"));
            step
        };
        let (wanted, end) = (named(wanted), Instant::now() + self.time_limit);
        while self.step.as_ref().map(named).as_ref() != Some(&wanted) {
            let known = self.step.as_ref().map(brief).unwrap_or_default();
            let kept = self.keep_next(end).await;
            kept.with_context(|| format!("the host knows the step {known}, not {}", brief(&wanted)))?;
        }
        Ok(())
    }

    /// The next `answered_status`. It is kept here like a step, because it comes a second after what causes it.
    pub async fn answered_status(&mut self) -> anyhow::Result<Value> {
        let end = Instant::now() + self.time_limit;
        loop {
            match self.answered_status.take() {
                Some(status) => return Ok(status),
                None => self.keep_next(end).await?,
            }
        }
    }

    /// Takes the next event, which must be a message that is kept here.
    async fn keep_next(&mut self, end: Instant) -> anyhow::Result<()> {
        match self.next_within(end.saturating_duration_since(Instant::now())).await? {
            Event::Message(text) => {
                let extra = self.judge(&text)?.filter(|_| !self.repeats.is_repeat());
                ensure!(extra.is_none(), "expected nothing else, got {}", brief(&extra.unwrap_or_default()));
            }
            Event::Pong(_) => {}
            other => bail!("expected no end of the socket, got {other:?}"),
        }
        Ok(())
    }

    /// Forgets it, so that the next one is not taken for it.
    pub fn forget_step(&mut self) {
        self.step = None;
    }

    /// Takes over the messages that an older socket of the same participant could still receive. Until that socket is closed,
    /// they may arrive on either of them.
    pub fn inherit(&mut self, older: &Self) {
        self.allowed.extend_from_slice(&older.allowed);
    }

    /// Sends a text message.
    pub async fn send(&self, text: &str) -> anyhow::Result<()> {
        self.send_bytes(&Build::text(text).bytes()).await
    }

    /// Sends bytes unchanged.
    pub async fn send_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        write(&self.writer, bytes).await.context("the server had gone before the message was sent")
    }

    /// The next event of any kind.
    pub async fn next(&mut self) -> anyhow::Result<Event> {
        let time_limit = self.time_limit;
        self.next_within(time_limit).await
    }

    /// The next message, waiting up to `time_limit`.
    pub async fn message_within(&mut self, time_limit: Duration) -> anyhow::Result<Value> {
        let own = std::mem::replace(&mut self.time_limit, time_limit);
        let message = self.message().await;
        self.time_limit = own;
        message
    }

    /// Whether an event has arrived that was not read yet.
    pub fn has_unread(&self) -> bool {
        !self.events.is_empty()
    }

    async fn next_within(&mut self, time_limit: Duration) -> anyhow::Result<Event> {
        let event = tokio::time::timeout(time_limit, self.events.recv()).await;
        let event = event.with_context(|| format!("nothing came within {} s", time_limit.as_secs()))?;
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

    /// The number of messages that is expected. A repeated time left is skipped where another message is expected.
    pub async fn following(&mut self, want: &[ServerMessage]) -> anyhow::Result<Vec<Value>> {
        let mut messages = Vec::with_capacity(want.len());
        while messages.len() < want.len() {
            let number = messages.len();
            let message = self.message().await.with_context(|| format!("message {} of {}", number + 1, want.len()))?;
            if !self.repeats.is_repeat() || message["type"] == want[number].name() {
                messages.push(message);
            }
        }
        Ok(messages)
    }

    /// Shows that nothing has arrived: a ping goes round and its pong is the first thing back.
    pub async fn silent(&mut self) -> anyhow::Result<()> {
        let extra = self.drain().await?;
        ensure!(extra.is_empty(), "expected silence, got {}", brief(&extra[0]));
        Ok(())
    }

    /// Everything that arrived before the pong of a ping, except repetitions of the time left.
    pub async fn drain(&mut self) -> anyhow::Result<Vec<Value>> {
        let payload = self.pings.next().await;
        self.send_bytes(&Build::new(PING, payload.clone()).bytes()).await?;
        let mut messages = Vec::new();
        loop {
            match self.next().await.context("waiting for a pong")? {
                Event::Pong(answer) if answer == payload => return Ok(messages),
                Event::Pong(_) => {}
                Event::Message(text) => {
                    let message = self.judge(&text)?;
                    messages.extend(message.filter(|_| !self.repeats.is_repeat()));
                }
                Event::Closed(code, reason) => bail!("expected silence, got close {} `{reason}`", code.unwrap_or(0)),
                Event::Lost(why) => bail!("expected silence, but {why}"),
            }
        }
    }

    /// The close, which must be the next thing that arrives.
    pub async fn closed(&mut self) -> anyhow::Result<Ending> {
        let (messages, ending) = self.until_closed(self.time_limit).await?;
        match messages.first() {
            Some(message) => bail!("expected a close, got {} first (then {ending})", brief(message)),
            None => Ok(ending),
        }
    }

    /// Everything up to the close, waiting up to `time_limit` for each event.
    pub async fn until_closed(&mut self, time_limit: Duration) -> anyhow::Result<(Vec<Value>, Ending)> {
        let mut messages = Vec::new();
        loop {
            match self.next_within(time_limit).await {
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
        let message = self.observer.message(self.role, self.dialect, text)?;
        let kept = match message["type"].as_str() {
            Some("step_update") => Some(&mut self.step),
            Some("answered_status") => Some(&mut self.answered_status),
            _ => None,
        };
        if let Some(kept) = kept {
            *kept = Some(message);
            return Ok(None);
        }
        self.repeats.note(&message);
        if let Some(place) = self.allowed.iter().position(|allowed| *allowed == message) {
            self.allowed.swap_remove(place);
            return Ok(None);
        }
        Ok(Some(message))
    }

    /// Leaves like a proper client: with a close frame, and the server's in return.
    pub async fn leave(mut self) -> anyhow::Result<()> {
        self.depart().await
    }

    /// Breaks the connection off without a close frame.
    pub async fn break_off(&self) -> anyhow::Result<()> {
        Ok(self.writer.lock().await.shutdown().await?)
    }

    /// Leaves like a proper client, and stays in its place, closed, until a new socket replaces it.
    pub async fn depart(&mut self) -> anyhow::Result<()> {
        self.send_bytes(&Build::close(CloseCode::GameOver.number(), b"").bytes()).await?;
        loop {
            let event = tokio::time::timeout(self.time_limit, self.events.recv()).await;
            match event.context("the server did not answer a close")? {
                Some(Event::Closed(..)) => return Ok(()),
                Some(Event::Lost(why)) => bail!("the server did not answer a close: {why}"),
                Some(Event::Message(_) | Event::Pong(_)) => {}
                None => bail!("the socket had ended before"),
            }
        }
    }
}

async fn write(writer: &Mutex<WriteHalf<Stream>>, bytes: &[u8]) -> std::io::Result<()> {
    let mut writer = writer.lock().await;
    writer.write_all(bytes).await?;
    writer.flush().await
}

/// A message short enough for a failure line.
pub fn brief(message: &Value) -> String {
    let text = message.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
