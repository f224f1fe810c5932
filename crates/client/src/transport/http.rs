//! HTTP/1.1: requests to bytes, bytes to responses, and one exchange per connection.
//!
//! A response is complete or missing; it has at most 64 headers, and 256 MiB together with its body.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use super::endpoint::Endpoint;
use super::{Stream, TransportError};

/// How long an exchange may take; the results of a big game need this long.
const LONGEST_EXCHANGE: Duration = Duration::from_mins(1);
/// The results of a big game are tens of megabytes.
const LARGEST_RESPONSE: usize = 256 << 20;
/// Most headers of a response; the service sends about fifteen.
const HEADERS: usize = 64;
/// Bytes reserved for a response: enough for most of them.
const FIRST_READ: usize = 4 << 10;

const CUT_SHORT: TransportError = TransportError::Protocol("the connection ended in the middle of a response");
const NOT_HTTP: TransportError = TransportError::Protocol("the answer is not HTTP/1.1");

/// A request as it will be written.
#[derive(Clone)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request for one answer, after which the connection is closed.
    pub fn new(method: &str, path: &str) -> Self {
        let request = Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() };
        request.header("connection", "close")
    }

    /// The request that opens a WebSocket (RFC 6455 §4.1); `key` is 16 bytes as base64.
    pub fn upgrade(path: &str, key: &str) -> Self {
        let request = Self { headers: Vec::new(), ..Self::new("GET", path) };
        request
            .header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", key)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds `Authorization: Bearer …`.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Adds a body without changes; the caller sets the content type.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.header("content-length", &length)
    }

    /// Adds a JSON body with its content type.
    #[must_use]
    pub fn json(self, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("bodies have string keys and cannot fail to serialize");
        self.header("content-type", "application/json").body(body)
    }

    /// Sends the request over a connection of its own and reads the answer.
    ///
    /// # Errors
    /// As [`exchange`], and when a part of the request has a control character.
    pub async fn send(&self, endpoint: &Endpoint) -> Result<Response, TransportError> {
        exchange(endpoint, &self.bytes(endpoint)?, self.method == "HEAD").await
    }

    /// The request as it is written to this server.
    ///
    /// # Errors
    /// When a part of the head has a control character, or the path a space.
    pub fn bytes(&self, endpoint: &Endpoint) -> Result<Vec<u8>, TransportError> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, endpoint.path(&self.path));
        let _ = write!(head, "host: {}\r\n", endpoint.authority());
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        // Each header has one line break, and the request line another.
        let lines = head.split("\r\n").count();
        let stray = head.chars().filter(|symbol| symbol.is_ascii_control() && *symbol != '\t').count();
        if lines != self.headers.len() + 3 || stray != 2 * (lines - 1) || self.path.contains(' ') {
            return Err(TransportError::Unsendable);
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        Ok(bytes)
    }

    /// The value of the first header of this name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A whole response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    /// The body, with chunks put together.
    pub body: Vec<u8>,
}

impl Response {
    /// Parses the response at the beginning of `bytes`, and returns it with its length; `None` when it is incomplete.
    /// `head_only` for the answer to `HEAD`; `ended` when no more bytes follow.
    ///
    /// # Errors
    /// When the bytes are not HTTP/1.
    pub fn parse(bytes: &[u8], head_only: bool, ended: bool) -> Result<Option<(Self, usize)>, TransportError> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut head = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(start) = head.parse(bytes).map_err(|_| NOT_HTTP)? else { return Ok(None) };
        let lines = head.headers.iter();
        let headers = lines.map(|line| (line.name.to_ascii_lowercase(), String::from_utf8_lossy(line.value).into()));
        let mut response = Self { status: head.code.unwrap_or(0), headers: headers.collect(), body: Vec::new() };
        let rest = &bytes[start..];
        let coding = response.header("transfer-encoding");
        let used = if head_only || matches!(response.status, 100..200 | 204 | 304) {
            0
        } else if coding.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            let Some((chunks, used)) = chunks(rest)? else { return Ok(None) };
            response.body = chunks.concat();
            used
        } else if let Some(length) = response.header("content-length") {
            let length = length.parse().map_err(|_| TransportError::Protocol("content-length is not a number"))?;
            let Some(body) = rest.get(..length) else { return Ok(None) };
            response.body = body.to_vec();
            length
        } else if ended {
            response.body = rest.to_vec();
            rest.len()
        } else {
            return Ok(None);
        };
        Ok(Some((response, start + used)))
    }

    /// The first header of this name (in lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The media type without its parameters.
    pub fn media_type(&self) -> &str {
        self.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default().trim()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn json(&self) -> Result<Value, TransportError> {
        serde_json::from_slice(&self.body).map_err(|_| TransportError::Protocol("the body of the answer is not JSON"))
    }

    /// How long the server asks to wait: `Retry-After` in seconds, when it has one of at most 65,535.
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds: u16 = self.header("retry-after")?.parse().ok()?;
        Some(Duration::from_secs(seconds.into()))
    }
}

/// Writes bytes unchanged over a new connection, and reads one response.
///
/// # Errors
/// When there is no connection, no answer within a minute, or one that is not HTTP.
pub async fn exchange(endpoint: &Endpoint, bytes: &[u8], head_only: bool) -> Result<Response, TransportError> {
    let whole = async {
        let mut stream = endpoint.connect().await?;
        // A server may answer and close before it has read everything; only the answer matters.
        let written = write(&mut stream, bytes).await;
        let answer = read(&mut stream, head_only).await.map(|(response, _)| response);
        answer.map_err(|error| written.err().unwrap_or(error))
    };
    timeout(LONGEST_EXCHANGE, whole).await.map_err(|_| TransportError::Timeout)?
}

pub(super) async fn write(stream: &mut Stream, bytes: &[u8]) -> Result<(), TransportError> {
    stream.write_all(bytes).await?;
    Ok(stream.flush().await?)
}

/// Reads one response, and the bytes after it.
pub(super) async fn read(stream: &mut Stream, head_only: bool) -> Result<(Response, Vec<u8>), TransportError> {
    let mut buffer = Vec::with_capacity(FIRST_READ);
    loop {
        let ended = stream.read_buf(&mut buffer).await? == 0;
        if let Some((response, used)) = Response::parse(&buffer, head_only, ended)? {
            buffer.drain(..used);
            return Ok((response, buffer));
        }
        if ended {
            return Err(if buffer.is_empty() { TransportError::Unanswered } else { CUT_SHORT });
        }
        if buffer.len() > LARGEST_RESPONSE {
            return Err(TransportError::Protocol("the response is larger than 256 MiB"));
        }
    }
}

/// The chunks of a body, and the number of bytes that they take with their framing.
type Chunks<'a> = (Vec<&'a [u8]>, usize);

/// Reads the chunks of a body; `None` when the last is missing.
fn chunks(mut rest: &[u8]) -> Result<Option<Chunks<'_>>, TransportError> {
    const BROKEN: TransportError = TransportError::Protocol("a chunk of the body is broken");
    let (whole, mut chunks) = (rest.len(), Vec::new());
    loop {
        let httparse::Status::Complete((start, size)) = httparse::parse_chunk_size(rest).map_err(|_| BROKEN)? else {
            return Ok(None);
        };
        let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size)).ok_or(BROKEN)?;
        match rest.get(end..).and_then(|behind| behind.get(..2)) {
            None => return Ok(None),
            Some(b"\r\n") => chunks.push(&rest[start..end]),
            Some(_) => return Err(BROKEN),
        }
        rest = &rest[end + 2..];
        if size == 0 {
            return Ok(Some((chunks, whole - rest.len())));
        }
    }
}
