//! Reads changes. Answers are most of every log and thousands come at once, so their fields are read as they come. The fields of other
//! kinds are read by serde, which collects them first: it does not expect the kind to be the first field, although it always is.
//!
//! What serde accepts is accepted, with the same result.

use std::fmt;
use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::change::Change;
use crate::base::{Device, PlayerId};

/// The field that holds the kind.
const KIND: &str = "t";

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, out)
    }
}

impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(AnyChange)
    }
}

struct AnyChange;

impl<'de> Visitor<'de> for AnyChange {
    type Value = Change;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a change")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Change, A::Error> {
        let (key, kind) = match map.next_key::<Key>()? {
            Some(Key::Kind) => match map.next_value::<Kind>()? {
                Kind::Answered => return Answered::deserialize(MapAccessDeserializer::new(map)).map(Change::from),
                Kind::Answers => return Box::deserialize(MapAccessDeserializer::new(map)).map(Change::Answers),
                Kind::Other(kind) => (Some(KIND.to_owned()), Some(kind)),
            },
            Some(Key::Other(key)) => (Some(key), None),
            None => (None, None),
        };
        Change::deserialize(MapAccessDeserializer::new(Begun { key, kind, map }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Change, A::Error> {
        Change::deserialize(SeqAccessDeserializer::new(seq))
    }
}

enum Key {
    Kind,
    Other(String),
}

enum Kind {
    Answered,
    Answers,
    Other(String),
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let of = |text: &str| if text == KIND { Self::Kind } else { Self::Other(text.to_owned()) };
        input.deserialize_str(Text(of))
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let of = |text: &str| match text {
            "answered" => Self::Answered,
            "answers" => Self::Answers,
            _ => Self::Other(text.to_owned()),
        };
        input.deserialize_str(Text(of))
    }
}

/// Makes something of a text without a copy of it.
struct Text<F>(F);

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(self.0(text))
    }
}

/// A map of which the first key was read, and the value of that key if it is the kind.
struct Begun<A> {
    key: Option<String>,
    kind: Option<String>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Begun<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.key.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.kind.take() {
            Some(kind) => seed.deserialize(kind.into_deserializer()),
            None => self.map.next_value_seed(seed),
        }
    }
}

/// The fields of [`Change::Answered`] after the kind.
#[derive(Deserialize)]
struct Answered {
    #[serde(rename = "p")]
    player: PlayerId,
    #[serde(rename = "d", default)]
    device: Device,
    #[serde(rename = "q")]
    question: QuestionId,
    #[serde(rename = "a", deserialize_with = "shared")]
    answer: Arc<str>,
    #[serde(rename = "ok", default)]
    correct: bool,
    #[serde(rename = "near", default)]
    near_miss: bool,
    #[serde(rename = "pt", default)]
    partial: u32,
    #[serde(rename = "el", default)]
    elapsed: Option<u32>,
    /// The kind comes once.
    #[serde(rename = "t", default, deserialize_with = "refuse")]
    _again: (),
}

fn shared<'de, D: Deserializer<'de>>(input: D) -> Result<Arc<str>, D::Error> {
    input.deserialize_str(Text(|text: &str| Arc::from(text)))
}

fn refuse<'de, D: Deserializer<'de>>(_: D) -> Result<(), D::Error> {
    Err(D::Error::duplicate_field(KIND))
}

impl From<Answered> for Change {
    fn from(read: Answered) -> Self {
        let Answered { player, device, question, answer, correct, near_miss, partial, elapsed, _again } = read;
        Self::Answered { player, device, question, answer, correct, near_miss, partial, elapsed }
    }
}
