//! Decodes the text of a frame into a typed message, or into the close that answers it. There is no third result.
//!
//! Order of checks: envelope (4000), type (4001), role (4004), payload (4002). The game checks the phase.

use serde::Deserialize;

use crate::close::{Close, CloseCode};
use crate::envelope::Envelope;
use crate::messages::Row;
use crate::messages::from_any::FromAny;
use crate::messages::from_host::FromHost;
use crate::messages::from_player::FromPlayer;
use crate::messages::to_all::ToAll;
use crate::messages::to_host::ToHost;
use crate::messages::to_player::ToPlayer;
use crate::messages::to_screen::ToScreen;
use crate::messages::to_sender::ToSender;
use payload::{Fields, Inbound};

pub(crate) mod payload;
mod plain;

/// The set of messages on a socket: negotiated in its handshake, and the same until it closes. Each dialect includes
/// the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Dialect {
    /// The interface and nothing else.
    #[default]
    Interface,
    /// The extension of [`SUBPROTOCOL`](crate::SUBPROTOCOL) too.
    QuizhallV1,
}

/// The client at the other end of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one host of the game.
    Host,
    /// One of its players.
    Player,
    /// One of its screens.
    Screen,
}

/// Why a message was refused, as the close that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mistake(pub Close);

impl Mistake {
    fn code(code: CloseCode) -> Self {
        Self(code.into())
    }

    pub(crate) fn field(name: &'static str) -> Self {
        Self(Close::with_detail(CloseCode::InvalidPayload, name))
    }
}

/// A message of a client, by its recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded<M> {
    /// For the game.
    Game(M),
    /// For the server's end of the socket.
    Socket(FromAny),
}

/// A message from a host's socket.
pub type HostMessage = Decoded<FromHost>;

/// A message from a player's socket.
pub type PlayerMessage = Decoded<FromPlayer>;

impl HostMessage {
    /// Reads a message from a host's socket.
    ///
    /// # Errors
    /// The close that the message deserves.
    pub fn decode(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        read(text, Role::Host, dialect)
    }
}

impl PlayerMessage {
    /// Reads a message from a player's socket. The length of the answer is the game's rule, not checked here.
    ///
    /// # Errors
    /// The close that the message deserves.
    pub fn decode(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        if let Some(answer) = plain::answer(text) {
            return Ok(Self::Game(answer));
        }
        Self::decode_any(text, dialect)
    }

    /// The same by the full decoder only.
    ///
    /// # Errors
    /// The close that the message deserves.
    pub fn decode_any(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        read(text, Role::Player, dialect)
    }
}

impl<M> Decoded<M> {
    /// The same with the game's message in another type.
    pub fn map<N>(self, change: impl FnOnce(M) -> N) -> Decoded<N> {
        match self {
            Self::Game(message) => Decoded::Game(change(message)),
            Self::Socket(message) => Decoded::Socket(message),
        }
    }
}

/// Reads a message from a screen's socket, which may send only messages to the socket itself.
///
/// # Errors
/// The close that the message deserves.
pub fn read_screen_message(text: &str, dialect: Dialect) -> Result<FromAny, Mistake> {
    match read::<FromAny>(text, Role::Screen, dialect)? {
        Decoded::Game(message) | Decoded::Socket(message) => Ok(message),
    }
}

fn read<M: Inbound>(text: &str, role: Role, dialect: Dialect) -> Result<Decoded<M>, Mistake> {
    let envelope = Envelope::read(text).ok_or_else(|| Mistake::code(CloseCode::InvalidJson))?;
    let row = row_of(&envelope.kind, role, dialect)?;
    let payload = envelope.payload_text();
    // A JSON array would deserialize into a struct by position; the interface says object.
    if !payload.starts_with('{') {
        return Err(Mistake::code(CloseCode::InvalidPayload));
    }
    // A message to the socket has no fields, and its payload is not read.
    if let Some(message) = FromAny::read(row.name, &Fields::default())? {
        return Ok(Decoded::Socket(message));
    }
    let message = M::read(row.name, &Fields::find(payload, row.since)?)?;
    message.map(Decoded::Game).ok_or_else(|| Mistake::code(CloseCode::WrongRole))
}

/// The row of the message of this name that the role may send, if the socket has such messages.
fn row_of(name: &str, role: Role, dialect: Dialect) -> Result<&'static Row, Mistake> {
    let tables = [FromHost::ROWS, FromPlayer::ROWS, FromAny::ROWS].into_iter().flatten();
    let mut named = tables.filter(|row| row.name == name && row.since <= dialect).peekable();
    named.peek().ok_or_else(|| Mistake::code(CloseCode::UnknownType))?;
    let may_send = |row: &&Row| row.direction.is_of(role);
    named.find(may_send).ok_or_else(|| Mistake::code(CloseCode::WrongRole))
}

/// Any message of the server, as a client reads it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum ServerMessage {
    /// For all participants.
    All(ToAll),
    /// For the host.
    Host(ToHost),
    /// For this player.
    Player(ToPlayer),
    /// For a screen.
    Screen(Box<ToScreen>),
    /// For the socket that asked.
    Sender(ToSender),
}

impl ServerMessage {
    /// Its `type`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::All(message) => message.name(),
            Self::Host(message) => message.name(),
            Self::Player(message) => message.name(),
            Self::Screen(message) => message.name(),
            Self::Sender(message) => message.name(),
        }
    }

    /// The first dialect that has the message.
    pub const fn since(&self) -> Dialect {
        match self {
            Self::All(message) => message.since(),
            Self::Host(message) => message.since(),
            Self::Player(message) => message.since(),
            Self::Screen(message) => message.since(),
            Self::Sender(message) => message.since(),
        }
    }
}

/// Reads a message of the server on the socket of `role`; `None` for a type this client does not know (to be ignored).
///
/// # Errors
/// When the text is not an envelope, or a known type has a payload of another shape.
pub fn read_server_message(text: &str, role: Role) -> Result<Option<ServerMessage>, serde_json::Error> {
    let envelope: Envelope<'_> = serde_json::from_str(text)?;
    let is_of = |rows: &[Row]| rows.iter().any(|row| row.name == envelope.kind);
    Ok(Some(match role {
        Role::Host | Role::Player if is_of(ToAll::ROWS) => ServerMessage::All(serde_json::from_str(text)?),
        Role::Host if is_of(ToHost::ROWS) => ServerMessage::Host(serde_json::from_str(text)?),
        Role::Player if is_of(ToPlayer::ROWS) => ServerMessage::Player(serde_json::from_str(text)?),
        Role::Screen if is_of(ToScreen::ROWS) => ServerMessage::Screen(serde_json::from_str(text)?),
        _ if is_of(ToSender::ROWS) => ServerMessage::Sender(serde_json::from_str(text)?),
        _ => return Ok(None),
    }))
}
