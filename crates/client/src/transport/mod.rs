//! The bytes between a client and a server: addresses, TCP and TLS, HTTP/1.1 requests, the upgrade, WebSocket frames.
//!
//! Used by [`crate::Api`] and [`crate::Socket`], by the load tool and by the conformance suite. Parsing takes bytes and
//! returns values, so a caller may use its own event loop. Never retries, and never interprets a message.

pub mod endpoint;
pub mod frame;
mod http;
mod tls;
mod upgrade;

use std::io;

use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;

pub use endpoint::{Endpoint, EndpointError};
pub use http::{Request, Response, exchange};
pub use upgrade::{Agreed, Upgrade, upgrade};

/// A connection: TCP, or TLS over it.
pub type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Why bytes did not arrive, or were not those of the protocol. Never contains a path or a header, which may hold a
/// token.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The connection failed.
    #[error("{}", .0.kind())]
    Io(#[from] io::Error),
    /// Connecting took longer than 10 s, or the exchange longer than a minute.
    #[error("timeout")]
    Timeout,
    /// The server's certificate failed verification.
    #[error("the certificate of {host} is not accepted: {reason}")]
    Certificate {
        /// The host that was to be reached.
        host: String,
        /// The fault of the certificate.
        reason: String,
    },
    /// The TLS handshake failed for another reason.
    #[error("no TLS connection to {host}: {reason}")]
    Tls {
        /// The host that was to be reached.
        host: String,
        /// The fault that TLS reports.
        reason: String,
    },
    /// The connection ended before any byte of an answer.
    #[error("the connection was closed without an answer")]
    Unanswered,
    /// The server violated HTTP/1.1 or RFC 6455.
    #[error("{0}")]
    Protocol(&'static str),
    /// The request has a line break or another control character where none is allowed.
    #[error("a part of the request does not fit in its head")]
    Unsendable,
}

impl TransportError {
    /// Whether the same attempt would fail again for the same reason.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Certificate { .. } | Self::Unsendable)
    }
}
