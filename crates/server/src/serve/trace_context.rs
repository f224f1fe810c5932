//! The trace to which a request belongs (W3C Trace Context, `traceparent`), so that its log lines can be found together
//! with those of a proxy and of other services.
//!
//! Called by `router` for every request. A malformed header is ignored as a whole, because it is written to the log.

use axum::http::HeaderMap;

const HEADER: &str = "traceparent";

/// Characters of version 00; later versions may add parts to it.
const LENGTH: usize = 55;

/// The trace, and the step in it that made the request; both in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext<'a> {
    /// 32 digits.
    pub trace: &'a str,
    /// 16 digits.
    pub parent: &'a str,
}

/// The trace of a request, if it names exactly one.
pub fn given(headers: &HeaderMap) -> Option<TraceContext<'_>> {
    let mut values = headers.get_all(HEADER).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    read(value.to_str().ok()?)
}

fn read(text: &str) -> Option<TraceContext<'_>> {
    let known = text.get(..LENGTH)?;
    let mut parts = known.split('-');
    let [version, trace, parent, flags] = [(); 4].map(|()| parts.next());
    let (version, trace, parent, flags) = (version?, trace?, parent?, flags?);
    let is_longer_version = version != "00" && text.as_bytes().get(LENGTH) == Some(&b'-');
    let is_whole = parts.next().is_none() && (text.len() == LENGTH || is_longer_version);
    let has_digits = |part: &str, count: usize| {
        part.len() == count && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_set = |part: &str| part.bytes().any(|byte| byte != b'0');
    let fits = is_whole
        && (has_digits(version, 2) && version != "ff")
        && (has_digits(trace, 32) && is_set(trace))
        && (has_digits(parent, 16) && is_set(parent))
        && has_digits(flags, 2);
    fits.then_some(TraceContext { trace, parent })
}
