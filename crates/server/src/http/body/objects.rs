//! Reads structs from objects only. The visitors that serde derives also take an array, field by field in their order.
//!
//! Called by `body`, around the JSON that it reads. It changes nothing else: arrays stay arrays, and all that is no struct is read as
//! before. The fields of an enum's variant are not looked into, as no body has such a variant.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

/// A part of the reading, in which a struct is an object.
pub(super) struct Objects<T>(pub T);

macro_rules! read {
    ($($read:ident($($of:ident: $type:ty),*) with $visitor:ident => $given:expr;)*) => {
        $(fn $read<V: Visitor<'de>>(self, $($of: $type,)* $visitor: V) -> Result<V::Value, D::Error> {
            self.0.$read($($of,)* $given)
        })*
    };
}

macro_rules! pass_on {
    ($($visit:ident($($value:ident: $type:ty)?);)*) => {
        $(fn $visit<E: Error>(self $(, $value: $type)?) -> Result<V::Value, E> { self.0.$visit($($value)?) })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Objects<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Objects(visitor))
    }

    read! {
        deserialize_any() with visitor => Objects(visitor);
        deserialize_option() with visitor => Objects(visitor);
        deserialize_newtype_struct(name: &'static str) with visitor => Objects(visitor);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) with visitor => visitor;
        deserialize_ignored_any() with visitor => visitor;
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Objects<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(out)
    }

    pass_on! {
        visit_bool(value: bool);
        visit_i64(value: i64);
        visit_u64(value: u64);
        visit_f64(value: f64);
        visit_str(value: &str);
        visit_none();
        visit_unit();
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Objects(input))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, input: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Objects(input))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Objects(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Objects(object))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Objects(seed))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Objects(seed))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Objects<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Objects(input))
    }
}
