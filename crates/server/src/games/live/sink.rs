//! The trait through which a live game sends to a connection and reads what the connection is.
//!
//! Implemented by `ws`, so that games know nothing of sockets.

use std::net::IpAddr;

use bytes::Bytes;
use quizhall_engine::wire::{Close, Recipient};
use quizhall_engine::{ConnectionId, Dialect, FrameKind};
use quizhall_rules::QuestionId;

/// A connection as the games see it. Nothing here waits.
pub trait Sink: Send + Sync + 'static {
    /// Unique in the process.
    fn id(&self) -> ConnectionId;

    /// The address that it comes from, or the network that counts as one.
    fn address(&self) -> IpAddr;

    /// Which messages exist on it.
    fn dialect(&self) -> Dialect;

    /// What it is to a message that goes to many; none for a screen, which receives no broadcast.
    fn recipient(&self) -> Option<Recipient>;

    /// Sends a whole WebSocket frame. After [`Sink::close`] it is ignored; a connection that is too far behind is closed instead.
    fn send(&self, frame: Bytes, kind: FrameKind);

    /// Touches the memory that [`Sink::send`] needs. Called for several connections before the first is written to: the
    /// processor then fetches them side by side, instead of waiting for each in turn.
    fn read_ahead(&self);

    /// Closes the connection behind what waits. The first close counts.
    fn close(&self, close: Close);

    /// How many frames of [`FrameKind::Closes`] have been written here to their last byte.
    fn closings_written(&self) -> u32;

    /// How long after the frame of [`FrameKind::Asks`] with this question had been written here what was read last arrived, milliseconds;
    /// none when there was no such frame.
    fn elapsed_since(&self, question: QuestionId) -> Option<u32>;
}
