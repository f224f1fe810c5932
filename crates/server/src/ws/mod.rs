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
mod rate;
mod reader;
mod reaper;
mod reconnects;
mod registry;
mod scanner;
#[cfg(test)]
pub(crate) mod testing;
mod timing;
mod turned_away;
pub mod upgrade;
mod upgrade_limits;
mod watch;

pub(crate) use audience::Attendee;
#[cfg(test)]
pub(crate) use audience::Audience;
pub use connection::Connection;
pub use held::Held;
pub use rate::Bucket;
pub(crate) use reader::UpgradedStream;
pub(crate) use reconnects::{ParticipantKey, TooMany};
pub use registry::Sockets;
pub(crate) use registry::{NoRoom, Room, Session};
pub use timing::Moment;
pub(crate) use upgrade_limits::{BRAKE, NotNow};
