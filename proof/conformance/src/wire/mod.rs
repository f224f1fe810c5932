//! What rows send and look at: requests, handshakes and single frames, malformed ones included.
//!
//! Used by connections, API calls and cases. The bytes are the client's transport's, which writes what it is given; whether a
//! server's answers are right is judged by the rows, never below them.

pub mod frame;
mod socket;
mod upgrade;

pub use frame::{Build, Frame};
pub use quizhall_client::transport::{Endpoint, Request, Response, exchange};
pub use socket::RawSocket;
pub use upgrade::{Knock, Opened};
