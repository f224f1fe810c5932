//! Bytes of a client → texts, answers to pings, the client's close, or the close code of a violation.
//!
//! Called by `reader` with whatever bytes the socket had; how they were cut makes no difference. Tungstenite parses
//! (RFC 6455), except for whole short texts, which are nearly all messages. This module adds the limits that
//! tungstenite lacks: fragments, rates, and memory, of which an idle socket uses none.

use std::io::{self, Read, Write};

use bytes::Bytes;
use quizhall_protocol::{Close, CloseCode, Role};
use tungstenite::protocol::frame::coding::CloseCode as Coded;
use tungstenite::protocol::{Role as Side, WebSocketConfig, WebSocketContext};
use tungstenite::{Error, Message, Utf8Bytes};

use crate::config::{SocketLimits, SocketRates};

use super::scanner::Scanner;
use crate::limits::Bucket;
use crate::moment::Moment;

/// An action of the client, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A text message.
    Text(Utf8Bytes),
    /// A binary message, which no game accepts. It is not counted, because the socket is closed at the first one.
    Binary(Bytes),
    /// The answer to a ping, a whole frame to be sent.
    Pong(Bytes),
    /// The client sent a close frame; contains the answer, a whole frame. Nothing follows.
    Closed(Bytes),
    /// The client violated a rule. Nothing follows.
    Refused(Close),
}

/// The client's limits, and the present time.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// When the bytes came.
    pub now: Moment,
    /// The sizes, fragments and rates that are allowed.
    pub limits: &'a SocketLimits,
}

/// The state between two calls with bytes.
pub struct Parser {
    scanner: Scanner,
    /// Exists only while a message is unfinished.
    open: Option<Box<WebSocketContext>>,
    begun: Moment,
    messages: Bucket,
    controls: Bucket,
    role: Role,
    ended: bool,
    close_seen: bool,
    pong_seen: bool,
}

impl Parser {
    /// A parser for the bytes of a client with this role, on which sizes and rates depend.
    pub fn new(role: Role) -> Self {
        Self {
            scanner: Scanner::default(),
            open: None,
            begun: Moment::NEVER,
            messages: Bucket::default(),
            controls: Bucket::default(),
            role,
            ended: false,
            close_seen: false,
            pong_seen: false,
        }
    }

    /// Since when a message is unfinished; [`Moment::NEVER`] when there is none.
    pub fn begun(&self) -> Moment {
        self.begun
    }

    /// Whether no message is unfinished. Then the parser holds no buffer, as an idle socket must not.
    pub fn is_between_messages(&self) -> bool {
        self.open.is_none() && !self.scanner.is_unfinished()
    }

    /// Whether the client's close frame has come, valid or not: it will send no other.
    pub fn close_seen(&self) -> bool {
        self.close_seen
    }

    /// Whether a pong has come since the last call.
    pub(super) fn take_pong(&mut self) -> bool {
        std::mem::take(&mut self.pong_seen)
    }

    /// Reads `bytes` and appends their meaning. After a close or a violation, bytes are ignored.
    pub fn feed(&mut self, bytes: &[u8], allowance: Allowance<'_>, inputs: &mut Vec<Input>) {
        if self.ended || bytes.is_empty() {
            return;
        }
        if let Some(text) = self.whole_text(bytes, allowance.limits) {
            return self.take(Message::Text(text.into()), allowance, inputs);
        }
        self.follow(bytes, allowance, inputs);
    }

    /// Reads bytes with tungstenite as they come.
    fn follow(&mut self, bytes: &[u8], allowance: Allowance<'_>, inputs: &mut Vec<Input>) {
        let scanned = self.scanner.scan(bytes, allowance.limits.fragments);
        self.close_seen |= scanned.close_seen;
        self.parse(&bytes[..scanned.usable], allowance, inputs);
        if let (Some(code), false) = (scanned.refused, self.ended) {
            self.refuse(code, inputs);
        }
        self.begun = match self.scanner.is_unfinished() {
            false => Moment::NEVER,
            true if scanned.was_clean => allowance.now,
            true => self.begun,
        };
    }

    /// Follows bytes after our own close, without reading them; returns whether the client's close frame has passed.
    pub fn discard(&mut self, bytes: &[u8]) -> bool {
        self.scanner.scan(bytes, u32::MAX).close_seen
    }

    /// The text, if nothing is unfinished and the bytes are exactly one message, as players usually send. Tungstenite
    /// would give the same result, but make a context and a buffer for it and drop them again.
    fn whole_text(&self, bytes: &[u8], limits: &SocketLimits) -> Option<String> {
        let may_come = self.is_between_messages() && limits.fragments > 0;
        let text = if may_come { short_text(bytes)? } else { return None };
        (text.len() <= self.most(limits)).then_some(text)
    }

