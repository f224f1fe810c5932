//! A client of Quizhall for hosts and players: the HTTP calls, one socket, a view of the game, and reconnecting after a
//! loss.
//!
//! For the load tool, and for bots and tests in Rust. It knows the wire (`quizhall-protocol`) and nothing of the
//! server. Its layers can be used separately: [`Api`] (HTTP) · [`Socket`] (one connection that never reconnects) ·
//! [`View`] (folds messages into what a participant sees) · [`Participant`] (a socket that reconnects by the rules and
//! keeps every unacknowledged answer). Below them is [`transport`]: the bytes, over TCP or TLS.

pub mod answers;
pub mod api;
pub mod backoff;
pub mod closed;
pub mod participant;
pub mod socket;
pub mod token;
pub mod transport;
pub mod view;

mod line;

pub use quizhall_protocol as protocol;

pub use api::{Api, ApiError, Refused};
pub use backoff::{Backoff, Schedule};
pub use closed::Closed;
pub use participant::{Event, Options, Participant, PlainReader, Reader, Stop};
pub use quizhall_protocol::Phase;
pub use socket::{Carrier, ConnectError, Incoming, Seat, Socket};
pub use token::Token;
pub use transport::{Endpoint, EndpointError, TransportError};
pub use view::{Room, View};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
