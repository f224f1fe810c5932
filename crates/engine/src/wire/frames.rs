//! A message for many sockets, encoded once for all that receive the same.
//!
//! If a message differs between recipients, or exists only for some, this is decided where it is built. The sender only asks for
//! the frame of a recipient.

use bytes::Bytes;
use quizhall_protocol::Dialect;

use crate::ids::Participant;

/// What a socket is to a message that goes to many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recipient {
    /// A socket of the plain interface.
    Plain,
    /// The host, with `quizhall.v1`.
    Host,
    /// A player, with `quizhall.v1`.
    Player,
}

impl Recipient {
    /// The socket of a host or of a player, which speaks this dialect.
    pub fn of(is_host: bool, dialect: Dialect) -> Self {
        match (dialect, is_host) {
            (Dialect::Interface, _) => Self::Plain,
            (Dialect::QuizhallV1, true) => Self::Host,
            (Dialect::QuizhallV1, false) => Self::Player,
        }
    }
}

impl Participant {
    /// The recipient as which a socket of this dialect receives broadcasts.
    pub fn recipient(self, dialect: Dialect) -> Recipient {
        Recipient::of(self.as_host().is_some(), dialect)
    }
}

/// Recipients of the same frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Every socket.
    All,
    /// [`Recipient::Plain`].
    Plain,
    /// Sockets that speak `quizhall.v1`.
    Extension,
    /// [`Recipient::Player`].
    Players,
    /// All except [`Recipient::Player`].
    Others,
    /// [`Recipient::Host`].
    Hosts,
}

impl Audience {
    /// Whether the audience contains the recipient.
    pub fn includes(self, recipient: Recipient) -> bool {
        match self {
            Self::All => true,
            Self::Plain => recipient == Recipient::Plain,
            Self::Extension => recipient != Recipient::Plain,
            Self::Players => recipient == Recipient::Player,
            Self::Others => recipient != Recipient::Player,
            Self::Hosts => recipient == Recipient::Host,
        }
    }
}

/// A message as its recipients receive it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frames {
    first: (Audience, Bytes),
    second: Option<(Audience, Bytes)>,
    third: Option<(Audience, Bytes)>,
}

impl Frames {
    /// The same for every socket.
    pub fn shared(frame: Bytes) -> Self {
        Self::to(Audience::All, frame)
    }

    /// For sockets that speak `quizhall.v1` only.
    pub fn extension(frame: Bytes) -> Self {
        Self::to(Audience::Extension, frame)
    }

    /// Only for this audience.
    pub fn to(audience: Audience, frame: Bytes) -> Self {
        Self { first: (audience, frame), second: None, third: None }
    }

    /// One frame for plain sockets, another for sockets that speak `quizhall.v1`.
    pub fn each(plain: Bytes, extension: Bytes) -> Self {
        Self { second: Some((Audience::Extension, extension)), ..Self::to(Audience::Plain, plain) }
    }

    /// One frame for players who speak `quizhall.v1`, another for all other sockets.
    pub fn for_players(players: Bytes, others: Bytes) -> Self {
        Self { second: Some((Audience::Players, players)), ..Self::to(Audience::Others, others) }
    }

    /// One frame for plain sockets, and one each for hosts and for players who speak `quizhall.v1`.
    pub fn for_each(plain: Bytes, hosts: Bytes, players: Bytes) -> Self {
        let players = Some((Audience::Players, players));
        Self { second: players, third: Some((Audience::Hosts, hosts)), ..Self::to(Audience::Plain, plain) }
    }

    /// The frame for a recipient, if the message is for them.
    pub fn of(&self, recipient: Recipient) -> Option<&Bytes> {
        self.parts().find(|(audience, _)| audience.includes(recipient)).map(|(_, frame)| frame)
    }

    /// Each frame once, with its audience.
    pub fn parts(&self) -> impl Iterator<Item = (Audience, &Bytes)> {
        let parts = [Some(&self.first), self.second.as_ref(), self.third.as_ref()];
        parts.into_iter().flatten().map(|(audience, frame)| (*audience, frame))
    }
}
