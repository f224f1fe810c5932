//! Whole WebSocket frames as the server writes them: header and JSON, encoded once and shared by every recipient.
//!
//! Only unmasked, unfragmented text and close frames (RFC 6455 §5.2); the socket reads frames.

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;

use crate::close::Close;

const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;
/// Bytes reserved in front of the JSON for the longest header (two bytes and a 64-bit length).
const HEADER_ROOM: usize = 10;

/// A text frame that carries `message` as JSON.
pub fn text(message: &impl Serialize) -> Bytes {
    let mut buffer = Vec::with_capacity(HEADER_ROOM + 246);
    buffer.resize(HEADER_ROOM, 0);
    serde_json::to_writer(&mut buffer, message).expect("wire types have string keys and cannot fail to serialize");
    finish(buffer)
}

/// A text frame that carries JSON already made.
pub fn text_of_json(parts: &[&[u8]]) -> Bytes {
    let mut buffer = Vec::with_capacity(HEADER_ROOM + parts.iter().map(|part| part.len()).sum::<usize>());
    buffer.resize(HEADER_ROOM, 0);
    for part in parts {
        buffer.extend_from_slice(part);
    }
    finish(buffer)
}

/// A close frame with code and reason.
pub fn close(close: &Close) -> Bytes {
    let reason = close.reason();
    debug_assert!(reason.len() <= 123, "a control frame holds 125 bytes");
    let mut frame = BytesMut::with_capacity(4 + reason.len());
    frame.put_u8(CLOSE);
    frame.put_u8(u8::try_from(2 + reason.len()).unwrap_or(125));
    frame.put_u16(close.code.number());
    frame.put_slice(reason.as_bytes());
    frame.freeze()
}

/// An empty ping.
pub fn ping() -> Bytes {
    Bytes::from_static(&[PING, 0])
}

/// The JSON inside a frame that this module made.
pub fn payload(frame: &Bytes) -> Bytes {
    let header = match frame.get(1) {
        Some(126) => 4,
        Some(127) => 10,
        _ => 2,
    };
    frame.slice(header.min(frame.len())..)
}

fn finish(mut buffer: Vec<u8>) -> Bytes {
    let length = buffer.len() - HEADER_ROOM;
    let mut header = [0_u8; HEADER_ROOM];
    header[0] = TEXT;
    let used = match length {
        0..=125 => {
            header[1] = length.to_le_bytes()[0];
            2
        }
        126..=0xFFFF => {
            header[1] = 126;
            header[2..4].copy_from_slice(&length.to_be_bytes()[6..8]);
            4
        }
        _ => {
            header[1] = 127;
            header[2..10].copy_from_slice(&(length as u64).to_be_bytes());
            10
        }
    };
    let start = HEADER_ROOM - used;
    buffer[start..HEADER_ROOM].copy_from_slice(&header[..used]);
    Bytes::from(buffer).slice(start..)
}
