//! The trait through which a live game sends to a connection and reads its properties.
//!
//! Implemented by `ws`, so that games know nothing of sockets.

use std::net::IpAddr;

use bytes::Bytes;
use quizhall_engine::wire::{Close, Recipient};
use quizhall_engine::{ConnectionId, Dialect, FrameKind};
use quizhall_rules::QuestionId;

/// A connection as the games see it. No method waits.
pub trait Sink: Send + Sync + 'static {
    /// Unique in the process.
    fn id(&self) -> ConnectionId;

    /// Its address, or the network that counts as one address.
    fn address(&self) -> IpAddr;

    /// The set of messages that exist on it.
    fn dialect(&self) -> Dialect;

    /// Its role in a message to many recipients; `None` for a screen, which receives no broadcast.
    fn recipient(&self) -> Option<Recipient>;

    /// Sends a whole WebSocket frame. Ignored after [`Sink::close`]; a connection that is too far behind is closed
    /// instead.
    fn send(&self, frame: Bytes, kind: FrameKind);

    /// Touches the memory that [`Sink::send`] needs. Called for several connections before the first write: the
    /// processor then fetches their memory in parallel, instead of waiting for each in turn.
    fn read_ahead(&self);

    /// Closes the connection after the frames that wait. Only the first close counts.
    fn close(&self, close: Close);

    /// How many frames of [`FrameKind::Closes`] have been written here completely.
    fn closings_written(&self) -> u32;

    /// Milliseconds between writing the frame of [`FrameKind::Asks`] with this question and the arrival of the bytes
    /// read last; `None` when there was no such frame.
    fn elapsed_since(&self, question: QuestionId) -> Option<u32>;
}
