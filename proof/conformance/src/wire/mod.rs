//! The wire by hand: HTTP/1.1 and WebSocket bytes exactly as a row wants them, malformed ones included.
//!
//! Used by seats, API calls and cases. Never uses an HTTP or WebSocket library: those refuse to send what must be refused.

pub mod frame;
pub mod http;
pub mod socket;
pub mod target;
pub mod upgrade;

pub use frame::{Build, Frame};
pub use http::{Request, Response};
pub use socket::RawSocket;
pub use target::Target;
pub use upgrade::{Knock, Opened};
