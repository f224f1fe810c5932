//! One connection to `/ws/{gameCode}`: connect, send typed, receive typed, close. No second chance here.
//!
//! Buffers are small so that ten thousand sockets fit in a process: 4 KiB to read, none to write.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Sink as _, SinkExt as _, Stream as _, StreamExt as _};
use quizhall_protocol::{
    Dialect, FromAny, FromHost, FromPlayer, Role, SUBPROTOCOL, ServerMessage, read_server_message,
};
use serde::Serialize;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::http::header::{
    AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER, SEC_WEBSOCKET_PROTOCOL,
};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Bytes, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::closed::Closed;
use crate::endpoint::Endpoint;
use crate::token::Token;

/// How long TCP connection and handshake may take together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the close handshake may take before the connection is dropped.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest message taken from the server: a host's part of a review of 1,000 answers of 4 KiB.
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

/// Whose socket it is: the game, the token and the role that goes with it.
#[derive(Debug, Clone)]
pub struct Seat {
    /// The game's code.
    pub code: String,
    /// The host's or the player's token.
    pub token: Token,
    /// Which of the two.
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
    /// No answer, or not one of a WebSocket server. Never carries the address, which may hold a token.
    #[error("no connection: {0}")]
    Transport(String),
}

impl ConnectError {
    /// Whether the same request would get the same answer again.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if (400..500).contains(status) && !matches!(status, 408 | 429))
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

/// What came off the wire, before it is read as a message.
#[derive(Debug)]
pub(crate) enum Received {
    Text(Utf8Bytes),
    Pong(Bytes),
    Other,
    /// For a while; comes from the line, not from the wire.
    Nothing,
    Closed(Closed),
}

/// A connection of one participant.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    role: Role,
}

impl Socket {
    /// Opens the connection, within 10 s; it speaks the interface and nothing else.
    pub async fn connect(endpoint: &Endpoint, seat: &Seat, carrier: Carrier) -> Result<Self, ConnectError> {
        Self::connect_speaking(endpoint, seat, carrier, Dialect::Interface).await
    }

    /// Opens the connection, within 10 s. With the extension, when it is wanted and the server has it: one that has
    /// not counts as no connection.
    pub async fn connect_speaking(
        endpoint: &Endpoint,
        seat: &Seat,
        carrier: Carrier,
        dialect: Dialect,
    ) -> Result<Self, ConnectError> {
        let mut request = request(endpoint, seat, carrier)?;
        if dialect == Dialect::QuizhallV1 {
            request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        }
        let (host, port) = endpoint.address();
        let opening = async {
            let tcp = TcpStream::connect((host.as_str(), port)).await.map_err(|error| transport(&error))?;
            tcp.set_nodelay(true).map_err(|error| transport(&error))?;
            client_async_with_config(request, tcp, Some(config())).await.map_err(refusal)
        };
        let (stream, _) =
            timeout(CONNECT_TIMEOUT, opening).await.map_err(|_| ConnectError::Transport("timeout".to_owned()))??;
        Ok(Self { stream, role: seat.role })
    }

    /// Sends a host's message; one of the extension only on a connection that speaks it.
    pub async fn send_host(&mut self, message: &FromHost) -> Result<(), Closed> {
        self.send(json(message)).await
    }

    /// Asks for a `pong`, which comes behind all that the server had for this socket; only on a connection that speaks
    /// the extension.
    pub async fn ping(&mut self) -> Result<(), Closed> {
        self.send(json(&FromAny::Ping)).await
    }

    /// Sends a player's message.
    pub async fn send_player(&mut self, message: &FromPlayer) -> Result<(), Closed> {
        self.send(json(message)).await
    }

    /// The next message of a known type, or the end. Pings are answered on the way. Cancel-safe.
    ///
    /// # Errors
    /// When a known type has a payload of another shape than the interface's.
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

    /// Takes one thing off the wire; `Closed` is the last.
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

    /// Moves as much of `outgoing` to the wire as goes; ready when all of it is written.
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

fn request(endpoint: &Endpoint, seat: &Seat, carrier: Carrier) -> Result<Request, ConnectError> {
    let in_query = (carrier == Carrier::Query).then_some(&seat.token);
    let bad = |what: &str| ConnectError::Transport(what.to_owned());
    let mut request = endpoint
        .socket(&seat.code, in_query)
        .into_client_request()
        .map_err(|_| bad("the game code does not fit in an address"))?;
    if in_query.is_none() {
        let mut value = HeaderValue::try_from(format!("Bearer {}", seat.token.reveal()))
            .map_err(|_| bad("the token does not fit in a header"))?;
        value.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, value);
    }
    Ok(request)
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(256 << 10)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
}

fn refusal(error: tungstenite::Error) -> ConnectError {
    match error {
        tungstenite::Error::Http(response) => {
            ConnectError::Refused { status: response.status().as_u16(), retry_after: seconds(response.headers()) }
        }
        other => ConnectError::Transport(describe(&other)),
    }
}

fn seconds(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse::<u16>().ok().map(|seconds| Duration::from_secs(seconds.into()))
}

fn transport(error: &std::io::Error) -> ConnectError {
    ConnectError::Transport(error.to_string())
}

fn closed(frame: Option<CloseFrame>) -> Closed {
    frame.map_or_else(
        || Closed::lost("closed without a code"),
        |frame| Closed { code: Some(frame.code.into()), reason: frame.reason.to_string() },
    )
}

/// The kind of an error in words; an address with a token in it cannot get here.
fn describe(error: &tungstenite::Error) -> String {
    match error {
        tungstenite::Error::Io(error) => error.kind().to_string(),
        tungstenite::Error::Protocol(error) => error.to_string(),
        tungstenite::Error::Capacity(error) => error.to_string(),
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => "the connection ended".to_owned(),
        _ => "not a WebSocket conversation".to_owned(),
    }
}
