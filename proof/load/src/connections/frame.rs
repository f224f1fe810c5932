//! WebSocket frames as a set of connections needs them: masked frames to send, and a scanner for unfragmented frames of a server
//! (RFC 6455 §5.2). Copies nothing while scanning.

/// A text frame.
pub const TEXT: u8 = 0x1;
/// A close frame.
pub const CLOSE: u8 = 0x8;
/// A ping.
pub const PING: u8 = 0x9;
/// A pong.
pub const PONG: u8 = 0xA;

/// One mask for all: a mask protects proxies from pages in browsers, and there is neither here.
const MASK: [u8; 4] = [0x5A, 0xC3, 0x17, 0x8E];

/// Says in the second byte that a mask follows.
const MASKED: u8 = 0x80;
/// Says there that the length follows in so many bytes.
const TWO_BYTES: u8 = 126;
const EIGHT_BYTES: u8 = 127;

/// The longest header of a server's frame.
const LONG_HEADER: usize = 10;

/// A frame with its header and the payload masked, as a client must send it.
pub fn masked(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + 14);
    frame.push(0x80 | opcode);
    match payload.len() {
        short @ 0..=125 => frame.push(MASKED | u8::try_from(short).unwrap_or(125)),
        middle @ 126..=0xFFFF => {
            frame.push(MASKED | TWO_BYTES);
            frame.extend_from_slice(&u16::try_from(middle).unwrap_or(u16::MAX).to_be_bytes());
        }
        long => {
            frame.push(MASKED | EIGHT_BYTES);
            frame.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(&MASK);
    frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// A frame without a mask, as a server sends it.
pub fn unmasked(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = masked(opcode, payload);
    let header = frame.len() - payload.len() - MASK.len();
    frame[1] &= 0x7F;
    frame.drain(header..header + MASK.len());
    frame[header..].copy_from_slice(payload);
    frame
}

/// A frame found in a stream.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is.
    pub opcode: u8,
    /// What it carries.
    pub payload: &'a [u8],
    /// Bytes it takes in the stream.
    pub length: usize,
}

/// What a stream begins with.
#[derive(Debug, PartialEq, Eq)]
pub enum Scanned<'a> {
    /// A whole frame.
    Frame(Frame<'a>),
    /// The beginning of one.
    More,
    /// A frame that servers of this interface do not send: masked, fragmented, or with reserved bits.
    Foreign,
}

/// Looks at the beginning of a stream.
pub fn scan(bytes: &[u8]) -> Scanned<'_> {
    let [first, second, rest @ ..] = bytes else { return Scanned::More };
    if first & 0xF0 != 0x80 || second & 0x80 != 0 {
        return Scanned::Foreign;
    }
    let (header, length) = match (second, rest) {
        (126, [a, b, ..]) => (4, usize::from(u16::from_be_bytes([*a, *b]))),
        (127, rest) if rest.len() >= 8 => {
            let length = bytes[2..LONG_HEADER].iter().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
            match usize::try_from(length) {
                Ok(length) if length < 1 << 32 => (LONG_HEADER, length),
                _ => return Scanned::Foreign,
            }
        }
        (126 | 127, _) => return Scanned::More,
        (short, _) => (2, usize::from(*short)),
    };
    match bytes.get(header..header + length) {
        Some(payload) => Scanned::Frame(Frame { opcode: first & 0x0F, payload, length: header + length }),
        None => Scanned::More,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_length_are_found_again_and_no_part_of_one_is_a_frame() {
        for length in [0_usize, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let payload: Vec<u8> = (0_u8..=255).cycle().take(length).collect();
            let mut stream = unmasked(TEXT, &payload);
            let whole = stream.len();
            stream.extend_from_slice(&unmasked(PING, b"x"));
            assert_eq!(scan(&stream), Scanned::Frame(Frame { opcode: TEXT, payload: &payload, length: whole }));
            for part in [0, 1, 2, 3, 9, whole - 1].into_iter().filter(|part| *part < whole) {
                assert_eq!(scan(&stream[..part]), Scanned::More, "{part} of {whole}");
            }
        }
    }

    #[test]
    fn a_client_masks_and_a_server_must_not() {
        let frame = masked(TEXT, b"hello");
        assert_eq!(scan(&frame), Scanned::Foreign);
        let payload: Vec<u8> = frame[6..].iter().zip(frame[2..6].iter().cycle()).map(|(a, b)| a ^ b).collect();
        assert_eq!(payload, b"hello");
        assert_eq!(scan(&[0x01, 0x00]), Scanned::Foreign, "the first of several fragments");
    }
}
