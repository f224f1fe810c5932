//! The single interface to a socket: `send` and `close`, callable from anywhere, never blocking.
//!
//! Made by `registry`, filled by the game's tasks, flushed by the socket's own task (`reader`), watched by `reaper`.
//! While nothing waits, `send` writes directly to the kernel, and no task is woken. Contains the stream itself, so that
//! a broadcast finds everything it needs in one place. Knows nothing of games.

use std::hint::black_box;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Shutdown};
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use bytes::Bytes;
use futures_util::task::AtomicWaker;
use quizhall_engine::wire::Recipient;
use quizhall_engine::{ConnectionId, FrameKind};
use quizhall_protocol::{Close, CloseCode, Dialect, Role, frame};
use quizhall_rules::QuestionId;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::TcpStream;

use crate::auth::HostTokenHash;
use crate::games::Sink;
use crate::limits::AddressKey;
use crate::telemetry::metrics;

use super::queue::{AT_ONCE, Key, Queue, QueueLimits};
use super::registry::{Session, Shared};
use super::watch::Watch;
use crate::moment::Moment;

/// An open socket, always in an `Arc`.
pub struct Connection {
    id: ConnectionId,
    address: AddressKey,
    role: Role,
    dialect: Dialect,
    stream: TcpStream,
    out: Mutex<Out>,
    task: AtomicWaker,
    refused: AtomicBool,
    shared: Arc<Shared>,
    token: Option<HostTokenHash>,
    pub(super) watch: Watch,
}

/// The outgoing side.
struct Out {
    queue: Queue,
    state: State,
    /// When a byte was last written, or when the queue began to wait.
    moved: Moment,
    /// Since when the queue has been waiting without interruption.
    waiting_since: Moment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// A close frame is queued or written; nothing follows it.
    Closing(Moment),
    /// The TCP connection must be dropped.
    Lost,
}

/// The state of the outgoing side, for the reaper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing waits.
    Flowing,
    /// Bytes wait: since when the last byte was written or they began to wait, and since when something has been
    /// waiting without interruption.
    Waiting { moved: Moment, since: Moment },
    /// A close frame was queued at this moment.
    Closing(Moment),
    /// The connection has ended.
    Lost,
}

impl Sink for Connection {
    fn id(&self) -> ConnectionId {
        self.id
    }

    fn address(&self) -> IpAddr {
        self.address.into()
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn recipient(&self) -> Option<Recipient> {
        (self.role != Role::Screen).then(|| Recipient::of(self.role == Role::Host, self.dialect))
    }

    /// Beyond the bounds of the queue the socket is closed with 4101.
    fn send(&self, frame: Bytes, kind: FrameKind) {
        self.push(frame, kind.into());
    }

    fn read_ahead(&self) {
        black_box((self.id, self.out.is_poisoned(), self.stream.as_raw_fd()));
    }

    /// 4101 replaces the waiting frames.
    fn close(&self, close: Close) {
        if self.begin_close(frame::close(&close), close.code == CloseCode::SlowConsumer) {
            self.refused.store(close.code.refuses_a_message(), Ordering::Relaxed);
            metrics::socket_closed(close);
            tracing::debug!(socket = self.id.0, code = close.code.number(), reason = %close, "socket closed by us");
        }
    }

    fn closings_written(&self) -> u32 {
        self.lock().queue.closings_written()
    }

    fn elapsed_since(&self, question: QuestionId) -> Option<u32> {
        let asked = self.lock().queue.asked_at(question, self.watch.most_on_the_way())?;
        u32::try_from(self.watch.received.get().since(asked).as_millis()).ok()
    }
}

impl Connection {
    pub(super) fn new(stream: TcpStream, session: Session, id: ConnectionId, shared: Arc<Shared>) -> Self {
        let now = shared.now();
        let watch = Watch::begin(now, shared.next_ping(now), session.expires);
        let out = Out { queue: Queue::default(), state: State::Open, moved: now, waiting_since: now };
        let (task, token) = (AtomicWaker::new(), session.token);
        Self {
            id,
            address: session.address,
            role: session.role,
            dialect: session.dialect,
            stream,
            out: Mutex::new(out),
            task,
            refused: AtomicBool::new(false),
            shared,
            token,
            watch,
        }
    }

