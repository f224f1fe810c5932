//! 32 bytes as 64 lower-case hexadecimal digits, for serde's `with`. Used for hashes and secrets in the log, so an
//! error never repeats what it read.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 32], out: S) -> Result<S::Ok, S::Error> {
    let mut text = [0; 64];
    ::hex::encode_to_slice(bytes, &mut text).expect("two digits for each byte");
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
            let mut bytes = [0; 32];
            ::hex::decode_to_slice(text, &mut bytes).map_err(|_| E::custom("expected 64 hexadecimal digits"))?;
            Ok(bytes)
        }
    }

    input.deserialize_str(Digits)
}