    fn parse(&mut self, bytes: &[u8], allowance: Allowance<'_>, inputs: &mut Vec<Input>) {
        let mut context = match self.open.take() {
            Some(context) => *context,
            None => WebSocketContext::new(Side::Server, Some(self.settings(allowance.limits, bytes.len()))),
        };
        let mut wire = Wire { bytes, reply: Vec::new() };
        while !self.ended {
            let message = context.read(&mut wire);
            // A pong is written by the read that follows its ping.
            if !wire.reply.is_empty() && !matches!(message, Err(Error::ConnectionClosed)) {
                inputs.push(Input::Pong(std::mem::take(&mut wire.reply).into()));
            }
            match message {
                Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(Error::ConnectionClosed) => {
                    self.ended = true;
                    inputs.push(Input::Closed(std::mem::take(&mut wire.reply).into()));
                }
                Err(error) => self.refuse(code_for(&error), inputs),
                Ok(message) => self.take(message, allowance, inputs),
            }
        }
        if self.scanner.is_unfinished() && !self.ended {
            self.open = Some(Box::new(context));
        }
    }

    fn take(&mut self, message: Message, allowance: Allowance<'_>, inputs: &mut Vec<Input>) {
        let Allowance { now, limits } = allowance;
        match message {
            Message::Text(text) if self.messages.allow(self.rate(limits), now) => inputs.push(Input::Text(text)),
            Message::Binary(bytes) => inputs.push(Input::Binary(bytes)),
            Message::Ping(_) if self.controls.allow(limits.control_frames, now) => {}
            Message::Pong(_) if self.controls.allow(limits.control_frames, now) => self.pong_seen = true,
            Message::Text(_) | Message::Ping(_) | Message::Pong(_) => self.refuse(CloseCode::RateLimited, inputs),
            // Tungstenite reports a code that must not be sent this way; our own close answers it (promise 28).
            Message::Close(Some(close)) if close.code == Coded::Protocol && close.reason == "Protocol violation" => {
                self.refuse(CloseCode::ProtocolError, inputs);
            }
            // The next read writes the answer and returns `ConnectionClosed`; raw frames are never read.
            Message::Close(_) | Message::Frame(_) => {}
        }
    }

    fn refuse(&mut self, code: CloseCode, inputs: &mut Vec<Input>) {
        self.ended = true;
        inputs.push(Input::Refused(code.into()));
    }

    fn rate(&self, limits: &SocketLimits) -> SocketRates {
        match self.role {
            Role::Host => limits.host_messages,
            Role::Player | Role::Screen => limits.player_messages,
        }
    }

    /// Most bytes of a message.
    fn most(&self, limits: &SocketLimits) -> usize {
        match self.role {
            Role::Host => limits.host_message_bytes,
            Role::Player | Role::Screen => limits.player_message_bytes,
        }
    }

    fn settings(&self, limits: &SocketLimits, at_hand: usize) -> WebSocketConfig {
        let most = self.most(limits);
        WebSocketConfig::default()
            .read_buffer_size(at_hand.max(256))
            .write_buffer_size(0)
            .max_write_buffer_size(1 << 10)
            .max_message_size(Some(most))
            .max_frame_size(Some(most))
    }
}

/// The payload of one masked, final text frame of at most 125 bytes (RFC 6455 §5.2) that is all of `frame`; `None` for
/// everything else, valid or not, which tungstenite judges.
fn short_text(frame: &[u8]) -> Option<String> {
    let [0x81, length @ 0x80..0xfe, rest @ ..] = frame else { return None };
    let (mask, payload) = rest.split_first_chunk::<4>()?;
    if payload.len() != usize::from(length & 0x7f) {
        return None;
    }
    let mut text = payload.to_vec();
    let twice = u64::from_ne_bytes(std::array::from_fn(|at| mask[at % 4]));
    let (words, tail) = text.as_chunks_mut::<8>();
    for word in words {
        *word = (u64::from_ne_bytes(*word) ^ twice).to_ne_bytes();
    }
    for (byte, mask) in tail.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
    String::from_utf8(text).ok()
}

fn code_for(error: &Error) -> CloseCode {
    match error {
        Error::Capacity(_) => CloseCode::MessageTooBig,
        Error::Utf8(_) => CloseCode::InvalidUtf8,
        _ => CloseCode::ProtocolError,
    }
}

/// The network as tungstenite sees it: the bytes at hand, and a place for its answers.
struct Wire<'a> {
    bytes: &'a [u8],
    reply: Vec<u8>,
}

impl Read for Wire<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.bytes.read(room)
    }
}

impl Write for Wire<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.reply.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
