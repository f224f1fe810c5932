//! WebSocket frames (RFC 6455 §5.2) one by one: writes any frame that a client or server could send, valid or not, and
//! parses a server's frames strictly. Tungstenite handles the layout of the header.
//!
//! For callers that handle single frames; [`crate::Socket`] handles messages. Copies nothing while parsing.

use std::io::Cursor;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::OpCode;

use super::TransportError;

/// Continuation of a fragmented message.
pub const CONTINUATION: u8 = 0x0;
/// Text.
pub const TEXT: u8 = 0x1;
/// Binary.
pub const BINARY: u8 = 0x2;
/// Close.
pub const CLOSE: u8 = 0x8;
/// Ping.
pub const PING: u8 = 0x9;
/// Pong.
pub const PONG: u8 = 0xA;

/// Any mask shows whether the server unmasks, and a fixed one keeps runs reproducible. A random one protects proxies
/// from pages in browsers, and neither exists here.
const MASK: [u8; 4] = [0x5A, 0xC3, 0x0F, 0x96];

/// A frame under construction; by default complete, masked as a client's must be, and with its true length.
#[derive(Debug, Clone)]
pub struct Build {
    header: FrameHeader,
    payload: Vec<u8>,
    declared: Option<u64>,
}

impl Build {
    /// A frame of any opcode, of which only four bits count.
    pub fn new(opcode: u8, payload: impl Into<Vec<u8>>) -> Self {
        let header = FrameHeader { opcode: OpCode::from(opcode & 0xF), mask: Some(MASK), ..FrameHeader::default() };
        Self { header, payload: payload.into(), declared: None }
    }

    /// A text message in one frame.
    pub fn text(text: &str) -> Self {
        Self::new(TEXT, text)
    }

    /// A close frame with a code and a reason.
    pub fn close(code: u16, reason: &[u8]) -> Self {
        Self::new(CLOSE, [&code.to_be_bytes(), reason].concat())
    }

    /// Leaves the FIN bit out: more fragments follow.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.header.is_final = false;
        self
    }

    /// Sets reserved bits: 4 is RSV1, 2 is RSV2, 1 is RSV3.
    #[must_use]
    pub fn reserved(mut self, bits: u8) -> Self {
        let set = |bit| bits & bit != 0;
        (self.header.rsv1, self.header.rsv2, self.header.rsv3) = (set(4), set(2), set(1));
        self
    }

    /// Leaves the mask out, as a server does and a client must not.
    #[must_use]
    pub fn unmasked(mut self) -> Self {
        self.header.mask = None;
        self
    }

    /// Declares another length than the payload has.
    #[must_use]
    pub fn declaring(mut self, length: u64) -> Self {
        self.declared = Some(length);
        self
    }

    /// The frame's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let length = self.declared.unwrap_or(self.payload.len() as u64);
        let mut bytes = Vec::with_capacity(self.header.len(length) + self.payload.len());
        self.header.format(length, &mut bytes).expect("writing to a vector cannot fail");
        let mask = self.header.mask.unwrap_or_default();
        bytes.extend(self.payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }
}

/// A frame of a server, found at the beginning of a stream.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Whether it ends its message.
    pub fin: bool,
    /// Its opcode.
    pub opcode: u8,
    /// Its payload.
    pub payload: &'a [u8],
    /// Bytes it takes in the stream.
    pub length: usize,
}

impl<'a> Frame<'a> {
    /// Parses the frame at the beginning of `bytes`; `None` when it is incomplete.
    ///
    /// # Errors
    /// When the server violates RFC 6455: a mask, a reserved bit (no extension is ever agreed) or opcode, a long or
    /// split control frame, a length beyond any memory.
    pub fn parse(bytes: &'a [u8]) -> Result<Option<Self>, TransportError> {
        let mut cursor = Cursor::new(bytes);
        let (header, length) = match FrameHeader::parse(&mut cursor) {
            Ok(Some(parsed)) => parsed,
            Ok(None) => return Ok(None),
            Err(Error::Protocol(_)) => return broken("the server sent a reserved opcode"),
            Err(_) => return broken("the server sent a broken frame"),
        };
        if header.rsv1 || header.rsv2 || header.rsv3 {
            return broken("the server set a reserved bit");
        }
        if header.mask.is_some() {
            return broken("the server masked a frame");
        }
        if matches!(header.opcode, OpCode::Control(_)) && (!header.is_final || length > 125) {
            return broken("the server sent a control frame too long or in parts");
        }
        let end = cursor.position().checked_add(length).and_then(|end| usize::try_from(end).ok());
        let (Some(end), Ok(start)) = (end, usize::try_from(cursor.position())) else {
            return broken("the server declared an impossible length");
        };
        let frame = |payload| Self { fin: header.is_final, opcode: header.opcode.into(), payload, length: end };
        Ok(bytes.get(start..end).map(frame))
    }

    /// Code and reason of a close frame; no code when it is empty.
    pub fn close(&self) -> (Option<u16>, String) {
        match self.payload {
            [high, low, reason @ ..] => {
                (Some(u16::from_be_bytes([*high, *low])), String::from_utf8_lossy(reason).into_owned())
            }
            _ => (None, String::new()),
        }
    }
}

fn broken<T>(why: &'static str) -> Result<T, TransportError> {
    Err(TransportError::Protocol(why))
}
