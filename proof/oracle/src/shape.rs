//! The fields of every message of the server: one table that checks each message received and prints as documentation.
//!
//! Used by conformance for its reference and for every message, and by the load tool's full game.
//!
//! A message passes when it has every field of its row, no other, and each of the right type; additive fields may be absent.
//! The extension has rows of its own: only a socket that negotiated it may receive its messages.

mod screen;
mod v1;

use quizhall_protocol::{Dialect, Role};
use serde_json::Value;
use uuid::Uuid;

use crate::stated::STATED;
use v1::{EXTENDED, OTHERS};

/// A server message and its permitted recipients.
#[derive(Debug)]
pub struct Shape {
    /// The `type`.
    pub kind: &'static str,
    /// The only role that may receive it; `None` is all participants.
    pub audience: Option<Role>,
    /// The fields of the payload; none means that the payload is omitted.
    pub payload: &'static [Field],
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The type of its value.
    pub of: Of,
    /// An additive field, or an optional field: may be absent.
    pub optional: bool,
}

/// The type of a field's value.
#[derive(Debug)]
pub enum Of {
    /// A hyphenated UUID.
    Uuid,
    /// A string.
    Text,
    /// A whole number, not negative.
    Number,
    /// A whole number.
    Signed,
    /// A boolean.
    Flag,
    /// A list of strings.
    Texts,
    /// A list of whole numbers, not negative.
    Numbers,
    /// A list of hyphenated UUIDs.
    Uuids,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object.
    Object(&'static [Field]),
    /// A list of objects.
    List(&'static [Field]),
}

pub(crate) const fn must(name: &'static str, of: Of) -> Field {
    Field { name, of, optional: false }
}

pub(crate) const fn may(name: &'static str, of: Of) -> Field {
    Field { name, of, optional: true }
}

const PLAYER: &[Field] = &[must("id", Of::Uuid), must("displayName", Of::Text)];
const QUESTION: &[Field] = &[
    must("id", Of::Uuid),
    must("text", Of::Text),
    must("type", Of::Text),
    may("choices", Of::Texts),
    must("points", Of::Number),
];
const ENTRY: &[Field] = &[
    must("playerId", Of::Uuid),
    must("displayName", Of::Text),
    must("score", Of::Signed),
    must("rank", Of::Number),
    may("roundScore", Of::Signed),
];
const REVIEWED: &[Field] = &[
    must("playerId", Of::Uuid),
    must("displayName", Of::Text),
    must("questionId", Of::Uuid),
    must("answer", Of::Text),
    must("correct", Of::Flag),
    may("nearMiss", Of::Flag),
    may("partialPoints", Of::Number),
    may("elapsedMs", Of::Number),
    may("ruled", Of::Flag),
];
const RESULT: &[Field] = &[
    must("questionId", Of::Uuid),
    must("question", Of::Text),
    must("yourAnswer", Of::Text),
    must("correctAnswer", Of::Text),
    must("correct", Of::Flag),
    must("points", Of::Signed),
];
const BOARD: &[Field] = &[must("leaderboard", Of::List(ENTRY))];

pub(crate) const fn shape(kind: &'static str, audience: Option<Role>, payload: &'static [Field]) -> Shape {
    Shape { kind, audience, payload }
}

/// Every message a server sends: eleven types, `scoreboard_update` in two shapes.
pub const SHAPES: &[Shape] = &[
    shape("lobby_update", None, &[must("players", Of::List(PLAYER)), may("total", Of::Number)]),
    shape("game_started", None, &[]),
    shape("question_released", None, &[must("question", Of::Object(QUESTION))]),
    shape("round_ended", None, &[]),
    shape("round_leaderboard", None, BOARD),
    shape("game_ended", None, BOARD),
    shape("scoreboard_update", Some(Role::Host), &[must("questionId", Of::Uuid), must("answerCount", Of::Number)]),
    shape(
        "round_review",
        Some(Role::Host),
        &[must("answers", Of::List(REVIEWED)), may("part", Of::Number), may("parts", Of::Number)],
    ),
    shape(
        "override_applied",
        Some(Role::Host),
        &[must("playerId", Of::Uuid), must("questionId", Of::Uuid), must("correct", Of::Flag)],
    ),
    shape("answer_accepted", Some(Role::Player), &[must("questionId", Of::Uuid)]),
    shape("round_scores", Some(Role::Player), &[must("results", Of::List(RESULT)), must("roundTotal", Of::Signed)]),
    shape("scoreboard_update", Some(Role::Player), BOARD),
];

/// Every extension message a server sends.
pub fn extension() -> impl Iterator<Item = &'static Shape> {
    STATED.iter().chain(OTHERS).chain(screen::PICTURE)
}

/// Checks a message against its row for its recipient, on a socket of this dialect, and returns the row.
///
/// # Errors
/// The fault of the message: no envelope, a type that this role never gets, or a field that is unknown, missing or of a
/// wrong type.
pub fn check(role: Role, dialect: Dialect, message: &Value) -> Result<&'static Shape, String> {
    let envelope = message.as_object().ok_or("a message that is not an object")?;
    let kind = envelope.get("type").and_then(Value::as_str).ok_or("a message without a `type`")?;
    let is_v1 = dialect == Dialect::QuizhallV1;
    let extended = if is_v1 { EXTENDED } else { &[] };
    let row = extended
        .iter()
        .chain(SHAPES)
        .chain(extension().filter(|_| is_v1))
        .find(|row| row.kind == kind && row.is_for(role))
        .ok_or_else(|| format!("a {role:?} socket received `{kind}`, which is not for it"))?;
    if let Some(extra) = envelope.keys().find(|key| !matches!(key.as_str(), "type" | "payload")) {
        return Err(format!("`{kind}` has `{extra}` beside `type` and `payload`"));
    }
    match (row.payload, envelope.get("payload")) {
        ([], None) => Ok(row),
        ([], Some(_)) => Err(format!("`{kind}` has a payload; it has none in the interface")),
        (_, None) => Err(format!("`{kind}` has no payload")),
        (fields, Some(payload)) => object(fields, payload).map(|()| row).map_err(|wrong| format!("`{kind}`: {wrong}")),
    }
}

