//! Many client connections in one thread, as cheap as the kernel lets them be: readiness by epoll, one read per event, no
//! buffer per connection, frames scanned in place. Over TLS each connection has the buffers of its session besides. Knows
//! which requests and frames there are from the client's transport, and nothing of games.
//!
//! For measurements: a client that costs less disturbs less. Checking clients are in `evening`.

mod line;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};
use quizhall_client::transport::Response;
use quizhall_client::transport::frame::{self, Build, Frame};
use rustls::ClientConnection;
use socket2::{Domain, Socket, Type};

use self::line::{Line, Stage};

/// Events taken in one go.
const EVENTS: usize = 1_024;
/// Bytes taken with one read: a big board is a few reads.
const SCRATCH: usize = 64 << 10;
/// The token of the waker.
const WAKE: Token = Token(usize::MAX);
/// What a phone without a care has in its kernel for what it has not read yet.
const SMALL_BUFFER: usize = 4 << 10;

/// What happened on a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Happening<'a> {
    /// The answer to an HTTP request, and the connection is closed.
    Answered {
        /// The status.
        status: u16,
        /// The body.
        body: &'a [u8],
    },
    /// The socket is open.
    Opened,
    /// A text message.
    Message(&'a [u8]),
    /// The server closed with this close code (0: with none), or the connection was lost without a close frame (`None`).
    Closed(Option<u16>),
    /// The server refused the upgrade with this status.
    Refused(u16),
}

/// Where a connection goes.
pub struct Target {
    /// The server's address.
    pub address: SocketAddr,
    /// The session, when it speaks TLS.
    pub tls: Option<ClientConnection>,
    /// Whether the kernel's receive buffer is very small.
    pub small: bool,
}

/// How a connection begins.
pub enum Opening {
    /// An HTTP request; its answer ends the connection.
    Call(Vec<u8>),
    /// An upgrade.
    Upgrade(Vec<u8>),
    /// Frames at once, as the baseline speaks.
    Plain,
}

/// The connections. A line is known by its number; each has one connection at a time.
pub struct Connections {
    poll: Poll,
    events: Events,
    lines: Vec<Option<Line>>,
    scratch: Vec<u8>,
    waker: Arc<Waker>,
    pong: Vec<u8>,
}

