//! One connection to `/ws/{gameCode}`: connect, send typed, receive typed, close. It never reconnects.
//!
//! Buffers are small so that ten thousand sockets fit in a process: 4 KiB for reading, none for writing.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Sink as _, SinkExt as _, Stream as _, StreamExt as _};
use quizhall_protocol::{
    Dialect, FromAny, FromHost, FromPlayer, Role, SUBPROTOCOL, ServerMessage, read_server_message,
};
use serde::Serialize;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role as Side, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Bytes, Message, Utf8Bytes};

use crate::closed::Closed;
use crate::token::Token;
use crate::transport::endpoint::percent_encoded;
use crate::transport::{Agreed, Endpoint, Request, Stream, TransportError, Upgrade, upgrade};

/// How long the close handshake may take before the connection is dropped.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest message accepted from the server: a host's part of a review of 1,000 answers of 4 KiB.
const MAX_MESSAGE: usize = 8 << 20;

/// How the token is presented (messages.md#connecting).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Carrier {
    /// `Authorization: Bearer …`.
    #[default]
    Bearer,
    /// `?token=…`, as browsers must.
    Query,
}

/// The seat of a socket: the game, the token and its role.
#[derive(Debug, Clone)]
pub struct Seat {
    /// The game's code.
    pub code: String,
    /// The host's or the player's token.
    pub token: Token,
    /// The role of the token.
    pub role: Role,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The server answered with HTTP instead of switching protocols.
    #[error("the server refused the socket with HTTP {status}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, when the server sent one in seconds.
        retry_after: Option<Duration>,
    },
    /// No answer, or not one of a WebSocket server. Never contains the address, which may hold a token.
    #[error("no connection: {0}")]
    Transport(#[from] TransportError),
}

impl ConnectError {
    /// Whether the same request would get the same answer again.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Refused { status, .. } => (400..500).contains(status) && !matches!(status, 408 | 429),
            Self::Transport(error) => error.is_final(),
        }
    }

    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            Self::Transport(_) => None,
        }
    }
}

/// What the server sent, or the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incoming {
    /// A message of the interface, or an extension message.
    Message(ServerMessage),
    /// The connection is over.
    Closed(Closed),
}

/// An event of the wire, before it is read as a message.
#[derive(Debug)]
pub(crate) enum Received {
    Text(Utf8Bytes),
    Pong(Bytes),
    Other,
    /// Nothing has come for a while; reported by the line, not by the wire.
    Nothing,
    Closed(Closed),
}

/// A connection of one participant.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<Stream>,
    role: Role,
}

impl Socket {
    /// Opens the connection, within 10 s, without the extension.
    pub async fn connect(endpoint: &Endpoint, seat: &Seat, carrier: Carrier) -> Result<Self, ConnectError> {
        Self::connect_speaking(endpoint, seat, carrier, Dialect::Interface).await
    }

    /// Opens the connection, within 10 s; with the extension, when `dialect` asks for it. A server without the
    /// extension counts as no connection.
    pub async fn connect_speaking(
        endpoint: &Endpoint,
        seat: &Seat,
        carrier: Carrier,
        dialect: Dialect,
    ) -> Result<Self, ConnectError> {
        let wanted = (dialect == Dialect::QuizhallV1).then_some(SUBPROTOCOL);
        let request = request(seat, carrier, wanted);
        let Agreed { stream, rest, response } = match upgrade(endpoint, None, &request).await? {
            Upgrade::Agreed(agreed) => agreed,
            Upgrade::Refused(response) => {
                return Err(ConnectError::Refused { status: response.status, retry_after: response.retry_after() });
            }
        };
        if response.header("sec-websocket-protocol") != wanted {
            return Err(TransportError::Protocol("another subprotocol than the one that was offered").into());
        }
        let stream = WebSocketStream::from_partially_read(stream, rest, Side::Client, Some(config())).await;
        Ok(Self { stream, role: seat.role })
    }

    /// Sends a host's message; an extension message only on a connection with the extension.
    pub async fn send_host(&mut self, message: &FromHost) -> Result<(), Closed> {
        self.send(json(message)).await
    }

    /// Requests a `pong`, which comes after everything that the server had queued for this socket; only on a connection
    /// with the extension.
    pub async fn ping(&mut self) -> Result<(), Closed> {
        self.send(json(&FromAny::Ping)).await
    }

