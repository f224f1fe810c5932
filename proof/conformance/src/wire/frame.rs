//! WebSocket frames (RFC 6455 §5.2): any bytes a client could send, right or wrong, and a strict reading of the server's.

use anyhow::{bail, ensure};

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

/// Any mask shows whether the server unmasks; a fixed one keeps runs reproducible.
const MASK: [u8; 4] = [0x5A, 0xC3, 0x0F, 0x96];

/// A client frame under construction; by default whole, masked and honest about its length.
#[derive(Debug, Clone)]
pub struct Build {
    fin: bool,
    rsv: u8,
    opcode: u8,
    masked: bool,
    payload: Vec<u8>,
    declared: Option<u64>,
}

impl Build {
    /// A frame of any opcode.
    pub fn new(opcode: u8, payload: impl Into<Vec<u8>>) -> Self {
        Self { fin: true, rsv: 0, opcode, masked: true, payload: payload.into(), declared: None }
    }

    /// A text message in one frame.
    pub fn text(text: &str) -> Self {
        Self::new(TEXT, text)
    }

    /// A close frame with a code and a reason.
    pub fn close(code: u16, reason: &[u8]) -> Self {
        let mut payload = code.to_be_bytes().to_vec();
        payload.extend_from_slice(reason);
        Self::new(CLOSE, payload)
    }

    /// Leaves the FIN bit out: more fragments follow.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.fin = false;
        self
    }

    /// Sets reserved bits: 4 is RSV1, 2 is RSV2, 1 is RSV3.
    #[must_use]
    pub fn reserved(mut self, bits: u8) -> Self {
        self.rsv = bits & 7;
        self
    }

    /// Leaves the mask out, which a client must not.
    #[must_use]
    pub fn unmasked(mut self) -> Self {
        self.masked = false;
        self
    }

    /// Declares another length than the payload has, in the 64-bit form.
    #[must_use]
    pub fn declaring(mut self, length: u64) -> Self {
        self.declared = Some(length);
        self
    }

    /// The frame's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![(u8::from(self.fin) << 7) | (self.rsv << 4) | self.opcode];
        let mask_bit = u8::from(self.masked) << 7;
        let length = self.payload.len();
        match (self.declared, u8::try_from(length), u16::try_from(length)) {
            (None, Ok(short @ 0..=125), _) => bytes.push(mask_bit | short),
            (None, _, Ok(medium)) => {
                bytes.push(mask_bit | 0x7E);
                bytes.extend_from_slice(&medium.to_be_bytes());
            }
            (declared, _, _) => {
                bytes.push(mask_bit | 0x7F);
                bytes.extend_from_slice(&declared.unwrap_or(length as u64).to_be_bytes());
            }
        }
        if self.masked {
            bytes.extend_from_slice(&MASK);
            bytes.extend(self.payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        } else {
            bytes.extend_from_slice(&self.payload);
        }
        bytes
    }
}

/// A frame of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Whether it ends its message.
    pub fin: bool,
    /// What it is.
    pub opcode: u8,
    /// What it carries.
    pub payload: Vec<u8>,
}

impl Frame {
    /// Takes the next frame from what has been read; `None` when it is not all there.
    ///
    /// # Errors
    /// When the server breaks RFC 6455: a mask, a reserved bit (no extension is ever agreed), a long or split control frame.
    pub fn take(buffer: &mut Vec<u8>) -> anyhow::Result<Option<Self>> {
        let [first, second, rest @ ..] = buffer.as_slice() else { return Ok(None) };
        let (fin, opcode) = (first & 0x80 != 0, first & 0x0F);
        ensure!(first & 0x70 == 0, "the server set a reserved bit");
        ensure!(second & 0x80 == 0, "the server masked a frame");
        ensure!(opcode < CLOSE || (fin && *second <= 125), "the server sent a control frame too long or in parts");
        let (length, header) = match (second & 0x7F, rest.first_chunk(), rest.first_chunk()) {
            (126, Some(medium), _) => (u64::from(u16::from_be_bytes(*medium)), 4),
            (127, _, Some(long)) => (u64::from_be_bytes(*long), 10),
            (126 | 127, _, _) => return Ok(None),
            (short, _, _) => (u64::from(short), 2),
        };
        let Ok(length) = usize::try_from(length) else { bail!("the server declared an impossible length") };
        if buffer.len() < header + length {
            return Ok(None);
        }
        let payload = buffer[header..header + length].to_vec();
        buffer.drain(..header + length);
        Ok(Some(Self { fin, opcode, payload }))
    }

    /// Code and reason of a close frame; no code when it is empty.
    pub fn close(&self) -> (Option<u16>, String) {
        match self.payload.as_slice() {
            [high, low, reason @ ..] => {
                (Some(u16::from_be_bytes([*high, *low])), String::from_utf8_lossy(reason).into_owned())
            }
            _ => (None, String::new()),
        }
    }
}
