//! The sockets: the connection, the task that reads it, the reaper that closes idle and slow ones.
//!
//! `ws/upgrade` opens them, `games` sends and closes through its `Sink`, `auth` closes sockets of a token through
//! [`Sockets`]. This module parses, decodes and limits; it never decides anything about a game.
//!
//! Outgoing: whole frames, written by the sender while nothing waits; otherwise queued, bounded, and written by the
//! socket's own task. Incoming: bytes → `scanner` (fragments, time) → `parser` (tungstenite, except for short whole
//! texts) → `protocol::decode` → games.

mod audience;
mod budget;
mod connection;
mod held;
mod parser;
mod queue;
mod reader;
mod reaper;
mod registry;
mod scanner;
#[cfg(test)]
pub(crate) mod testing;
mod turned_away;
pub mod upgrade;
mod watch;

pub(crate) use audience::Attendee;
#[cfg(test)]
pub(crate) use audience::Audience;
pub use connection::Connection;
pub use held::Held;
pub(crate) use reader::UpgradedStream;
pub use registry::Sockets;
pub(crate) use registry::{NoRoom, Room, Session};