    /// The role of its client.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether it was closed because of an illegal message.
    pub(super) fn has_refused_a_message(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// The host token on which this socket depends.
    pub(super) fn token(&self) -> Option<HostTokenHash> {
        self.token
    }

    /// Whether this socket depends on that host token.
    pub(super) fn rests_on(&self, token: &HostTokenHash) -> bool {
        self.token.as_ref() == Some(token)
    }

    pub(super) fn push(&self, frame: Bytes, key: Key) {
        let mut out = self.lock();
        if out.state != State::Open {
            return;
        }
        out.queue.note_handed_over(key, || self.shared.now());
        if !out.queue.is_empty() {
            self.queue_up(out, frame, key);
            return;
        }
        // This skips the runtime's record of whether the socket is writable: the kernel knows, and the record is memory
        // that a broadcast would have to fetch for every socket. `poll_flush` asks the runtime, which then finds out.
        let written = match send(&self.stream, &frame, SendFlags::NOSIGNAL) {
            Ok(written) if written == frame.len() => return out.queue.note_written(key, || self.shared.now()),
            Ok(written) => written,
            Err(Errno::AGAIN) => 0,
            Err(_) => return self.lose(out),
        };
        out.moved = self.shared.now();
        out.waiting_since = out.moved;
        out.queue.append(frame, key, &self.shared.budget);
        let now = out.moved;
        out.queue.advance(written, now);
        drop(out);
        self.task.wake();
    }

    /// Sends the answer to the client's own close frame. Nothing follows it.
    pub(super) fn answer_close(&self, answer: Bytes) {
        self.begin_close(answer, false);
    }

    /// Drops the connection without sending anything more.
    pub(super) fn abandon(&self) {
        self.lose(self.lock());
    }

    pub(super) fn standing(&self) -> Standing {
        let out = self.lock();
        match out.state {
            State::Lost => Standing::Lost,
            State::Closing(since) => Standing::Closing(since),
            State::Open if out.queue.is_empty() => Standing::Flowing,
            State::Open => Standing::Waiting { moved: out.moved, since: out.waiting_since },
        }
    }

    pub(super) fn register(&self, waker: &Waker) {
        self.task.register(waker);
    }

    /// Reads into `buffer`. Ready with at least one byte, or `Err` when the connection is lost.
    pub fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<Result<usize, Lost>> {
        loop {
            if ready!(self.stream.poll_read_ready(context)).is_err() {
                return Poll::Ready(Err(Lost));
            }
            let mut count = 0;
            let read = self.stream.try_io(Interest::READABLE, || {
                count = recv(&self.stream, &mut *buffer, RecvFlags::empty())?.0;
                // Fewer bytes than there was room for: nothing is left, and the runtime learns that without another
                // call, as its own `poll_read` does. This is right because epoll is edge-triggered: data that come
                // later are a new event.
                let drained = (1..buffer.len()).contains(&count);
                if drained { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            match read {
                _ if count > 0 => return Poll::Ready(Ok(count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(()) | Err(_) => return Poll::Ready(Err(Lost)),
            }
        }
    }

    /// Writes the waiting bytes. Ready when nothing waits any more, `Err` when the connection is lost.
    pub(super) fn poll_flush(&self, context: &mut Context<'_>) -> Poll<Result<(), Lost>> {
        loop {
            {
                let out = self.lock();
                if out.state == State::Lost {
                    return Poll::Ready(Err(Lost));
                }
                if out.queue.is_empty() {
                    return Poll::Ready(Ok(()));
                }
            }
            if ready!(self.stream.poll_write_ready(context)).is_err() {
                self.abandon();
                return Poll::Ready(Err(Lost));
            }
            self.write_some();
        }
    }

    /// Ends TCP in both directions, even while this `Connection` is still in use.
    pub(super) fn shut_down(&self) {
        let mut out = self.lock();
        out.state = State::Lost;
        out.queue.clear();
        drop(out);
        // An error means that the peer had closed it before.
        let _ = SockRef::from(&self.stream).shutdown(Shutdown::Both);
    }

    fn write_some(&self) {
        let mut out = self.lock();
        while !out.queue.is_empty() {
            let mut room = [IoSlice::new(&[]); AT_ONCE];
            let used = out.queue.slices(&mut room);
            match self.stream.try_write_vectored(&room[..used]) {
                Ok(written) => {
                    let now = self.shared.now();
                    out.queue.advance(written, now);
                    out.moved = now;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => return self.lose(out),
            }
        }
    }

    fn queue_up(&self, mut out: MutexGuard<'_, Out>, frame: Bytes, key: Key) {
        let bounds = self.shared.bounds(self.role);
        let fits = out.queue.push(frame, key, QueueLimits { bounds, budget: &self.shared.budget }).is_ok();
        drop(out);
        if !fits || self.shared.budget.is_far_exceeded() {
            self.close(CloseCode::SlowConsumer.into());
        }
    }

    /// Returns whether this was the first close.
    fn begin_close(&self, frame: Bytes, instead: bool) -> bool {
        let mut out = self.lock();
        if out.state != State::Open {
            return false;
        }
        out.state = State::Closing(self.shared.now());
        if instead {
            out.queue.drop_unbegun();
        }
        out.queue.append(frame, Key::Plain, &self.shared.budget);
        drop(out);
        self.task.wake();
        true
    }

    fn lose(&self, mut out: MutexGuard<'_, Out>) {
        out.state = State::Lost;
        out.queue.clear();
        drop(out);
        self.task.wake();
    }

    fn lock(&self) -> MutexGuard<'_, Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The connection is lost; nothing can be written any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost;
