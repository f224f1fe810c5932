//! A socket after the handshake, without a reader task: for rows that must not read, not pong, or break off.

use anyhow::bail;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::frame::Frame;

/// A raw WebSocket connection; nothing is answered unless the row answers it.
#[derive(Debug)]
pub struct RawSocket {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl RawSocket {
    pub(super) fn new(stream: TcpStream, buffer: Vec<u8>) -> Self {
        Self { stream, buffer }
    }

    /// Writes bytes as they are.
    pub async fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(bytes).await?;
        Ok(())
    }

    /// The next frame of the server; `None` at the end of the connection.
    pub async fn next(&mut self) -> anyhow::Result<Option<Frame>> {
        loop {
            if let Some(frame) = Frame::take(&mut self.buffer)? {
                return Ok(Some(frame));
            }
            match self.stream.read_buf(&mut self.buffer).await {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => bail!("the connection broke: {error}"),
            }
        }
    }

    /// The halves for a reader task, with what has been read already.
    pub fn split(self) -> (OwnedReadHalf, OwnedWriteHalf, Vec<u8>) {
        let (reader, writer) = self.stream.into_split();
        (reader, writer, self.buffer)
    }
}
