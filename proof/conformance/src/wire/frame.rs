//! Single frames as they came: read strictly by the client's transport, kept for a row to look at.

use anyhow::Context as _;
use quizhall_client::transport::frame;
use tokio::io::{AsyncRead, AsyncReadExt as _};

pub use quizhall_client::transport::frame::{BINARY, Build, CLOSE, CONTINUATION, PING, PONG, TEXT};

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
    /// Takes the next frame from the bytes that were read; `None` when it is incomplete.
    ///
    /// # Errors
    /// When the server breaks RFC 6455.
    pub fn take(buffer: &mut Vec<u8>) -> anyhow::Result<Option<Self>> {
        let Some(frame::Frame { fin, opcode, payload, length }) = frame::Frame::parse(buffer)? else { return Ok(None) };
        let frame = Self { fin, opcode, payload: payload.to_vec() };
        buffer.drain(..length);
        Ok(Some(frame))
    }

    /// Reads until there is a frame; `None` at the end of the connection. The bytes after the frame stay in `buffer`.
    ///
    /// # Errors
    /// Also when the connection breaks.
    pub async fn read(from: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> anyhow::Result<Option<Self>> {
        loop {
            if let Some(frame) = Self::take(buffer)? {
                return Ok(Some(frame));
            }
            if from.read_buf(buffer).await.context("the connection broke")? == 0 {
                return Ok(None);
            }
        }
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
