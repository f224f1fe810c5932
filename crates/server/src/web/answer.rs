//! One file as the answer to one request: in which encoding, whether the browser already has it, and how long it may
//! keep it.
//!
//! Used by the routes of this folder. axum handles the method: for HEAD it leaves the body out.

use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use super::ASSETS;
use super::files::File;
use super::policy::Policy;

/// For files whose name changes with the content: kept for a year and never requested again.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// For all other files: requested each time, and mostly answered with 304.
const ASK_AGAIN: &str = "no-cache";

/// An encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

/// The file, or 304 when the browser has it.
pub(super) fn with(file: &'static File, request: &HeaderMap, policy: &Policy) -> Response {
    let encoding = chosen(file, request);
    let etag = format!("\"{}{}\"", file.tag, encoding.mark());
    let mut response =
        if is_known(request, &etag) { StatusCode::NOT_MODIFIED.into_response() } else { whole(file, encoding) };
    let headers = response.headers_mut();
    let kept = if file.path.starts_with(ASSETS) { FOR_EVER } else { ASK_AGAIN };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(ETAG, etag);
    }
    policy.write(request, headers);
    response
}

fn whole(file: &'static File, encoding: Encoding) -> Response {
    let bytes = match encoding {
        Encoding::Brotli => file.brotli,
        Encoding::Gzip => file.gzip,
        Encoding::Identity => file.plain,
    };
    let mut response = Response::new(Body::from(Bytes::from_static(bytes)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    if let Some(name) = encoding.name() {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    response
}

impl Encoding {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// Different bytes have different tags (RFC 9110, 8.8.3).
    fn mark(self) -> &'static str {
        match self {
            Self::Brotli => "-br",
            Self::Gzip => "-gz",
            Self::Identity => "",
        }
    }
}

/// The encoding to which the client gives the highest weight; of equals the smallest. A client that refuses everything
/// gets the plain file.
fn chosen(file: &File, request: &HeaderMap) -> Encoding {
    let accepted = AcceptedEncodings::read(request);
    let forms = [(Encoding::Gzip, "gzip", file.gzip), (Encoding::Brotli, "br", file.brotli)];
    let mut best = (Encoding::Identity, accepted.weight("identity").unwrap_or(f32::MIN_POSITIVE));
    for (encoding, name, bytes) in forms {
        let weight = accepted.weight(name).unwrap_or(0.0);
        if !bytes.is_empty() && weight > 0.0 && weight >= best.1 {
            best = (encoding, weight);
        }
    }
    best.0
}

/// The encodings of `Accept-Encoding`, with their weights.
struct AcceptedEncodings<'a>(Vec<(&'a str, f32)>);

impl<'a> AcceptedEncodings<'a> {
    fn read(request: &'a HeaderMap) -> Self {
        let values = request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let items = values.flat_map(|value| value.split(',')).map(|item| {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            let weight = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.trim().parse().ok());
            (name.trim(), weight.unwrap_or(0.0))
        });
        Self(items.collect())
    }

    /// The weight of an encoding, by its name or by `*`.
    fn weight(&self, encoding: &str) -> Option<f32> {
        let named = |name: &str| self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        named(encoding).or_else(|| named("*")).map(|(_, weight)| *weight)
    }
}

/// Whether `If-None-Match` names this encoding (compared weakly, as RFC 9110 requires for GET and HEAD).
fn is_known(request: &HeaderMap, etag: &str) -> bool {
    let values = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = values.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}
