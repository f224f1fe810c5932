//! Follows frame headers through the bytes as they arrive: the number of fragments, and whether something is
//! unfinished.
//!
//! Called by `parser` before tungstenite gets the bytes, because tungstenite returns a message only when it is complete
//! (CVE-2026-48779: limit parts and time, not only bytes). Judges nothing else; never keeps payload.

use std::io::Cursor;

use quizhall_protocol::CloseCode;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, OpCode};

/// The longest header: two bytes, a 64-bit length and a mask.
const LONGEST_HEADER: usize = 14;

const PING: u8 = 0x9;

/// The position of the bytes in the stream of frames.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    header: [u8; LONGEST_HEADER],
    /// Bytes of an incomplete header.
    filled: u8,
    /// Payload bytes of the current frame still to come.
    payload: u64,
    /// The kind of the current frame.
    frame: Frame,
    /// Fragments of the open message; zero when there is none.
    fragments: u32,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Frame {
    #[default]
    Part,
    LastPart,
    Control,
    Close,
}

/// The effect of some bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    /// The bytes before the first frame that is one too many; all of them when there is none.
    pub(super) usable: usize,
    /// Why the rest is refused.
    pub(super) refused: Option<CloseCode>,
    /// Whether nothing was unfinished, at the start or in between.
    pub(super) was_clean: bool,
    /// Whether a complete close frame has passed.
    pub(super) close_seen: bool,
}

impl Scanner {
    /// Whether a frame or a fragmented message is open.
    pub(super) fn is_unfinished(&self) -> bool {
        self.filled > 0 || self.payload > 0 || self.fragments > 0
    }

    /// Follows `bytes`; `most` is the limit of fragments per message.
    pub(super) fn scan(&mut self, bytes: &[u8], most: u32) -> Scanned {
        let mut scanned = Scanned { usable: bytes.len(), was_clean: !self.is_unfinished(), ..Scanned::default() };
        let mut at = 0;
        while at < bytes.len() {
            let before = at;
            let finished = if self.payload > 0 {
                at += self.skip(bytes.len() - at);
                self.payload == 0
            } else {
                let (used, whole) = self.read_header(&bytes[at..]);
                at += used;
                whole && self.payload == 0
            };
            if self.fragments > most && scanned.refused.is_none() {
                scanned.usable = before;
                scanned.refused = Some(CloseCode::MessageTooBig);
            }
            if finished {
                scanned.close_seen |= self.finish_frame();
                scanned.was_clean |= !self.is_unfinished();
            }
        }
        scanned
    }

    fn skip(&mut self, available: usize) -> usize {
        let step = self.payload.min(available as u64);
        self.payload -= step;
        usize::try_from(step).unwrap_or(available)
    }

    /// Takes header bytes until the header is complete; returns how many it took, and whether it is complete.
    fn read_header(&mut self, bytes: &[u8]) -> (usize, bool) {
        let have = usize::from(self.filled);
        let take = bytes.len().min(LONGEST_HEADER - have);
        self.header[have..have + take].copy_from_slice(&bytes[..take]);
        // Tungstenite refuses a reserved opcode, and then we close. Its frame is followed like a ping. Otherwise the
        // client's close frame, the answer to ours, would not be found after it, and TCP would stay open until the time
        // limit.
        if matches!(self.header[0] & 0x0f, 0x3..=0x7 | 0xb..=0xf) {
            self.header[0] = self.header[0] & 0xf0 | PING;
        }
        let mut cursor = Cursor::new(&self.header[..have + take]);
        match FrameHeader::parse(&mut cursor) {
            // No other header is refused.
            Ok(None) | Err(_) => {
                self.filled = u8::try_from(have + take).unwrap_or(u8::MAX);
                (take, false)
            }
            Ok(Some((header, length))) => {
                let used = usize::try_from(cursor.position()).unwrap_or(have + take) - have;
                self.filled = 0;
                self.payload = length;
                self.begin(&header);
                (used, true)
            }
        }
    }

    fn begin(&mut self, header: &FrameHeader) {
        self.frame = match header.opcode {
            OpCode::Control(Control::Close) => Frame::Close,
            OpCode::Control(_) => Frame::Control,
            OpCode::Data(_) => {
                self.fragments += 1;
                if header.is_final { Frame::LastPart } else { Frame::Part }
            }
        };
    }

    /// Ends a complete frame; returns whether it was a close frame.
    fn finish_frame(&mut self) -> bool {
        if self.frame == Frame::LastPart {
            self.fragments = 0;
        }
        self.frame == Frame::Close
    }
}
