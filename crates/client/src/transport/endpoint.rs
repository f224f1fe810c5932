//! The address of a server, from which connections, request lines and `Host` headers are made.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::Url;

use super::tls::{self, Tls};
use super::{Stream, TransportError};

/// How long TCP and TLS may take, together with an upgrade where there is one.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The base address of a server, such as `http://127.0.0.1:8080` or `https://example.org/quiz`. Cheap to clone; serialized
/// as the address and the name of the CA file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Endpoint {
    base: Url,
    ca: Option<PathBuf>,
    tls: Option<Tls>,
}

/// The serialized form of an endpoint, for another process.
#[derive(Serialize, Deserialize)]
struct Written {
    url: String,
    ca: Option<PathBuf>,
}

/// Why an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not an absolute URL with a host.
    #[error("the address must look like http://host:8080 or https://host")]
    NotAnAddress,
    /// User name, query or fragment in the address.
    #[error("the address must not carry a user name, a query or a fragment")]
    Extras,
    /// The CA file cannot be used.
    #[error("the CA file {} cannot be used: {reason}", .file.display())]
    Authority {
        /// The file.
        file: PathBuf,
        /// The fault.
        reason: String,
    },
    /// Neither the system nor a CA file names a certificate authority.
    #[error("this system has no certificate authorities for https: install ca-certificates, or name a CA file")]
    NoAuthorities,
}

impl Endpoint {
    /// Reads an address; `ws` is taken as `http` and `wss` as `https`, which trusts the system's certificate authorities.
    ///
    /// # Errors
    /// When the address has another form, or the system has no certificate authorities for `https`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        Self::parse_with_ca(text, None)
    }

    /// Like [`Endpoint::parse`], but also trusts the certificate authorities of a PEM file.
    ///
    /// # Errors
    /// Also when an `https` address needs the file and it cannot be read.
    pub fn parse_with_ca(text: &str, ca: Option<&Path>) -> Result<Self, EndpointError> {
        let base = Url::parse(text.trim()).map_err(|_| EndpointError::NotAnAddress)?;
        let encrypted = match base.scheme() {
            "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return Err(EndpointError::NotAnAddress),
        };
        let anonymous = base.username().is_empty() && base.password().is_none();
        if !anonymous || base.query().is_some() || base.fragment().is_some() {
            return Err(EndpointError::Extras);
        }
        let mut endpoint = Self { base, ca: ca.map(Path::to_owned), tls: None };
        if encrypted {
            endpoint.tls = Some(Tls::new(&endpoint.address().0, ca)?);
        }
        Ok(endpoint)
    }

    /// Host and port to open a TCP connection to.
    pub fn address(&self) -> (String, u16) {
        let host = self.base.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        (host.to_owned(), self.base.port_or_known_default().unwrap_or(80))
    }

    /// The value of the `Host` header: the host, and the port unless it is the scheme's default.
    pub fn authority(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        self.base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The `Origin` of a page of this server.
    pub fn origin(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.authority())
    }

    /// The path of a request line for a resource of the interface; `path` begins with a slash and is not changed.
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base.path().trim_end_matches('/'))
    }

    /// Connects to the server.
    ///
    /// # Errors
    /// When there is no connection within 10 s, or the server's certificate is not accepted.
    pub async fn connect(&self) -> Result<Stream, TransportError> {
        let (host, port) = self.address();
        let connecting = async {
            let tcp = TcpStream::connect((host.as_str(), port)).await?;
            tcp.set_nodelay(true)?;
            self.secure(tcp).await
        };
        timeout(CONNECT_TIMEOUT, connecting).await.map_err(|_| TransportError::Timeout)?
    }

    /// Puts TLS on a TCP connection to the server if the address asks for it.
    ///
    /// # Errors
    /// When the server's certificate is not accepted, or the handshake fails otherwise.
    pub async fn secure(&self, tcp: TcpStream) -> Result<Stream, TransportError> {
        let Some(Tls { config, name }) = &self.tls else { return Ok(Stream::Left(tcp)) };
        let handshake = TlsConnector::from(config.clone()).connect(name.clone(), tcp);
        let stream = handshake.await.map_err(|error| tls::failure(&self.address().0, error))?;
        Ok(Stream::Right(Box::new(stream)))
    }

    /// The TLS side of one connection for callers with an event loop of their own; `None` without TLS.
    pub fn session(&self) -> Option<rustls::ClientConnection> {
        let Tls { config, name } = self.tls.as_ref()?;
        Some(rustls::ClientConnection::new(config.clone(), name.clone()).expect("a client's configuration is complete"))
    }
}

impl From<Endpoint> for Written {
    fn from(endpoint: Endpoint) -> Self {
        Self { url: endpoint.base.into(), ca: endpoint.ca }
    }
}

impl TryFrom<Written> for Endpoint {
    type Error = EndpointError;

    fn try_from(written: Written) -> Result<Self, EndpointError> {
        Self::parse_with_ca(&written.url, written.ca.as_deref())
    }
}

/// Encodes every character except RFC 3986's unreserved ones as `%XX`.
pub(crate) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    encoded
}