impl Connections {
    /// A set of this many lines, none of them connected.
    ///
    /// # Errors
    /// When the kernel has no epoll to give.
    pub fn new(lines: usize) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKE)?);
        Ok(Self {
            poll,
            events: Events::with_capacity(EVENTS),
            lines: (0..lines).map(|_| None).collect(),
            scratch: vec![0; SCRATCH],
            waker,
            pong: Build::new(frame::PONG, "").bytes(),
        })
    }

    /// Ends a [`Connections::turn`] from another thread.
    pub fn waker(&self) -> Arc<Waker> {
        Arc::clone(&self.waker)
    }

    /// Grows the set to this many lines.
    pub fn grow(&mut self, lines: usize) {
        self.lines.resize_with(lines.max(self.lines.len()), || None);
    }

    /// Begins a connection, and drops the line's previous one.
    ///
    /// # Errors
    /// When the kernel refuses, for want of descriptors or ports.
    pub fn connect(&mut self, line: usize, target: Target, opening: Opening) -> io::Result<()> {
        self.hang_up(line);
        let socket = Socket::new(Domain::for_address(target.address), Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        socket.set_tcp_nodelay(true)?;
        if target.small {
            socket.set_recv_buffer_size(SMALL_BUFFER)?;
        }
        match socket.connect(&target.address.into()) {
            Err(error) if error.raw_os_error() != Some(nix::errno::Errno::EINPROGRESS as i32) => return Err(error),
            _ => {}
        }
        let mut stream = TcpStream::from_std(socket.into());
        self.poll.registry().register(&mut stream, Token(line), Interest::READABLE | Interest::WRITABLE)?;
        let (stage, first) = match opening {
            Opening::Call(request) => (Stage::Calling, request),
            Opening::Upgrade(request) => (Stage::Upgrading, request),
            Opening::Plain => (Stage::Open, Vec::new()),
        };
        let mut begun = Line::new(stream, target.tls, stage);
        begun.send(&first)?;
        self.lines[line] = Some(begun);
        Ok(())
    }

    /// Sends on an open line; the loss of a line is reported by itself.
    pub fn send(&mut self, line: usize, bytes: &[u8]) {
        if let Some(open) = &mut self.lines[line]
            && open.send(bytes).is_err()
        {
            // The reading side reports it: a reset is readable.
            open.stalled = false;
        }
    }

    /// The line reads nothing any more.
    pub fn stall(&mut self, line: usize) {
        if let Some(open) = &mut self.lines[line] {
            open.stalled = true;
        }
    }

    /// Ends the line's connection without a word.
    pub fn hang_up(&mut self, line: usize) {
        self.lines[line] = None;
    }

    /// Waits for events, at most so long, and reports what happened on which line. Pings are answered.
    ///
    /// # Errors
    /// When epoll fails.
    pub fn turn(
        &mut self,
        time_limit: Option<Duration>,
        mut report: impl FnMut(usize, Happening<'_>),
    ) -> io::Result<()> {
        match self.poll.poll(&mut self.events, time_limit) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            other => other?,
        }
        for event in &self.events {
            let Token(number) = event.token();
            let Some(Some(line)) = self.lines.get_mut(number) else { continue };
            let mut going = true;
            if event.is_writable() {
                going = line.writable().is_ok();
            }
            if going && (event.is_readable() || event.is_read_closed()) && !line.stalled {
                going = receive(line, &mut self.scratch, &self.pong, |happening| report(number, happening));
            }
            if !going {
                let reported = line.over;
                self.lines[number] = None;
                if !reported {
                    report(number, Happening::Closed(None));
                }
            }
        }
        Ok(())
    }
}

/// Takes all there is on a line; false when the line has ended.
fn receive(line: &mut Line, scratch: &mut [u8], pong: &[u8], mut report: impl FnMut(Happening<'_>)) -> bool {
    loop {
        let count = match line.read(scratch) {
            Ok(Some(0)) | Err(_) => return false,
            Ok(Some(count)) => count,
            Ok(None) => return true,
        };
        let mut kept = std::mem::take(&mut line.partial);
        let bytes = if kept.is_empty() {
            &scratch[..count]
        } else {
            kept.extend_from_slice(&scratch[..count]);
            &kept[..]
        };
        let Some(used) = take(line, bytes, pong, &mut report) else { return false };
        if used < bytes.len() {
            line.partial = bytes[used..].to_vec();
        }
        // A short read has emptied the socket: the next bytes make an event of their own.
        if count < scratch.len() && line.is_emptied_by_short_reads() {
            return true;
        }
    }
}

/// Reports everything whole in the bytes; how many are used up, or nothing when the line has ended.
fn take(line: &mut Line, bytes: &[u8], pong: &[u8], report: &mut impl FnMut(Happening<'_>)) -> Option<usize> {
    let mut used = 0;
    if line.stage != Stage::Open {
        let Some((answer, length)) = Response::parse(bytes, false, false).ok()? else { return Some(0) };
        if line.stage == Stage::Calling {
            line.over = true;
            report(Happening::Answered { status: answer.status, body: &answer.body });
            return None;
        }
        if answer.status != 101 {
            line.over = true;
            report(Happening::Refused(answer.status));
            return None;
        }
        line.stage = Stage::Open;
        report(Happening::Opened);
        used = length;
    }
    while let Some(frame) = Frame::parse(&bytes[used..]).ok()? {
        match frame.opcode {
            // Servers of this interface send whole messages.
            _ if !frame.fin => return None,
            frame::TEXT => report(Happening::Message(frame.payload)),
            frame::PING => line.send(pong).ok()?,
            frame::CLOSE => {
                line.over = true;
                report(Happening::Closed(Some(frame.close().0.unwrap_or(0))));
                return None;
            }
            _ => {}
        }
        used += frame.length;
    }
    Some(used)
}
