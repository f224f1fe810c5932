//! Payloads of clients: the fields that are read, and the values that they may have.
//!
//! Field names come from the table of messages. A payload is an object; a known field that appears twice refuses it, even
//! where the message does not use the field. Unknown fields are ignored, however often they appear.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{Dialect, Mistake};
use crate::close::CloseCode;
use crate::messages::from_host::FromHost;
use crate::messages::from_player::FromPlayer;

/// The messages of a direction that clients send.
pub(crate) trait Inbound: Sized {
    /// The fields of each payload, with the dialect of its message.
    const FIELDS: &'static [(Dialect, &'static [&'static str])];

    /// Reads the message of this name; `None` when the direction has none.
    fn read(name: &str, fields: &Fields<'_>) -> Result<Option<Self>, Mistake>;
}

/// A payload of a message that clients send.
pub(crate) trait Payload: Sized {
    /// The names of its fields.
    const FIELDS: &'static [&'static str];

    /// Reads the fields in their order; the refusal names the first one that is missing or wrong.
    fn read(fields: &Fields<'_>) -> Result<Self, Mistake>;
}

/// The known fields of a payload, unread.
#[derive(Default)]
pub(crate) struct Fields<'a>(Vec<(&'static str, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Finds the fields that messages of this dialect have; those of another dialect are unknown.
    pub(super) fn find(payload: &'a str, since: Dialect) -> Result<Self, Mistake> {
        let mut input = serde_json::Deserializer::from_str(payload);
        Known(since).deserialize(&mut input).map_err(|_| Mistake::code(CloseCode::InvalidPayload))
    }

    /// Reads one field, with at most one limit of its size.
    pub(crate) fn get<T: Field>(&self, name: &'static str, limit: &[RangeInclusive<usize>]) -> Result<T, Mistake> {
        let raw = self.0.iter().find(|(known, _)| *known == name).map(|(_, raw)| raw.get());
        let value =
            raw.map_or_else(T::absent, T::read).filter(|value| limit.iter().all(|limit| value.is_within(limit)));
        value.ok_or_else(|| Mistake::field(name))
    }
}

/// A value that a field can hold.
pub(crate) trait Field: Sized {
    /// Reads it; `None` for anything else.
    fn read(json: &str) -> Option<Self>;

    /// The value of an absent field; `None` when the field is required.
    fn absent() -> Option<Self> {
        None
    }

    /// How many characters or entries it has, or how large a number it is.
    fn size(&self) -> usize {
        1
    }

    /// Whether its size is within a limit.
    fn is_within(&self, limit: &RangeInclusive<usize>) -> bool {
        limit.contains(&self.size())
    }
}

impl Field for bool {
    fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

impl Field for u32 {
    /// A whole number, written without a fraction.
    fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    fn size(&self) -> usize {
        usize::try_from(*self).unwrap_or(usize::MAX)
    }
}

/// A field that may be left out, or be null. Limits hold for a value that is there.
impl<T: Field> Field for Option<T> {
    fn read(json: &str) -> Option<Self> {
        if json == "null" { Some(None) } else { T::read(json).map(Some) }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn is_within(&self, limit: &RangeInclusive<usize>) -> bool {
        self.as_ref().is_none_or(|value| value.is_within(limit))
    }
}

impl Field for Uuid {
    /// Only the hyphenated form, in any case; braces, URNs and bare hex are refused.
    fn read(json: &str) -> Option<Self> {
        id_of(&serde_json::from_str::<Cow<'_, str>>(json).ok()?)
    }
}

impl Field for String {
    /// A text without NUL, which PostgreSQL cannot store.
    fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().filter(|text: &Self| !text.contains('\0'))
    }

    fn size(&self) -> usize {
        self.chars().count()
    }
}

impl Field for Vec<String> {
    fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().filter(|texts: &Self| !texts.iter().any(|text| text.contains('\0')))
    }

    fn size(&self) -> usize {
        self.len()
    }
}

impl Field for Vec<Uuid> {
    /// Each entry is read like a single value.
    fn read(json: &str) -> Option<Self> {
        let texts: Vec<Cow<'_, str>> = serde_json::from_str(json).ok()?;
        texts.iter().map(|text| id_of(text)).collect()
    }

    fn size(&self) -> usize {
        self.len()
    }
}

impl Field for i64 {
    /// A whole number, written without a fraction, that programs with floating-point numbers can hold.
    fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().filter(|number: &Self| number.unsigned_abs() <= LARGEST)
    }
}

/// The largest whole number of a field, with either sign.
const LARGEST: u64 = 1_000_000_000_000_000;

pub(super) fn id_of(text: &str) -> Option<Uuid> {
    if text.len() != 36 {
        return None;
    }
    Uuid::try_parse(text).ok()
}

/// Reads an object into [`Fields`].
struct Known(Dialect);

/// Reads a key: its name in the table, or `None` when no message of the dialect has such a field.
struct Name(Dialect);

impl<'de> DeserializeSeed<'de> for Known {
    type Value = Fields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Fields<'de>, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Known {
    type Value = Fields<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(name) = map.next_key_seed(Name(self.0))? {
            match name {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(name) if fields.0.iter().any(|(known, _)| *known == name) => {
                    return Err(A::Error::duplicate_field(name));
                }
                Some(name) => fields.0.push((name, map.next_value()?)),
            }
        }
        Ok(fields)
    }
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Option<&'static str>, D::Error> {
        input.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Option<&'static str>, E> {
        let payloads = FromHost::FIELDS.iter().chain(FromPlayer::FIELDS);
        let mut names = payloads.filter(|(since, _)| *since == self.0).flat_map(|(_, names)| *names);
        Ok(names.find(|name| **name == key).copied())
    }
}
