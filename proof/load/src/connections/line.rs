//! One connection of a set of connections: the event that it waits for, the received part of an unfinished frame, and
//! unsent bytes.

use std::io::{self, Read as _, Write as _};

use mio::net::TcpStream;
use rustls::ClientConnection;

/// The stage of a connection.
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
    stream: TcpStream,
    /// Holds what waits to be encrypted, written or read; `None` without TLS.
    tls: Option<Box<ClientConnection>>,
    pub(super) stage: Stage,
    /// The beginning of a frame or an answer.
    pub(super) partial: Vec<u8>,
    /// It reads nothing more: a phone in a tunnel.
    pub(super) stalled: bool,
    /// Its end was reported already.
    pub(super) over: bool,
    /// Bytes that the kernel did not take; the request before the connection is established.
    unsent: Vec<u8>,
    connected: bool,
}

impl Line {
    /// A connection that is being made.
    pub(super) fn new(stream: TcpStream, tls: Option<ClientConnection>, stage: Stage) -> Self {
        let mut tls = tls.map(Box::new);
        if let Some(tls) = &mut tls {
            // A request waits for the handshake whatever its size.
            tls.set_buffer_limit(None);
        }
        Self {
            stream,
            tls,
            stage,
            partial: Vec::new(),
            stalled: false,
            over: false,
            unsent: Vec::new(),
            connected: false,
        }
    }

    /// Sends, or keeps what does not go yet.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(tls) = &mut self.tls {
            tls.writer().write_all(bytes)?;
            return self.flush();
        }
        if !self.connected || !self.unsent.is_empty() {
            self.unsent.extend_from_slice(bytes);
            return Ok(());
        }
        let written = unless_blocked(|| self.stream.write(bytes))?.unwrap_or(0);
        self.unsent.extend_from_slice(&bytes[written..]);
        Ok(())
    }

    /// The kernel takes more, or the connection is established now.
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
        self.flush()
    }

    /// Writes what waits, as far as the kernel takes it.
    fn flush(&mut self) -> io::Result<()> {
        if !self.connected {
            return Ok(());
        }
        if let Some(tls) = &mut self.tls {
            while tls.wants_write() {
                if unless_blocked(|| tls.write_tls(&mut self.stream))?.is_none() {
                    return Ok(());
                }
            }
            return Ok(());
        }
        while !self.unsent.is_empty() {
            let Some(written) = unless_blocked(|| self.stream.write(&self.unsent))? else { return Ok(()) };
            self.unsent.drain(..written);
        }
        self.unsent = Vec::new();
        Ok(())
    }

    /// Reads once; `None` when there is nothing.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        if self.tls.is_none() {
            return unless_blocked(|| self.stream.read(into));
        }
        while let Some(tls) = &mut self.tls {
            if let Some(count) = unless_blocked(|| tls.reader().read(into))? {
                return Ok(Some(count));
            }
            match unless_blocked(|| tls.read_tls(&mut self.stream))? {
                None => return Ok(None),
                Some(0) => return Ok(Some(0)),
                Some(_) => tls.process_new_packets().map_err(io::Error::other)?,
            };
            self.flush()?;
        }
        Ok(None)
    }

    /// Whether a read of fewer bytes than there was room for has emptied the socket: the next bytes make an event of their
    /// own. With TLS it has only emptied a record.
    pub(super) fn is_emptied_by_short_reads(&self) -> bool {
        self.tls.is_none()
    }
}

/// The count, or nothing when the kernel has to be waited for.
fn unless_blocked(mut act: impl FnMut() -> io::Result<usize>) -> io::Result<Option<usize>> {
    loop {
        return match act() {
            Ok(count) => Ok(Some(count)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
    }
}
