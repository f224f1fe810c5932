//! A socket after the handshake, without a reader task: for rows that must not read, not pong, or break off.

use quizhall_client::transport::{Agreed, Stream};
use tokio::io::{AsyncWriteExt as _, ReadHalf, WriteHalf};

use super::frame::Frame;

/// A raw WebSocket connection; nothing is answered unless the row answers it.
#[derive(Debug)]
pub struct RawSocket {
    stream: Stream,
    buffer: Vec<u8>,
}

impl RawSocket {
    pub(super) fn new(agreed: Agreed) -> Self {
        Self { stream: agreed.stream, buffer: agreed.rest }
    }

    /// Writes bytes as they are.
    pub async fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(bytes).await?;
        Ok(self.stream.flush().await?)
    }

    /// The next frame of the server; `None` at the end of the connection.
    pub async fn next(&mut self) -> anyhow::Result<Option<Frame>> {
        Frame::read(&mut self.stream, &mut self.buffer).await
    }

    /// The halves for a reader task, with what has been read already.
    pub fn split(self) -> (ReadHalf<Stream>, WriteHalf<Stream>, Vec<u8>) {
        let (reader, writer) = tokio::io::split(self.stream);
        (reader, writer, self.buffer)
    }
}
