//! The opening handshake of a WebSocket (RFC 6455 §4.1), and the server's answer.

use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::endpoint::CONNECT_TIMEOUT;
use super::http::{self, Request, Response};
use super::{Endpoint, Stream, TransportError};

/// The answer to an upgrade.
#[derive(Debug)]
pub enum Upgrade {
    /// 101: frames follow.
    Agreed(Agreed),
    /// Any other status.
    Refused(Response),
}

/// A connection on which frames follow.
#[derive(Debug)]
pub struct Agreed {
    /// The connection.
    pub stream: Stream,
    /// The bytes that already came after the answer.
    pub rest: Vec<u8>,
    /// The answer's head.
    pub response: Response,
}

/// Sends a [`Request::upgrade`] over `prepared`, or over a new connection to the server, and reads the answer.
///
/// # Errors
/// When there is no answer within 10 s, or a 101 that violates the handshake's rules or agrees to an extension.
pub async fn upgrade(
    endpoint: &Endpoint,
    prepared: Option<Stream>,
    request: &Request,
) -> Result<Upgrade, TransportError> {
    let opening = async {
        let mut stream = match prepared {
            Some(stream) => stream,
            None => endpoint.connect().await?,
        };
        http::write(&mut stream, &request.bytes(endpoint)?).await?;
        let (response, rest) = http::read(&mut stream, false).await?;
        if response.status != 101 {
            return Ok(Upgrade::Refused(response));
        }
        check(request, &response).map_err(TransportError::Protocol)?;
        Ok(Upgrade::Agreed(Agreed { stream, rest, response }))
    };
    timeout(CONNECT_TIMEOUT, opening).await.map_err(|_| TransportError::Timeout)?
}

fn check(request: &Request, response: &Response) -> Result<(), &'static str> {
    let expected = request.value("sec-websocket-key").map(|key| derive_accept_key(key.as_bytes()));
    let lower = |name| response.header(name).unwrap_or_default().to_ascii_lowercase();
    if response.header("sec-websocket-accept") != expected.as_deref() {
        return Err("Sec-WebSocket-Accept is wrong or missing");
    }
    if lower("upgrade") != "websocket" {
        return Err("101 without `Upgrade: websocket`");
    }
    if !lower("connection").contains("upgrade") {
        return Err("101 without `Connection: Upgrade`");
    }
    if response.header("sec-websocket-extensions").is_some() {
        return Err("an extension was agreed; all of them are off");
    }
    Ok(())
}
