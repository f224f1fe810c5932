//! Text of a frame → a typed message, or the close it deserves. There is no third path.
//!
//! Order of checks: envelope (4000), type (4001), role (4004), payload (4002). The phase is the game's business.

use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::close::{Close, CloseCode};
use crate::envelope::Envelope;
use crate::from_host::{FromHost, OverrideAnswer, ReleaseQuestion};
use crate::from_player::{FromPlayer, SubmitAnswer};
use crate::v1::{ExtensionType, FromAnyV1, FromHostV1, ToAllV1, ToHostV1, ToSenderV1};
use crate::{ToAll, ToHost, ToPlayer};

mod extension;
mod plain;

/// Which messages exist on a socket: agreed on in its handshake, and the same until it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// The interface and nothing else.
    #[default]
    Interface,
    /// The extension of [`SUBPROTOCOL`](crate::SUBPROTOCOL) too.
    QuizhallV1,
}

/// A message from a host's socket, of the interface or an extension message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostMessage {
    /// One of the interface's own.
    Interface(FromHost),
    /// One that only a host's socket of the subprotocol may send.
    V1(FromHostV1),
    /// One that any socket of the subprotocol may send.
    AnyV1(FromAnyV1),
}

/// A message from a player's socket, of the interface or an extension message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerMessage {
    /// One of the interface's own.
    Interface(FromPlayer),
    /// One that any socket of the subprotocol may send.
    AnyV1(FromAnyV1),
}

/// Who sits at the other end of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one host of the game.
    Host,
    /// One of its players.
    Player,
}

/// The message types a client may send, with who may send them (messages.md#phases).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageType {
    /// `start_game`
    StartGame,
    /// `release_question`
    ReleaseQuestion,
    /// `end_round`
    EndRound,
    /// `override_answer`
    OverrideAnswer,
    /// `release_scores`
    ReleaseScores,
    /// `start_next_round`
    StartNextRound,
    /// `end_game`
    EndGame,
    /// `submit_answer`
    SubmitAnswer,
}

impl MessageType {
    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::StartGame,
        Self::ReleaseQuestion,
        Self::EndRound,
        Self::OverrideAnswer,
        Self::ReleaseScores,
        Self::StartNextRound,
        Self::EndGame,
        Self::SubmitAnswer,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StartGame => "start_game",
            Self::ReleaseQuestion => "release_question",
            Self::EndRound => "end_round",
            Self::OverrideAnswer => "override_answer",
            Self::ReleaseScores => "release_scores",
            Self::StartNextRound => "start_next_round",
            Self::EndGame => "end_game",
            Self::SubmitAnswer => "submit_answer",
        }
    }

    /// Who may send it.
    pub const fn role(self) -> Role {
        match self {
            Self::SubmitAnswer => Role::Player,
            _ => Role::Host,
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Why a message was refused, as the close that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mistake(pub Close);

impl Mistake {
    fn code(code: CloseCode) -> Self {
        Self(code.into())
    }

    fn field(name: &'static str) -> Self {
        Self(Close::with_detail(CloseCode::InvalidPayload, name))
    }
}

impl HostMessage {
    /// Reads a message from a host's socket.
    ///
    /// # Errors
    /// The close that the message deserves.
    pub fn decode(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        let (kind, payload) = read(text, Role::Host, dialect)?;
        match kind {
            Kind::Interface(kind) => FromHost::from_payload(kind, &fields(payload)?).map(Self::Interface),
            Kind::Extension(ExtensionType::Ping) => Ok(Self::AnyV1(FromAnyV1::Ping)),
            Kind::Extension(kind) => FromHostV1::from_payload(kind, &fields(payload)?).map(Self::V1),
        }
    }
}

impl FromHost {
    fn from_payload(kind: MessageType, payload: &Payload<'_>) -> Result<Self, Mistake> {
        Ok(match kind {
            MessageType::StartGame => Self::StartGame,
            MessageType::EndRound => Self::EndRound,
            MessageType::ReleaseScores => Self::ReleaseScores,
            MessageType::StartNextRound => Self::StartNextRound,
            MessageType::EndGame => Self::EndGame,
            MessageType::ReleaseQuestion => {
                Self::ReleaseQuestion(ReleaseQuestion { question_id: payload.question_id()? })
            }
            MessageType::OverrideAnswer => Self::OverrideAnswer(OverrideAnswer {
                player_id: id(payload.player_id, "playerId")?,
                question_id: payload.question_id()?,
                correct: field(payload.correct, "correct")?,
            }),
            MessageType::SubmitAnswer => return Err(Mistake::code(CloseCode::WrongRole)),
        })
    }
}

impl PlayerMessage {
    /// Reads a message from a player's socket. The length of the answer is the game's rule, not checked here.
    ///
    /// # Errors
    /// The close that the message deserves.
    pub fn decode(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        if let Some(answer) = plain::answer(text) {
            return Ok(Self::Interface(FromPlayer::SubmitAnswer(answer)));
        }
        Self::decode_any(text, dialect)
    }

    fn decode_any(text: &str, dialect: Dialect) -> Result<Self, Mistake> {
        match read(text, Role::Player, dialect)? {
            (Kind::Interface(_), payload) => FromPlayer::from_payload(&fields(payload)?).map(Self::Interface),
            (Kind::Extension(ExtensionType::Ping), _) => Ok(Self::AnyV1(FromAnyV1::Ping)),
            (Kind::Extension(_), _) => Err(Mistake::code(CloseCode::WrongRole)),
        }
    }
}

impl FromPlayer {
    fn from_payload(payload: &Payload<'_>) -> Result<Self, Mistake> {
        let answer: String = field(payload.answer, "answer")?;
        if answer.contains('\0') {
            return Err(Mistake::field("answer"));
        }
        Ok(Self::SubmitAnswer(SubmitAnswer { question_id: payload.question_id()?, answer }))
    }
}

/// Every field a payload of the interface can have, unread: fields that the type does not use are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload<'a> {
    #[serde(borrow, default)]
    question_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    player_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    correct: Option<&'a RawValue>,
    #[serde(borrow, default)]
    answer: Option<&'a RawValue>,
}

/// A type that exists on the socket.
#[derive(Clone, Copy)]
enum Kind {
    Interface(MessageType),
    Extension(ExtensionType),
}

impl Kind {
    fn from_name(name: &str, dialect: Dialect) -> Option<Self> {
        let extension_message = || match dialect {
            Dialect::Interface => None,
            Dialect::QuizhallV1 => ExtensionType::from_name(name).map(Self::Extension),
        };
        MessageType::from_name(name).map(Self::Interface).or_else(extension_message)
    }

    /// The only role that may send it; `None` is either.
    const fn role(self) -> Option<Role> {
        match self {
            Self::Interface(kind) => Some(kind.role()),
            Self::Extension(kind) => kind.role(),
        }
    }
}

impl Payload<'_> {
    fn question_id(&self) -> Result<Uuid, Mistake> {
        id(self.question_id, "questionId")
    }
}

