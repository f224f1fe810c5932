//! The id of a request, by which an operator finds its lines in the log: given by the client or a proxy, otherwise made
//! here.
//!
//! Called by `router` for every request. A given id is accepted only when it is short and plain, because it is written
//! to the log.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header that carries it in both directions.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Most characters of an accepted id.
const LONGEST: usize = 64;

/// The id that came with the request, if it is acceptable.
pub(super) fn given(headers: &HeaderMap) -> Option<HeaderValue> {
    let value = headers.get(HEADER)?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let fits = (1..=LONGEST).contains(&value.len()) && value.as_bytes().iter().all(is_plain);
    fits.then(|| value.clone())
}

pub(super) fn made() -> HeaderValue {
    let id = Uuid::new_v4().simple().to_string();
    HeaderValue::from_str(&id).expect("hexadecimal digits are a header value")
}
