//! The sockets: the connection, the task that reads it, the reaper that closes idle and slow ones.
//!
//! `ws/upgrade` opens them, `games` sends and closes through its `Sink`, `auth` closes sockets of a token through
//! [`Sockets`]. This module parses, decodes and limits; it never decides anything about a game.
//!
//! Outgoing: whole frames, written by the sender while nothing waits; otherwise queued, bounded, and written by the
//! socket's own task. Incoming: bytes → `scanner` (fragments, time) → `parser` (tungstenite, except for short whole
//! texts) → `protocol::decode` → games.

mod audience;
pub mod budget;
mod connection;
mod held;
pub mod parser;
pub mod queue;
mod reader;
pub mod reaper;
mod registry;
mod scanner;
mod turned_away;
pub mod upgrade;
mod watch;

pub use audience::{Attendee, Audience};
pub use connection::{Connection, Lost};
pub use held::Held;
pub use reader::{Reader, UpgradedStream};
pub use registry::{NoRoom, Room, Session, Sockets};
