//! Rows of small numbers as one JSON text: each number in seven bits per byte, and the bytes in base64. Answers that travel or are
//! stored together are written like this, in a tenth of the bytes of their events.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

/// The bits of a number that a byte holds; the next one says that another byte follows.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;
/// A number has at most this many bytes.
const MOST_BYTES: u32 = 5;

/// Rows that serde reads and writes as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows<T>(pub Vec<T>);

/// A row of numbers.
pub trait Row: Sized {
    /// Appends the numbers of the row.
    fn write(&self, out: &mut Writer);

    /// Reads the numbers of a row; none when the text holds something else.
    fn read(input: &mut Reader<'_>) -> Option<Self>;
}

/// Numbers as bytes, written.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

/// Numbers as bytes, to be read.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl Writer {
    /// Appends a number.
    pub fn number(&mut self, number: u32) {
        self.wide(number.into());
    }

    /// Appends a number that can be absent.
    pub fn optional(&mut self, number: Option<u32>) {
        self.wide(number.map_or(0, |number| u64::from(number) + 1));
    }

    fn wide(&mut self, mut number: u64) {
        let low = |number: u64| number.to_le_bytes()[0] & (MORE - 1);
        while number >= MORE.into() {
            self.0.push(MORE | low(number));
            number >>= BITS;
        }
        self.0.push(low(number));
    }
}

impl Reader<'_> {
    /// The next number; none at the end, and for one that is too large.
    pub fn number(&mut self) -> Option<u32> {
        self.wide()?.try_into().ok()
    }

    /// The next number, which can be absent.
    pub fn optional(&mut self) -> Option<Option<u32>> {
        match self.wide()?.checked_sub(1) {
            None => Some(None),
            Some(number) => Some(Some(number.try_into().ok()?)),
        }
    }

    fn wide(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..MOST_BYTES {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & (MORE - 1)) << (place * BITS);
            if *byte < MORE {
                return Some(number);
            }
        }
        None
    }
}

impl<T: Row> Serialize for Rows<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut numbers = Writer::default();
        for row in &self.0 {
            row.write(&mut numbers);
        }
        out.serialize_str(&STANDARD_NO_PAD.encode(&numbers.0))
    }
}

impl<'de, T: Row> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Text<T>(PhantomData<T>);

        impl<T: Row> Visitor<'_> for Text<T> {
            type Value = Vec<T>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("rows of numbers in base64")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
                let bytes = STANDARD_NO_PAD.decode(text).map_err(|_| E::custom("expected base64"))?;
                let mut numbers = Reader(&bytes);
                let mut rows = Vec::new();
                while !numbers.0.is_empty() {
                    rows.push(T::read(&mut numbers).ok_or_else(|| E::custom("expected rows of numbers"))?);
                }
                Ok(rows)
            }
        }

        input.deserialize_str(Text(PhantomData)).map(Self)
    }
}
