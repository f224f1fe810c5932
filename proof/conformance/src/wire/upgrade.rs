//! The opening handshake (RFC 6455 §4.1) with each carrier of a token (messages.md#connecting), and its refusals.

use anyhow::Context as _;
use quizhall_client::transport::{Endpoint, Request, Response, Stream, Upgrade, upgrade};
use tokio::net::TcpSocket;

use super::socket::RawSocket;

/// The sample nonce of RFC 6455 §1.3.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

/// How a client asks for a socket.
#[derive(Debug, Clone, Default)]
pub struct Knock {
    /// The game code, or what takes its place in the path.
    pub code: String,
    /// `Authorization: Bearer …`
    pub bearer: Option<String>,
    /// `?token=…`
    pub query: Option<String>,
    /// Further headers: `Origin`, `Sec-WebSocket-Protocol`, extensions.
    pub headers: Vec<(String, String)>,
    /// A receive buffer of this many bytes, for clients that are slow on purpose.
    pub receive_buffer: Option<u32>,
}

impl Knock {
    /// A knock with a bearer token.
    pub fn bearer(code: &str, token: &str) -> Self {
        Self { code: code.to_owned(), bearer: Some(token.to_owned()), ..Self::default() }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Offers a subprotocol, or several in one list.
    #[must_use]
    pub fn offering(self, subprotocols: &str) -> Self {
        self.header("Sec-WebSocket-Protocol", subprotocols)
    }

    /// Asks for the socket.
    ///
    /// # Errors
    /// When nothing answers, or a 101 breaks the handshake's own rules.
    pub async fn open(&self, endpoint: &Endpoint) -> anyhow::Result<Opened> {
        let prepared = match self.receive_buffer {
            Some(size) => Some(small(endpoint, size).await?),
            None => None,
        };
        Ok(match upgrade(endpoint, prepared, &self.request()).await.context("the handshake")? {
            Upgrade::Agreed(agreed) => {
                let response = agreed.response.clone();
                Opened::Socket(RawSocket::new(agreed), response)
            }
            Upgrade::Refused(response) => Opened::Refused(response),
        })
    }

    fn request(&self) -> Request {
        let query = self.query.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
        let request = Request::upgrade(&format!("/ws/{}{query}", self.code), KEY);
        let request = self.bearer.iter().fold(request, |request, token| request.bearer(token));
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }
}

/// The result of an attempt to connect.
#[derive(Debug)]
pub enum Opened {
    /// 101: a socket, and the answer's head.
    Socket(RawSocket, Response),
    /// Any other status.
    Refused(Response),
}

impl Opened {
    /// The socket.
    ///
    /// # Errors
    /// When the knock was refused.
    pub fn socket(self) -> anyhow::Result<RawSocket> {
        match self {
            Self::Socket(socket, _) => Ok(socket),
            Self::Refused(response) => anyhow::bail!("expected a socket, got HTTP {}", response.status),
        }
    }
}

/// A connection with a receive buffer of this many bytes.
async fn small(endpoint: &Endpoint, size: u32) -> anyhow::Result<Stream> {
    let address = tokio::net::lookup_host(endpoint.address()).await?.next().context("the host has no address")?;
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_recv_buffer_size(size)?;
    Ok(endpoint.secure(socket.connect(address).await?).await?)
}
