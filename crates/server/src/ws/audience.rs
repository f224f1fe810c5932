//! The receiver of a socket's messages: a game.
//!
//! `reader` calls it with the client's messages. It is a trait so that the protocol's own test suite can use the same
//! reader, parser, limits and writer with an echo in place of the game (`tests/it/units/ws_upgrade_echo.rs`).

use std::future::Future;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use quizhall_protocol::{
    CloseCode, Decoded, Dialect, FromAny, HostMessage, Mistake, PlayerMessage, Role, ToSender, frame,
    read_screen_message,
};
use quizhall_rules::GameId;

use crate::games::{GameError, GameHandle, Message, Seat, Sink as _};
use crate::telemetry::metrics;

use super::connection::Connection;
use super::queue::Key;

/// The answer to every `ping` of the extension.
static PONG: LazyLock<Bytes> = LazyLock::new(|| frame::text(&ToSender::Pong));

/// Receives the messages of one socket.
pub trait Audience: Send + Sync + 'static {
    /// Begins to receive; resolves when the messages that the client must get first are queued.
    fn attach(&self, connection: &Arc<Connection>) -> impl Future<Output = Result<(), CloseCode>> + Send;

    /// Takes a text message. Returns a future only while the audience has no room for it; the socket is not read
    /// meanwhile.
    fn receive(&self, connection: &Connection, text: &str) -> Option<BoxFuture<'static, ()>>;

    /// Takes a binary message.
    fn receive_binary(&self, connection: &Connection, bytes: &Bytes);

    /// Ends; `clean` when the client sent a close frame.
    fn detach(&self, connection: &Connection, clean: bool) -> impl Future<Output = ()> + Send;

    /// The seat whose reconnects are counted, and its game.
    fn participant(&self) -> Option<(GameId, Seat)>;
}

/// A participant or a screen, and the game for which it opens a socket.
pub struct Attendee {
    pub(crate) game: GameHandle,
    pub(crate) seat: Seat,
}

impl Audience for Attendee {
    async fn attach(&self, connection: &Arc<Connection>) -> Result<(), CloseCode> {
        self.game.attach(self.seat, connection.clone()).await.map_err(close_code)
    }

    fn receive(&self, connection: &Connection, text: &str) -> Option<BoxFuture<'static, ()>> {
        match decode(connection.role(), connection.dialect(), text) {
            Ok(Decoded::Game(message)) => {
                count(connection, type_of(&message));
                self.game.message(connection, message)
            }
            Ok(Decoded::Socket(message)) => {
                answer(connection, &message);
                None
            }
            Err(Mistake(close)) => {
                connection.close(close);
                None
            }
        }
    }

    fn receive_binary(&self, connection: &Connection, _bytes: &Bytes) {
        connection.close(CloseCode::TextOnly.into());
    }

    async fn detach(&self, connection: &Connection, clean: bool) {
        self.game.detach(connection.id(), clean).await;
    }

    fn participant(&self) -> Option<(GameId, Seat)> {
        Some((self.game.id(), self.seat))
    }
}

/// Answers on the socket itself. The answer is queued like any other frame: in order, and within the bounds of the
/// queue.
fn answer(connection: &Connection, message: &FromAny) {
    count(connection, message.name());
    match message {
        FromAny::Ping => connection.push(PONG.clone(), Key::Plain),
    }
}

fn count(connection: &Connection, kind: &'static str) {
    let role = role_name(connection.role());
    metrics::message_received(role);
    tracing::debug!(socket = connection.id().0, role, r#type = kind, "message");
}

fn decode(role: Role, dialect: Dialect, text: &str) -> Result<Decoded<Message>, Mistake> {
    match role {
        Role::Host => HostMessage::decode(text, dialect).map(|message| message.map(Message::Host)),
        Role::Player => PlayerMessage::decode(text, dialect).map(|message| message.map(Message::Player)),
        Role::Screen => read_screen_message(text, dialect).map(Decoded::Socket),
    }
}

fn close_code(error: GameError) -> CloseCode {
    match error {
        GameError::Unavailable => CloseCode::StorageUnavailable,
        GameError::Busy => CloseCode::TryAgainLater,
        GameError::Damaged => CloseCode::InternalError,
        GameError::Stopping => CloseCode::ResyncRequired,
    }
}

fn type_of(message: &Message) -> &'static str {
    match message {
        Message::Host(message) => message.name(),
        Message::Player(message) => message.name(),
    }
}

/// The name of the role in logs and metrics.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Player => "player",
        Role::Screen => "screen",
    }
}
