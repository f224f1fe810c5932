//! The messages of the socket as the references show them: the tables of `quizhall_protocol`, with the schemas of the types.

use quizhall_protocol::messages::{Described, Direction};
use quizhall_protocol::{Dialect, Role};
use serde_json::Value;

use super::schemas::{self, Schemas};

/// The messages of one direction that one dialect introduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    pub since: Dialect,
    pub direction: Direction,
}

impl Section {
    /// Those that have messages: the interface first.
    pub fn all() -> Vec<Self> {
        let of = |since| Direction::ALL.map(|direction| Self { since, direction });
        let sections = [Dialect::Interface, Dialect::QuizhallV1].into_iter().flat_map(of);
        sections.filter(|section| !section.table().is_empty()).collect()
    }

    /// Those that a client of this role sends or receives, on a socket of this dialect.
    pub fn of_client(role: Role, dialect: Dialect, is_inbound: bool) -> impl Iterator<Item = Self> {
        Self::all().into_iter().filter(move |section| {
            section.since <= dialect && section.direction.is_inbound() == is_inbound && section.direction.is_of(role)
        })
    }

    fn table(self) -> Vec<Described> {
        self.direction.table().into_iter().filter(|message| message.row.since == self.since).collect()
    }

    /// The names of its messages.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.table().into_iter().map(|message| message.row.name)
    }

    /// The name of its schema, and of its type in TypeScript.
    pub fn type_name(self) -> String {
        format!("{:?}{}", self.direction, if self.since == Dialect::Interface { "" } else { "V1" })
    }

    pub fn heading(self) -> String {
        let heading = match self.direction {
            Direction::FromHost => "Host to server",
            Direction::FromPlayer => "Player to server",
            Direction::FromAny => "Host, player or screen to server",
            Direction::ToAll if self.since == Dialect::QuizhallV1 => "Server to all who asked for them",
            Direction::ToAll => "Server to all participants",
            Direction::ToHost => "Server to host only",
            Direction::ToPlayer => "Server to a single player only",
            Direction::ToScreen => "Server to a screen only",
            Direction::ToSender => "Server to the socket that asked",
        };
        match self.since {
            Dialect::Interface => heading.to_owned(),
            Dialect::QuizhallV1 => {
                format!("Extension quizhall.v1: {}{}", heading[..1].to_lowercase(), &heading[1..])
            }
        }
    }
}

/// A message with everything that is known about it.
pub struct Message {
    pub section: Section,
    pub described: Described,
    /// From the type's comment.
    pub description: String,
    /// Of the whole envelope.
    pub schema: Value,
    /// Whether a message of another direction has the name too.
    is_ambiguous: bool,
}

impl Message {
    pub fn name(&self) -> &'static str {
        self.described.row.name
    }

    /// A key that is unique among all: with the direction, where a name is used in two.
    pub fn key(&self) -> String {
        let mut words = self.name().split('_');
        let mut key = words.next().unwrap_or_default().to_owned();
        for word in words {
            key.push_str(&word[..1].to_uppercase());
            key.push_str(&word[1..]);
        }
        if self.is_ambiguous {
            let direction = format!("{:?}", self.section.direction);
            key.push_str(direction.strip_prefix("To").unwrap_or(&direction));
        }
        key
    }
}

/// All messages in the order of the reference, and the schemas their payloads refer to.
pub fn all(settings: schemars::generate::SchemaSettings) -> (Vec<Message>, Schemas) {
    let schemas = Schemas::new(settings);
    let mut messages: Vec<Message> = Vec::new();
    for section in Section::all() {
        for described in section.table() {
            let schema = schemas.of(section.direction, described.row.name);
            let description = schemas::description(&schema);
            messages.push(Message { section, described, description, schema, is_ambiguous: false });
        }
    }
    let names: Vec<_> = messages.iter().map(Message::name).collect();
    for message in &mut messages {
        message.is_ambiguous = names.iter().filter(|name| **name == message.name()).count() > 1;
    }
    (messages, schemas)
}
