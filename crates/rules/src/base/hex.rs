//! 32 bytes as 64 lower-case hexadecimal digits, for serde's `with`. Used for hashes and secrets in the log, so an
//! error never repeats what it read.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 32], out: S) -> Result<S::Ok, S::Error> {
    let mut text = [0; 64];
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    out.serialize_str(std::str::from_utf8(&text).expect("hexadecimal digits are ASCII"))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<[u8; 32], D::Error> {
    struct Digits;

    impl Visitor<'_> for Digits {
        type Value = [u8; 32];

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("64 hexadecimal digits")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<[u8; 32], E> {
            read(text.as_bytes()).ok_or_else(|| E::custom("expected 64 hexadecimal digits"))
        }
    }

    input.deserialize_str(Digits)
}

fn read(text: &[u8]) -> Option<[u8; 32]> {
    if text.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

fn digit(symbol: u8) -> Option<u8> {
    match symbol {
        b'0'..=b'9' => Some(symbol - b'0'),
        b'a'..=b'f' => Some(symbol - b'a' + 10),
        b'A'..=b'F' => Some(symbol - b'A' + 10),
        _ => None,
    }
}
