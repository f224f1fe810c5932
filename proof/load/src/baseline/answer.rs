//! An answer as players send it: one masked text frame (RFC 6455 §5.2) of JSON, parsed into a struct. It knows no other
//! message and answers no control frame, because virtual users send neither.

use serde::Deserialize;
use uuid::Uuid;

/// The stored part of an answer.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    #[serde(rename = "questionId")]
    pub(super) question: Uuid,
    pub(super) answer: String,
}

/// The message around it.
#[derive(Deserialize)]
struct Message {
    payload: Answer,
}

/// Passes on each answer in the bytes that a connection has sent after those in `partial`, and keeps an incomplete rest
/// there. Returns false for anything that is not an answer.
pub(super) fn take(partial: &mut Vec<u8>, bytes: &mut [u8], mut found: impl FnMut(Answer)) -> bool {
    let mut kept = std::mem::take(partial);
    let mut rest = if kept.is_empty() {
        bytes
    } else {
        kept.extend_from_slice(bytes);
        &mut kept[..]
    };
    while let Some((header, end)) = bounds(rest).filter(|(_, end)| *end <= rest.len()) {
        let (frame, behind) = std::mem::take(&mut rest).split_at_mut(end);
        let Some(answer) = unmasked(frame, header).and_then(|json| serde_json::from_slice::<Message>(json).ok()) else {
            return false;
        };
        found(answer.payload);
        rest = behind;
    }
    partial.extend_from_slice(rest);
    true
}

/// The bytes of the frame's header without its mask, and of the whole frame, once the header is complete.
fn bounds(bytes: &[u8]) -> Option<(usize, usize)> {
    let (header, length) = match bytes.get(1)? & 0x7F {
        126 => (4, usize::from(u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]))),
        127 => (10, usize::MAX / 2),
        short => (2, usize::from(short)),
    };
    Some((header, header + MASK + length))
}

/// Bytes of a mask.
const MASK: usize = 4;

/// The payload of a masked text frame.
fn unmasked(frame: &mut [u8], header: usize) -> Option<&[u8]> {
    if frame[0] != 0x81 || frame[1] & 0x80 == 0 {
        return None;
    }
    let (mask, payload) = frame[header..].split_first_chunk_mut::<MASK>()?;
    payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
    Some(payload)
}
