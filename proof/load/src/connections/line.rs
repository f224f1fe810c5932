//! One connection of a set of connections: what it is waiting for, what has come of an unfinished frame, what could not be sent yet.

use std::io::{self, Read as _, Write as _};

use mio::net::TcpStream;

/// Where a connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// An HTTP request is on its way; the connection ends with its answer.
    Calling,
    /// The upgrade is on its way.
    Upgrading,
    /// Frames go to and fro.
    Open,
}

pub(super) struct Line {
    pub(super) stream: TcpStream,
    pub(super) stage: Stage,
    /// The beginning of a frame or an answer.
    pub(super) partial: Vec<u8>,
    /// It reads nothing more: a phone in a tunnel.
    pub(super) stalled: bool,
    /// Its end was told already.
    pub(super) over: bool,
    /// Bytes that the kernel did not take; the request before the connection stands.
    unsent: Vec<u8>,
    connected: bool,
}

impl Line {
    pub(super) fn new(stream: TcpStream, stage: Stage, first: Vec<u8>) -> Self {
        Self { stream, stage, partial: Vec::new(), stalled: false, over: false, unsent: first, connected: false }
    }

    /// Sends, or keeps what does not go yet.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.connected || !self.unsent.is_empty() {
            self.unsent.extend_from_slice(bytes);
            return Ok(());
        }
        let written = taken(self.stream.write(bytes))?;
        self.unsent.extend_from_slice(&bytes[written..]);
        Ok(())
    }

    /// The kernel takes more, or the connection stands now.
    pub(super) fn writable(&mut self) -> io::Result<()> {
        if !self.connected {
            if let Some(error) = self.stream.take_error()? {
                return Err(error);
            }
            if self.stream.peer_addr().is_err() {
                return Ok(());
            }
            self.connected = true;
        }
        while !self.unsent.is_empty() {
            let written = taken(self.stream.write(&self.unsent))?;
            if written == 0 {
                return Ok(());
            }
            self.unsent.drain(..written);
        }
        self.unsent = Vec::new();
        Ok(())
    }

    /// Reads once; `None` when there is nothing.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            return match self.stream.read(into) {
                Ok(count) => Ok(Some(count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
        }
    }
}

/// What the kernel took; nothing when it is full.
fn taken(outcome: io::Result<usize>) -> io::Result<usize> {
    match outcome {
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(0),
        other => other,
    }
}