    /// Sends a player's message.
    pub async fn send_player(&mut self, message: &FromPlayer) -> Result<(), Closed> {
        self.send(json(message)).await
    }

    /// The next message of a known type, or the end. Pings are answered meanwhile. Cancel-safe.
    ///
    /// # Errors
    /// When a known type has a payload of another form than the interface's.
    pub async fn next(&mut self) -> Result<Incoming, serde_json::Error> {
        loop {
            match std::future::poll_fn(|context| self.poll_receive(context)).await {
                Received::Text(text) => {
                    if let Some(message) = read_server_message(&text, self.role)? {
                        return Ok(Incoming::Message(message));
                    }
                }
                Received::Closed(closed) => return Ok(Incoming::Closed(closed)),
                Received::Pong(_) | Received::Other | Received::Nothing => {}
            }
        }
    }

    /// Leaves: sends a close frame and waits for the end, at most 5 s.
    pub async fn close(mut self) {
        let goodbye = CloseFrame { code: tungstenite::protocol::frame::coding::CloseCode::Normal, reason: "".into() };
        if self.stream.close(Some(goodbye)).await.is_ok() {
            self.finish().await;
        }
    }

    /// Lets the close handshake end after the server's close frame, at most 5 s.
    pub(crate) async fn finish(mut self) {
        let ending = async { while let Some(Ok(_)) = self.stream.next().await {} };
        // The outcome does not matter: the connection is dropped either way.
        let _ = timeout(CLOSE_TIMEOUT, ending).await;
    }

    /// Reads one event; `Closed` is the last.
    pub(crate) fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<Received> {
        Pin::new(&mut self.stream).poll_next(context).map(|item| match item {
            Some(Ok(Message::Text(text))) => Received::Text(text),
            Some(Ok(Message::Pong(payload))) => Received::Pong(payload),
            Some(Ok(Message::Close(frame))) => Received::Closed(closed(frame)),
            Some(Ok(_)) => Received::Other,
            Some(Err(error)) => Received::Closed(Closed::lost(describe(&error))),
            None => Received::Closed(Closed::lost("the connection ended")),
        })
    }

    /// Writes as much of `outgoing` as possible; ready when all of it is written.
    pub(crate) fn poll_send(
        &mut self,
        outgoing: &mut VecDeque<Message>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Closed>> {
        let mut stream = Pin::new(&mut self.stream);
        let lost = |error: tungstenite::Error| Closed::lost(describe(&error));
        while !outgoing.is_empty() {
            std::task::ready!(stream.as_mut().poll_ready(context)).map_err(lost)?;
            if let Some(message) = outgoing.pop_front() {
                stream.as_mut().start_send(message).map_err(lost)?;
            }
        }
        stream.poll_flush(context).map_err(lost)
    }

    async fn send(&mut self, message: Message) -> Result<(), Closed> {
        self.stream.send(message).await.map_err(|error| Closed::lost(describe(&error)))
    }
}

/// A message as a text frame.
pub(crate) fn json(message: &impl Serialize) -> Message {
    Message::text(serde_json::to_string(message).expect("wire types have string keys and cannot fail to serialize"))
}

fn request(seat: &Seat, carrier: Carrier, subprotocol: Option<&str>) -> Request {
    let (path, token) = (format!("/ws/{}", percent_encoded(&seat.code)), seat.token.reveal());
    let key = generate_key();
    let request = match carrier {
        Carrier::Bearer => Request::upgrade(&path, &key).bearer(token),
        Carrier::Query => Request::upgrade(&format!("{path}?token={}", percent_encoded(token)), &key),
    };
    subprotocol.into_iter().fold(request, |request, name| request.header("sec-websocket-protocol", name))
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(256 << 10)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
}

fn closed(frame: Option<CloseFrame>) -> Closed {
    frame.map_or_else(
        || Closed::lost("closed without a code"),
        |frame| Closed { code: Some(frame.code.into()), reason: frame.reason.to_string() },
    )
}

/// The kind of an error in words; none contains an address with a token.
fn describe(error: &tungstenite::Error) -> String {
    match error {
        tungstenite::Error::Io(error) => error.kind().to_string(),
        tungstenite::Error::Protocol(error) => error.to_string(),
        tungstenite::Error::Capacity(error) => error.to_string(),
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => "the connection ended".to_owned(),
        _ => "not a WebSocket conversation".to_owned(),
    }
}
