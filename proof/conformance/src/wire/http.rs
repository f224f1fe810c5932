//! One HTTP/1.1 exchange per connection, written and read by hand.
//!
//! Limits: a response of 32 MiB, 15 s for a whole exchange.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::target::Target;

const LARGEST_RESPONSE: usize = 32 << 20;
const LONGEST_EXCHANGE: Duration = Duration::from_secs(15);

/// A request as it will be written.
#[derive(Debug, Clone)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request {
    /// A request without headers of its own or body.
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
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
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// A body as it is; the content type is the caller's.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// A JSON body with its content type.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("Content-Type", "application/json").body(body.to_string())
    }

    /// Sends the request and reads the answer.
    ///
    /// # Errors
    /// When there is no connection, no answer, or one that is not HTTP.
    pub async fn send(&self, target: &Target) -> anyhow::Result<Response> {
        let answer = exchange(target, &self.bytes(target), self.method == "HEAD").await;
        let answer = answer.with_context(|| format!("{} {}", self.method, without_query(&self.path)))?;
        answer.with_context(|| format!("{} {}: closed without an answer", self.method, without_query(&self.path)))
    }

    fn bytes(&self, target: &Target) -> Vec<u8> {
        let path = target.path(&self.path);
        let mut head =
            format!("{} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.method, target.authority());
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            let _ = write!(head, "Content-Length: {}\r\n", body.len());
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        bytes
    }
}

/// An answer, whole.
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
    /// The first header of this name (in lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_slice(&self.body)
            .with_context(|| format!("status {} with a body that is not JSON", self.status))
    }

    /// The media type without its parameters.
    pub fn media_type(&self) -> &str {
        self.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default().trim()
    }
}

/// Writes bytes as they are and reads one response; `None` when the server closed without one.
pub async fn exchange(target: &Target, bytes: &[u8], head_only: bool) -> anyhow::Result<Option<Response>> {
    let whole = async {
        let mut stream = target.connect().await?;
        // A server may answer and close before it has read everything; the answer is what counts.
        let written = stream.write_all(bytes).await;
        match read_response(&mut stream, &mut Vec::new(), head_only).await {
            Err(error) if written.is_ok() => Err(error),
            Err(_) => bail!("the connection broke while the request was written"),
            Ok(response) => Ok(response),
        }
    };
    tokio::time::timeout(LONGEST_EXCHANGE, whole).await.context("no answer within 15 s")?
}

/// Reads a response; bytes beyond it (after a 101) stay in `buffer`.
pub(super) async fn read_response(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    head_only: bool,
) -> anyhow::Result<Option<Response>> {
    let end = loop {
        if let Some(end) = find(buffer, b"\r\n\r\n") {
            break end;
        }
        if !read_more(stream, buffer).await? {
            ensure!(buffer.is_empty(), "closed in the middle of a response head");
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    buffer.drain(..end + 4);
    let mut response = parse_head(&head)?;
    if head_only || matches!(response.status, 101 | 204 | 304) {
        return Ok(Some(response));
    }
    response.body = read_body(stream, buffer, &response).await?;
    Ok(Some(response))
}

async fn read_body(stream: &mut TcpStream, buffer: &mut Vec<u8>, head: &Response) -> anyhow::Result<Vec<u8>> {
    if head.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        return read_chunks(stream, buffer).await;
    }
    if let Some(length) = head.header("content-length") {
        let length: usize = length.parse().context("content-length is not a number")?;
        fill(stream, buffer, length).await?;
        return Ok(buffer.drain(..length).collect());
    }
    while read_more(stream, buffer).await? {}
    Ok(std::mem::take(buffer))
}

async fn read_chunks(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = loop {
            if let Some(line) = find(buffer, b"\r\n") {
                break line;
            }
            ensure!(read_more(stream, buffer).await?, "closed in the middle of a chunked body");
        };
        let size = String::from_utf8_lossy(&buffer[..line]).split(';').next().unwrap_or_default().trim().to_owned();
        let size = usize::from_str_radix(&size, 16).context("chunk size is not a number")?;
        buffer.drain(..line + 2);
        fill(stream, buffer, size + 2).await?;
        body.extend(buffer.drain(..size));
        buffer.drain(..2);
        if size == 0 {
            return Ok(body);
        }
    }
}

async fn fill(stream: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> anyhow::Result<()> {
    while buffer.len() < length {
        ensure!(read_more(stream, buffer).await?, "closed in the middle of a body");
    }
    Ok(())
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<bool> {
    ensure!(buffer.len() < LARGEST_RESPONSE, "the response is larger than 32 MiB");
    Ok(stream.read_buf(buffer).await? > 0)
}

fn parse_head(head: &str) -> anyhow::Result<Response> {
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap_or_default();
    let mut words = status.split(' ');
    ensure!(words.next().is_some_and(|version| version.starts_with("HTTP/1.")), "the answer is not HTTP/1");
    let status = words.next().and_then(|status| status.parse().ok()).context("no status in the answer")?;
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Ok(Response { status, headers, body: Vec::new() })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// A path that may be shown: the query can hold a token.
fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or_default()
}