/// The message's type and the text of its payload, an object.
fn read(text: &str, role: Role, dialect: Dialect) -> Result<(Kind, &str), Mistake> {
    let envelope = Envelope::read(text).ok_or_else(|| Mistake::code(CloseCode::InvalidJson))?;
    let kind = Kind::from_name(&envelope.kind, dialect).ok_or_else(|| Mistake::code(CloseCode::UnknownType))?;
    if kind.role().is_some_and(|only| only != role) {
        return Err(Mistake::code(CloseCode::WrongRole));
    }
    let payload = envelope.payload_text();
    // A JSON array would deserialize into a struct by position; the interface says object.
    if !payload.starts_with('{') {
        return Err(Mistake::code(CloseCode::InvalidPayload));
    }
    Ok((kind, payload))
}

fn fields<'a, T: Deserialize<'a>>(payload: &'a str) -> Result<T, Mistake> {
    serde_json::from_str(payload).map_err(|_| Mistake::code(CloseCode::InvalidPayload))
}

fn field<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>, name: &'static str) -> Result<T, Mistake> {
    let raw = raw.ok_or_else(|| Mistake::field(name))?;
    serde_json::from_str(raw.get()).map_err(|_| Mistake::field(name))
}

/// Only the hyphenated form, in any case; braces, URNs and bare hex are refused.
fn id(raw: Option<&RawValue>, name: &'static str) -> Result<Uuid, Mistake> {
    let text: std::borrow::Cow<'_, str> = field(raw, name)?;
    id_of(&text).ok_or_else(|| Mistake::field(name))
}

fn id_of(text: &str) -> Option<Uuid> {
    if text.len() != 36 {
        return None;
    }
    Uuid::try_parse(text).ok()
}

/// Any message of the server, as a client reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerMessage {
    /// For everybody.
    All(ToAll),
    /// For the host.
    Host(ToHost),
    /// For this player.
    Player(ToPlayer),
    /// An extension message for everybody.
    AllV1(ToAllV1),
    /// An extension message for the host.
    HostV1(ToHostV1),
    /// An extension message for the socket that asked.
    SenderV1(ToSenderV1),
}

/// Reads a message of the server on the socket of `role`; `None` for a type this client does not know (to be ignored).
///
/// # Errors
/// When the text is not an envelope, or a known type has a payload of another shape.
pub fn read_server_message(text: &str, role: Role) -> Result<Option<ServerMessage>, serde_json::Error> {
    let envelope: Envelope<'_> = serde_json::from_str(text)?;
    Ok(match (envelope.kind.as_ref(), role) {
        (
            "lobby_update" | "game_started" | "question_released" | "round_ended" | "round_leaderboard" | "game_ended",
            _,
        ) => Some(ServerMessage::All(serde_json::from_str(text)?)),
        ("scoreboard_update" | "round_review" | "override_applied", Role::Host) => {
            Some(ServerMessage::Host(serde_json::from_str(text)?))
        }
        ("scoreboard_update" | "answer_accepted" | "round_scores", Role::Player) => {
            Some(ServerMessage::Player(serde_json::from_str(text)?))
        }
        ("game_info" | "round_started" | "host_status" | "standings_status", _) => {
            Some(ServerMessage::AllV1(serde_json::from_str(text)?))
        }
        ("room_update" | "players_answered" | "answers_marked" | "marking_update", Role::Host) => {
            Some(ServerMessage::HostV1(serde_json::from_str(text)?))
        }
        ("pong", _) => Some(ServerMessage::SenderV1(serde_json::from_str(text)?)),
        _ => None,
    })
}
