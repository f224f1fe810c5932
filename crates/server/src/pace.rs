//! The lowest speed at which a client may read an answer or send a body, and a stream that ends a slower connection.
//!
//! `serve` puts [`Paced`] under each connection, so every answer over HTTP is covered. `http` holds bodies to a
//! [`Level`], and `media` ends downloads that are behind when others wait for their places. A WebSocket has limits of
//! its own (`ws`): it takes the TCP stream out.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

#[cfg(any(target_os = "linux", target_os = "android"))]
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep_until};

use crate::clock;
use crate::telemetry::{Limit, metrics};

/// Bytes per second on the slowest line on which a phone still works. A client that reads or sends less falls behind.
const SLOWEST: u32 = 2_000;

/// Bytes that the kernel may hold unsent for an answer. The number is small because a client's progress is seen when
/// the kernel accepts more.
const UNSENT: u32 = 16 << 10;

/// The moment up to which a client has done its part: it advances with the bytes, and never beyond the present.
#[derive(Debug, Clone, Copy, Default)]
pub struct Level(Option<Instant>);

impl Level {
    /// From now on either bytes wait for the client, or the service waits only for the client; returns the level.
    pub fn waits(&mut self, now: Instant) -> Instant {
        *self.0.get_or_insert(now)
    }

    /// The client has read or sent this many bytes.
    pub fn moved(&mut self, bytes: usize, now: Instant) {
        let worth = Duration::from_secs(1).saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX)) / SLOWEST;
        self.0 = self.0.and_then(|level| level.checked_add(worth)).filter(|level| *level < now);
    }

    /// How far behind the client is.
    pub fn behind(&self, now: Instant) -> Duration {
        self.0.map_or(Duration::ZERO, |level| now.saturating_duration_since(level))
    }
}

/// How the client of one connection reads its answers. Cheap to clone; in the extensions of each request.
#[derive(Debug, Clone, Default)]
pub struct Pace(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    level: Mutex<Level>,
    ended: Notify,
}

impl Pace {
    /// How far behind the client is.
    pub fn behind(&self, now: Instant) -> Duration {
        self.level().behind(now)
    }

    /// Ends the connection.
    pub fn end(&self) {
        self.0.ended.notify_one();
    }

    /// Resolves when the connection has to end.
    pub async fn ended(&self) {
        self.0.ended.notified().await;
    }

    /// The moment up to which the client has done its part, locked for as long as the guard lives.
    pub fn level(&self) -> MutexGuard<'_, Level> {
        self.0.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A TCP stream that fails with [`ErrorKind::TimedOut`] when its client falls too far behind.
#[derive(Debug)]
pub struct Paced {
    stream: TcpStream,
    pace: Pace,
    time_limit: Duration,
    /// Set while the stream accepts no bytes.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    /// `time_limit`: how far the client may fall behind.
    pub fn new(stream: TcpStream, pace: Pace, time_limit: Duration) -> Self {
        keep_unsent(&stream, UNSENT);
        Self { stream, pace, time_limit, alarm: None }
    }

    /// The original stream, for a WebSocket.
    pub fn into_inner(self) -> TcpStream {
        // 0 restores the system's default.
        keep_unsent(&self.stream, 0);
        self.stream
    }

    fn judged(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.pace.level().moved(bytes, clock::now());
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let late = (self.pace.level().waits(clock::now()) + self.time_limit).into();
                let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(late)));
                if alarm.deadline() != late {
                    alarm.as_mut().reset(late);
                }
                ready!(alarm.as_mut().poll(context));
                metrics::limit_reached(Limit::SlowAnswers);
                Poll::Ready(Err(ErrorKind::TimedOut.into()))
            }
        }
    }
}

/// Does nothing for a unix socket and on other systems: there, progress is seen later.
fn keep_unsent(stream: &TcpStream, bytes: u32) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = SockRef::from(stream).set_tcp_notsent_lowat(bytes);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, bytes);
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, room)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judged(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judged(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything written so far has been accepted: nothing waits for the client any more.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        *self.pace.level() = Level::default();
        self.alarm = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