/// Checks an object against its fields: all of them, no other.
///
/// # Errors
/// The first field that is wrong, as a path.
pub fn object(fields: &[Field], value: &Value) -> Result<(), String> {
    let object = value.as_object().ok_or("not an object")?;
    if let Some(extra) = object.keys().find(|key| !fields.iter().any(|field| field.name == key.as_str())) {
        return Err(format!("`{extra}` is not a field of it"));
    }
    for field in fields {
        match object.get(field.name) {
            None if field.optional => {}
            None => return Err(format!("`{}` is missing", field.name)),
            Some(value) => {
                one(&field.of, value).map_err(|wrong| format!("`{}` {wrong}", field.name))?;
            }
        }
    }
    Ok(())
}

fn one(of: &Of, value: &Value) -> Result<(), String> {
    let fits = match of {
        Of::Uuid => is_uuid(value),
        Of::Text => value.is_string(),
        Of::Number => value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
        Of::Signed => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Of::Flag => value.is_boolean(),
        Of::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        Of::Numbers => value.as_array().is_some_and(|list| list.iter().all(Value::is_u64)),
        Of::Uuids => value.as_array().is_some_and(|list| list.iter().all(is_uuid)),
        Of::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Of::Object(fields) => return object(fields, value).map_err(|wrong| format!("→ {wrong}")),
        Of::List(fields) => {
            let list = value.as_array().ok_or("is not a list")?;
            return list.iter().try_for_each(|entry| object(fields, entry).map_err(|wrong| format!("entry → {wrong}")));
        }
    };
    if fits { Ok(()) } else { Err(format!("is not {}", of.words())) }
}

fn is_uuid(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 36 && Uuid::try_parse(text).is_ok())
}

impl Of {
    /// Its name in the documentation.
    pub fn words(&self) -> String {
        let inner = |fields: &[Field]| fields.iter().map(Field::words).collect::<Vec<_>>().join(", ");
        match self {
            Self::Uuid => "uuid".to_owned(),
            Self::Text => "string".to_owned(),
            Self::Number | Self::Signed => "number".to_owned(),
            Self::Flag => "boolean".to_owned(),
            Self::Numbers => "list of numbers".to_owned(),
            Self::Texts => "list of strings".to_owned(),
            Self::Uuids => "list of uuids".to_owned(),
            Self::Word(words) => words.join(" or "),
            Self::Object(fields) => format!("{{{}}}", inner(fields)),
            Self::List(fields) => format!("list of {{{}}}", inner(fields)),
        }
    }
}

impl Shape {
    /// Whether a socket of this role may receive it. A screen receives pictures, and the answer to its pings.
    fn is_for(&self, role: Role) -> bool {
        match self.audience {
            Some(audience) => audience == role,
            None => role != Role::Screen || self.kind == "pong",
        }
    }

    /// The fields as the documentation names them; `None` when the payload is omitted.
    pub fn words(&self) -> Option<String> {
        let fields: Vec<_> = self.payload.iter().map(Field::words).collect();
        (!fields.is_empty()).then(|| fields.join(", "))
    }
}

impl Field {
    /// How the documentation names it: a question mark for a field that may be absent.
    pub fn words(&self) -> String {
        format!("{}{}: {}", self.name, if self.optional { "?" } else { "" }, self.of.words())
    }
}
