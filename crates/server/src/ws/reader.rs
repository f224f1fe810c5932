//! The one task of a socket: attaches it to the game, reads, delivers messages, writes what waits, and closes.
//!
//! Started by `ws/upgrade` with the [`Audience`] of its messages. While the game has no room for a message this socket
//! is not read (back-pressure reaches exactly one client), but frames for it are still written. An idle socket has no
//! buffer.
//!
//! Nothing is read before the sync messages are queued, and a `ping` of the extension is answered here, after
//! everything that is queued. So the pong of a first ping shows that the sync messages are complete.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::net::TcpStream;

use crate::games::Sink as _;
use crate::limits::ParticipantKey;
use crate::telemetry::metrics;

use super::audience::{Audience, role_name};
use super::connection::{Connection, Lost, Standing};
use super::held::Held;
use super::parser::{Allowance, Input, Parser};
use super::queue::Key;
use super::registry::{Registered, Room, Session, Sockets};

/// Most bytes read at once; a bigger message takes several turns.
const SCRATCH: usize = 16 << 10;

thread_local! {
    /// Shared by all sockets of a thread, and used only between two awaits.
    static BUFFER: RefCell<[u8; SCRATCH]> = const { RefCell::new([0; SCRATCH]) };
}

/// A TCP stream after its upgrade.
pub struct UpgradedStream {
    /// The stream, after the answer to the handshake.
    pub stream: TcpStream,
    /// Bytes that came after the handshake.
    pub first: Bytes,
    /// Keeps the place of the TCP connection counted.
    pub held: Option<Held>,
}

/// A socket with its participant.
pub struct Reader<A> {
    sockets: Sockets,
    registered: Registered,
    audience: A,
    parser: Parser,
    inputs: Vec<Input>,
    peer_closed: bool,
    _held: Option<Held>,
}

impl Sockets {
    /// Starts the task of a socket. It is a small task of its own, because it lives for hours while the task that
    /// waited for the upgrade ends.
    pub fn serve(&self, upgraded: UpgradedStream, audience: impl Audience, session: Session, room: Room) {
        let UpgradedStream { stream, first, held } = upgraded;
        let registered = self.open(stream, session, room);
        let parser = Parser::new(registered.connection.role());
        let (sockets, inputs) = (self.clone(), Vec::new());
        let reader = Reader { sockets, registered, audience, parser, inputs, peer_closed: false, _held: held };
        tokio::spawn(reader.run(first));
    }
}

impl<A: Audience> Reader<A> {
    /// Lives as long as the socket. `first` are bytes that came with the handshake.
    #[allow(clippy::manual_async_fn, reason = "an async fn would keep its arguments twice, for hours")]
    pub fn run(mut self, first: Bytes) -> impl Future<Output = ()> + Send {
        async move {
            let connection = Arc::clone(&self.registered.connection);
            metrics::socket_opened(role_name(connection.role()));
            tracing::debug!(socket = connection.id().0, role = role_name(connection.role()), "socket opened");
            let attach = Box::pin(self.audience.attach(&connection));
            if let Err(code) = while_flushing(&connection, attach).await {
                connection.close(code.into());
            } else {
                self.understand(&first);
                drop(first);
                self.listen().await;
                let detach = Box::pin(self.audience.detach(&connection, self.peer_closed));
                while_flushing(&connection, detach).await;
            }
            if let Some((game, seat)) = self.audience.participant().filter(|_| connection.has_refused_a_message()) {
                self.sockets.upgrade_limits().give_back(ParticipantKey { game, seat });
            }
            poll_fn(|context| self.poll_farewell(context)).await;
            tracing::debug!(socket = connection.id().0, clean = self.peer_closed, "socket closed");
        }
    }

