//! The two requests of a player, as bytes: `POST /join` and the upgrade; and the head of the answer.

/// Headers looked at in an answer; the service sends about fifteen.
const HEADERS: usize = 32;

/// Asks for a seat.
pub fn join(host: &str, path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path}/join HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Opens a game's socket.
pub fn upgrade(host: &str, path: &str, (code, token): (&str, &str)) -> Vec<u8> {
    format!(
        "GET {path}/ws/{code} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nUpgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: cXVpemhhbGwtc3dhcm0tYQ==\r\n\r\n"
    )
    .into_bytes()
}

/// What an answer begins with.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// Where the body begins.
    pub body: usize,
    /// How long it is, where the answer says so.
    pub length: usize,
}

/// Reads the head of an answer; `None` while it is not all there.
///
/// # Errors
/// When it is not HTTP.
pub fn head(bytes: &[u8]) -> Result<Option<Head>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(body) = response.parse(bytes)? else { return Ok(None) };
    let said = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = said.and_then(|header| str::from_utf8(header.value).ok()?.trim().parse().ok()).unwrap_or(0);
    Ok(Some(Head { status: response.code.unwrap_or(0), body, length }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let answer = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(head(answer), Ok(Some(Head { status: 201, body: 43, length: 2 })));
        assert_eq!(head(&answer[..30]), Ok(None));
        assert!(head(b"SSH-2.0-x\r\n").is_err());
    }
}
