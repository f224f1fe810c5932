//! An answer as players send it: one masked text frame (RFC 6455 §5.2) of JSON, read into a struct. Knows no other message, and
//! answers no control frame: virtual users send neither.

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

/// Passes on each answer in the bytes that a connection has sent behind those in `partial`, and keeps there what is not whole.
/// False when it is not an answer.
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

/// Bytes of the frame's header without its mask, and of the whole frame, once the header is there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::users::answer_frame;

    /// The answers in what comes in these pieces, or nothing when a piece is none.
    fn answers(pieces: &[&[u8]]) -> Option<Vec<String>> {
        let (mut partial, mut answers) = (Vec::new(), Vec::new());
        let all = pieces.iter().all(|piece| {
            let mut bytes = piece.to_vec();
            take(&mut partial, &mut bytes, |answer| answers.push(answer.answer))
        });
        all.then_some(answers)
    }

    #[test]
    fn answers_are_read_however_they_are_cut() {
        let long = "a".repeat(300);
        let frames = [answer_frame(Uuid::nil(), "Paris"), answer_frame(Uuid::nil(), &long)].concat();
        let both = Some(vec!["Paris".to_owned(), long]);
        assert_eq!(answers(&[&frames]), both);
        for cut in 1..frames.len() {
            assert_eq!(answers(&[&frames[..cut], &frames[cut..]]), both, "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let mut frame = answer_frame(Uuid::nil(), "Paris");
        frame[0] = 0x82;
        assert_eq!(answers(&[&frame]), None, "binary");
        assert_eq!(answers(&[b"\x81\x02{}\x81\x02{}"]), None, "without a mask");
        assert_eq!(answers(&[b"\x81\x82\0\0\0\0{}"]), None, "another message");
    }
}
