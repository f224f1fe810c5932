//! The envelope `{type, payload}` (messages.md#connecting), read without looking into the payload.
//!
//! Limits: nesting depth 16, no duplicate `type` or `payload`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// How deep a message may nest.
pub(crate) const MAX_DEPTH: usize = 16;

#[derive(Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub payload: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    /// Reads an envelope; `None` when the text is not one.
    pub fn read(text: &'a str) -> Option<Self> {
        // A JSON array would be read into the struct by position.
        if !text.trim_start().starts_with('{') || !depth_is_bounded(text.as_bytes()) {
            return None;
        }
        serde_json::from_str(text).ok()
    }

    /// The payload's text, with an absent one and `null` read as an empty object.
    pub fn payload_text(&self) -> &'a str {
        match self.payload.map(RawValue::get) {
            None | Some("null") => "{}",
            Some(text) => text,
        }
    }
}

/// A scan that costs a few nanoseconds per byte and keeps the parser's recursion bounded.
fn depth_is_bounded(bytes: &[u8]) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return false;
        }
    }
    true
}