    /// Runs until a close from either side, or the end of the connection.
    async fn listen(&mut self) {
        loop {
            for input in std::mem::take(&mut self.inputs) {
                if !self.take(input).await {
                    // A close frame that arrived in the same read is the answer to ours.
                    self.peer_closed |= self.parser.close_seen();
                    return;
                }
            }
            if poll_fn(|context| self.poll_input(context)).await.is_err() {
                return;
            }
        }
    }

    /// Returns whether to continue.
    async fn take(&mut self, input: Input) -> bool {
        let connection = &self.registered.connection;
        match input {
            Input::Pong(answer) => connection.push(answer, Key::Pong),
            Input::Refused(close) => connection.close(close),
            Input::Closed(answer) => {
                self.peer_closed = true;
                connection.answer_close(answer);
            }
            Input::Text(text) => {
                if let Some(handing_over) = self.audience.receive(connection, &text) {
                    connection.watch.pause(true);
                    while_flushing(connection, handing_over).await;
                    connection.watch.pause(false);
                }
            }
            Input::Binary(bytes) => self.audience.receive_binary(connection, &bytes),
        }
        !matches!(self.registered.connection.standing(), Standing::Closing(_) | Standing::Lost)
    }

    /// Ready when there is an input to take; `Err` when the socket is closing or lost.
    fn poll_input(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Lost>> {
        let connection = &self.registered.connection;
        connection.register(context.waker());
        if let Poll::Ready(Err(lost)) = connection.poll_flush(context) {
            return Poll::Ready(Err(lost));
        }
        if matches!(connection.standing(), Standing::Closing(_) | Standing::Lost) {
            return Poll::Ready(Err(Lost));
        }
        while self.inputs.is_empty() {
            let read = BUFFER.with_borrow_mut(|buffer| {
                let read = self.registered.connection.poll_read(context, buffer);
                read.map_ok(|count| self.understand(&buffer[..count]))
            });
            match read {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(lost)) => return Poll::Ready(Err(lost)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }

    fn understand(&mut self, bytes: &[u8]) {
        let (now, watch) = (self.sockets.now(), &self.registered.connection.watch);
        watch.received.set(now);
        self.parser.feed(bytes, Allowance { now, limits: self.sockets.limits() }, &mut self.inputs);
        watch.begun.set(self.parser.begun());
        if self.parser.take_pong() {
            watch.note_pong(now);
        }
    }

    /// After a close: writes what waits, and reads and discards until the client's close frame. The reaper ends it in
    /// time. Without this reading the kernel would answer with a reset, which can overtake our close frame.
    fn poll_farewell(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let connection = &self.registered.connection;
        connection.register(context.waker());
        let written = match connection.poll_flush(context) {
            Poll::Ready(Ok(())) => true,
            Poll::Ready(Err(Lost)) => return Poll::Ready(()),
            Poll::Pending => false,
        };
        // Without a close frame on either side the connection has failed, and there is no answer to wait for.
        if matches!(connection.standing(), Standing::Flowing | Standing::Waiting { .. } | Standing::Lost) {
            return Poll::Ready(());
        }
        loop {
            if written && self.peer_closed {
                return Poll::Ready(());
            }
            let read = BUFFER.with_borrow_mut(|buffer| {
                let read = connection.poll_read(context, buffer);
                read.map_ok(|count| self.parser.discard(&buffer[..count]))
            });
            match read {
                Poll::Ready(Ok(closed)) => self.peer_closed |= closed,
                Poll::Ready(Err(Lost)) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

/// Waits for `work`, and meanwhile writes what the socket accepts.
async fn while_flushing<T>(connection: &Connection, mut work: impl Future<Output = T> + Unpin) -> T {
    poll_fn(|context| {
        if let Poll::Ready(done) = Pin::new(&mut work).poll(context) {
            return Poll::Ready(done);
        }
        connection.register(context.waker());
        // The result is ignored: only `work` decides when this ends, and it is short.
        let _ = connection.poll_flush(context);
        Poll::Pending
    })
    .await
}
