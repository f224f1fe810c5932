//! The headers that limit what our pages may do in a browser. `answer` uses them for every file, also with a 304: a
//! browser takes the headers of a 304 for those of the page it has. The layers of `http` add the headers of all
//! answers.

use axum::http::header::{CONTENT_SECURITY_POLICY, HOST, HeaderName};
use axum::http::{HeaderMap, HeaderValue};

/// Our own files and sockets, nothing inline, nothing from elsewhere. The hosts to which the page may connect come
/// last.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; connect-src 'self'";

/// The same for every file. A screen that a host's page opens has the same origin and stays connected to it.
const FIXED: [(HeaderName, &str); 3] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
];

/// The policy of one service.
#[derive(Clone)]
pub(super) struct Policy {
    /// Host and port of `PUBLIC_URL`.
    public: Option<String>,
}

impl Policy {
    pub(super) fn new(public_url: Option<&str>) -> Self {
        let authority = public_url.and_then(|url| url.split_once("://")).map(|(_, authority)| authority);
        Self { public: authority.and_then(plain) }
    }

    /// Writes the headers of the answer to a request with these headers.
    pub(super) fn write(&self, request: &HeaderMap, response: &mut HeaderMap) {
        for (name, value) in FIXED {
            response.insert(name, HeaderValue::from_static(value));
        }
        response.insert(CONTENT_SECURITY_POLICY, self.content(request));
    }

    /// Older versions of Safari do not count the page's own sockets as `'self'`, so they are named.
    fn content(&self, request: &HeaderMap) -> HeaderValue {
        let host = request.get(HOST).and_then(|host| host.to_str().ok()).and_then(plain);
        let mut policy = CONTENT.to_owned();
        let public = self.public.as_ref().filter(|public| host.as_ref() != Some(public));
        for authority in host.iter().chain(public) {
            policy.extend([" ws://", authority.as_str(), " wss://", authority.as_str()]);
        }
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(CONTENT))
    }
}

/// The authority, if it is only a host and a port, without characters that could end a directive and begin another.
fn plain(authority: &str) -> Option<String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']');
    let is_plain = !authority.is_empty() && authority.len() <= 255 && authority.bytes().all(fits);
    is_plain.then(|| authority.to_ascii_lowercase())
}
