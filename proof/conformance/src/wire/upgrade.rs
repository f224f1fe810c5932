//! The opening handshake (RFC 6455 §4.1) with each carrier of a token (messages.md#connecting), and its refusals.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use super::http::{Response, read_response};
use super::socket::RawSocket;
use super::target::Target;

/// The sample nonce of RFC 6455 §1.3 and the answer that belongs to it: no hash is needed here.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(15);

/// How a client asks for a socket.
#[derive(Debug, Clone, Default)]
pub struct Knock {
    /// The game code, or whatever stands in its place in the path.
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
    pub async fn open(&self, target: &Target) -> anyhow::Result<Opened> {
        let whole = async {
            let mut stream = self.connect(target).await?;
            stream.write_all(self.request(target).as_bytes()).await?;
            let mut buffer = Vec::new();
            let response = read_response(&mut stream, &mut buffer, false).await?;
            let response = response.context("handshake closed without an answer")?;
            if response.status != 101 {
                return Ok(Opened::Refused(response));
            }
            check(&response)?;
            Ok(Opened::Socket(RawSocket::new(stream, buffer), response))
        };
        tokio::time::timeout(LONGEST_HANDSHAKE, whole).await.context("no answer to the handshake within 15 s")?
    }

    async fn connect(&self, target: &Target) -> anyhow::Result<TcpStream> {
        let Some(size) = self.receive_buffer else { return target.connect().await };
        let address = tokio::net::lookup_host(target.address()).await?.next().context("the host has no address")?;
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_recv_buffer_size(size)?;
        Ok(socket.connect(address).await?)
    }

    fn request(&self, target: &Target) -> String {
        let query = self.query.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
        let path = target.path(&format!("/ws/{}{query}", self.code));
        let mut head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", target.authority());
        head.push_str("Connection: Upgrade\r\nUpgrade: websocket\r\n");
        let _ = write!(head, "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n");
        if let Some(token) = &self.bearer {
            let _ = write!(head, "Authorization: Bearer {token}\r\n");
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        head
    }
}

/// What came of a knock.
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

fn check(response: &Response) -> anyhow::Result<()> {
    ensure!(response.header("sec-websocket-accept") == Some(ACCEPT), "Sec-WebSocket-Accept is wrong or missing");
    let upgrade = response.header("upgrade").unwrap_or_default();
    ensure!(upgrade.eq_ignore_ascii_case("websocket"), "101 without `Upgrade: websocket`");
    let connection = response.header("connection").unwrap_or_default().to_ascii_lowercase();
    ensure!(connection.contains("upgrade"), "101 without `Connection: Upgrade`");
    ensure!(response.header("sec-websocket-extensions").is_none(), "an extension was agreed; all of them are off");
    Ok(())
}
