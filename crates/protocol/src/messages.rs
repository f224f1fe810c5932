//! The table of messages: each file below lists one direction, and each row describes one message.
//!
//! A row has the name, the dialect that introduced the message, its payload with an example, the phases, and the cause
//! or effect. The types, the decoding, the schemas, the references and the TypeScript types follow from the rows. Whether
//! the game carries out a message in its phase is decided by the rules of the game.

mod example;
pub mod from_any;
pub mod from_host;
pub mod from_player;
pub mod to_all;
pub mod to_host;
pub mod to_player;
pub mod to_screen;
pub mod to_sender;

use crate::decode::{Dialect, Role};

/// From whom to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Host to server.
    FromHost,
    /// Player to server.
    FromPlayer,
    /// Host, player or screen to the server's end of the socket.
    FromAny,
    /// Server to host and players.
    ToAll,
    /// Server to host only.
    ToHost,
    /// Server to one player only.
    ToPlayer,
    /// Server to a screen only.
    ToScreen,
    /// Server to the socket that asked.
    ToSender,
}

impl Direction {
    /// All of them, in the order of the reference.
    pub const ALL: [Self; 8] = [
        Self::FromHost,
        Self::FromPlayer,
        Self::FromAny,
        Self::ToAll,
        Self::ToHost,
        Self::ToPlayer,
        Self::ToScreen,
        Self::ToSender,
    ];

    /// Whether clients of this role send or receive messages of this direction.
    pub const fn is_of(self, role: Role) -> bool {
        match self {
            Self::FromAny | Self::ToSender => true,
            Self::ToAll => !matches!(role, Role::Screen),
            Self::FromHost | Self::ToHost => matches!(role, Role::Host),
            Self::FromPlayer | Self::ToPlayer => matches!(role, Role::Player),
            Self::ToScreen => matches!(role, Role::Screen),
        }
    }

    /// The role at the client's end; `None` for several.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::FromHost | Self::ToHost => Some(Role::Host),
            Self::FromPlayer | Self::ToPlayer => Some(Role::Player),
            Self::ToScreen => Some(Role::Screen),
            Self::FromAny | Self::ToAll | Self::ToSender => None,
        }
    }

    /// Whether clients send messages of this direction.
    pub const fn is_inbound(self) -> bool {
        matches!(self, Self::FromHost | Self::FromPlayer | Self::FromAny)
    }

    /// The table of this direction.
    pub fn table(self) -> Vec<Described> {
        match self {
            Self::FromHost => from_host::FromHost::table(),
            Self::FromPlayer => from_player::FromPlayer::table(),
            Self::FromAny => from_any::FromAny::table(),
            Self::ToAll => to_all::ToAll::table(),
            Self::ToHost => to_host::ToHost::table(),
            Self::ToPlayer => to_player::ToPlayer::table(),
            Self::ToScreen => to_screen::ToScreen::table(),
            Self::ToSender => to_sender::ToSender::table(),
        }
    }
}

/// The facts of a message that decoding needs.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// From whom to whom.
    pub direction: Direction,
    /// Its `type`.
    pub name: &'static str,
    /// The first dialect that has it.
    pub since: Dialect,
}

/// A row with its text in the reference.
#[derive(Debug)]
pub struct Described {
    /// The row.
    pub row: &'static Row,
    /// The phases in which it is sent, or may be.
    pub phases: &'static str,
    /// What makes the server send it, or what follows from a client's message.
    pub about: &'static str,
    /// A whole envelope.
    pub example: String,
}

/// Declares the messages of one direction: the enum, and its table.
macro_rules! messages {
    (
        $(#[$about_all:meta])*
        $direction:ident {
            $(
                $(#[$about_one:meta])*
                $variant:ident $(($payload:ident = $example:expr))?:
                    $name:literal since $since:ident, in $phases:literal, $about:literal;
            )*
        }
    ) => {
        $(#[$about_all])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, ts_rs::TS)]
        #[serde(tag = "type", content = "payload")]
        pub enum $direction {
            $($(#[$about_one])* #[serde(rename = $name)] $variant $(($payload))?,)*
        }

        impl $direction {
            /// The messages of this direction.
            pub const ROWS: &'static [$crate::messages::Row] = &[
                $($crate::messages::Row {
                    direction: $crate::messages::Direction::$direction,
                    name: $name,
                    since: $crate::decode::Dialect::$since,
                },)*
            ];

            /// Its `type`.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $name,)* }
            }

            /// The first dialect that has it.
            pub const fn since(&self) -> $crate::decode::Dialect {
                match self { $(Self::$variant { .. } => $crate::decode::Dialect::$since,)* }
            }

            pub(super) fn table() -> Vec<$crate::messages::Described> {
                let described = [
                    $(($phases, $about, $crate::messages::json(&Self::$variant $(($example))?)),)*
                ];
                let describe = |(row, (phases, about, example))| {
                    $crate::messages::Described { row, phases, about, example }
                };
                Self::ROWS.iter().zip(described).map(describe).collect()
            }
        }
    };
}

/// Declares the messages of one direction that clients send: also how each is read.
macro_rules! inbound {
    (
        $(#[$about_all:meta])*
        $direction:ident {
            $(
                $(#[$about_one:meta])*
                $variant:ident $(($payload:ident = $example:expr))?:
                    $name:literal since $since:ident, in $phases:literal, $about:literal;
            )*
        }
    ) => {
        $crate::messages::messages! {
            $(#[$about_all])*
            $direction {
                $(
                    $(#[$about_one])*
                    $variant $(($payload = $example))?: $name since $since, in $phases, $about;
                )*
            }
        }

        impl $crate::decode::payload::Inbound for $direction {
            const FIELDS: &'static [($crate::decode::Dialect, &'static [&'static str])] = &[
                $($(($crate::decode::Dialect::$since, <$payload as $crate::decode::payload::Payload>::FIELDS),)?)*
            ];

            #[allow(unused_variables, reason = "not every direction has fields")]
            fn read(name: &str, fields: &$crate::decode::payload::Fields<'_>) -> Result<Option<Self>, $crate::Mistake> {
                Ok(Some(match name {
                    $($name => Self::$variant $((<$payload as $crate::decode::payload::Payload>::read(fields)?))?,)*
                    _ => return Ok(None),
                }))
            }
        }
    };
}

/// Declares the payload of a message that clients send, and how each of its fields is read: `= "name in JSON"`, for a
/// list or text with a limited number of entries or characters `in least..=most`, and for a number `from least to
/// most`.
macro_rules! payload {
    (
        $(#[$about:meta])*
        $payload:ident {
            $(
                $(#[$about_field:meta])*
                $field:ident: $type:ty = $name:literal
                    $(in $least:literal ..= $most:literal)? $(from $lowest:literal to $highest:literal)?,
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, ts_rs::TS)]
        #[ts(optional_fields)]
        pub struct $payload {
            $(
                $(#[$about_field])*
                #[serde(rename = $name)]
                $(#[schemars(length(min = $least, max = $most))])?
                $(#[schemars(range(min = $lowest, max = $highest))])?
                pub $field: $type,
            )*
        }

        impl $crate::decode::payload::Payload for $payload {
            const FIELDS: &'static [&'static str] = &[$($name,)*];

            fn read(fields: &$crate::decode::payload::Fields<'_>) -> Result<Self, $crate::Mistake> {
                Ok(Self { $($field: fields.get($name, &[$($least..=$most)? $($lowest..=$highest)?])?,)* })
            }
        }
    };
}

pub(crate) use {inbound, messages, payload};

fn json(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect("wire types have string keys")
}
